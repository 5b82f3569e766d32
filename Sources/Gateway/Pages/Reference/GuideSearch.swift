import Glibc

/// The text of the guide, for the search: each article cut at its headings.
struct GuideSearch: Sendable {
    struct Section: Sendable {
        /// Empty for what stands before the first heading.
        let title: String
        /// In lower case, and ended by 0: the C library looks for words many times as fast as Swift.
        fileprivate let text: ContiguousArray<CChar>
    }

    /// An article that was found, with the sections that have all words; there are none if only the whole has them.
    struct Hit {
        let article: Guide.Article
        let sections: [String]
        fileprivate let isInTitle: Bool
    }

    private let articles: [(article: Guide.Article, sections: [Section])]

    init(_ guide: Guide) {
        articles = guide.articles.map { ($0, Self.sections(of: $0)) }
    }

    /// The articles in which all words occur: those whose titles have them first, then in the guide's order.
    ///
    /// - Parameter words: in lower case.
    func hits(_ words: [String]) -> [Hit] {
        let words = words.map(\.utf8CString)
        let found = articles.compactMap { article, sections -> Hit? in
            guard words.allSatisfy({ word in sections.contains { Self.contains($0.text, word) } }) else { return nil }
            let whole = sections.filter { section in words.allSatisfy { Self.contains(section.text, $0) } }
            let title = article.title.lowercased().utf8CString
            return Hit(
                article: article, sections: whole.map(\.title).filter { !$0.isEmpty },
                isInTitle: words.allSatisfy { Self.contains(title, $0) })
        }
        return found.filter(\.isInTitle) + found.filter { !$0.isInTitle }
    }

    private static func contains(_ text: ContiguousArray<CChar>, _ word: ContiguousArray<CChar>) -> Bool {
        text.withUnsafeBufferPointer { text in
            word.withUnsafeBufferPointer { word in
                guard let text = text.baseAddress, let word = word.baseAddress else { return false }
                return strstr(text, word) != nil
            }
        }
    }

    /// The title belongs to the first section, each heading to its own.
    private static func sections(of article: Guide.Article) -> [Section] {
        var sections: [Section] = []
        var (title, text) = ("", article.title + "\n")
        var isCode = false
        for line in article.body.split(separator: "\n") {
            if line.hasPrefix("```") { isCode.toggle() }
            if !isCode, line.hasPrefix("## ") || line.hasPrefix("### ") {
                sections.append(Section(title: title, text: text.lowercased().utf8CString))
                (title, text) = (String(line.drop { $0 == "#" || $0 == " " }), "")
            }
            text += line + "\n"
        }
        return sections + [Section(title: title, text: text.lowercased().utf8CString)]
    }
}
