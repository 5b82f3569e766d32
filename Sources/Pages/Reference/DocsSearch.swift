import Glibc
import HTTPRouting

/// The one search of `/docs`: it looks into articles, operations and problems. All words of a query must occur; case
/// does not count.
struct DocsSearch: Sendable {
    private let document: APIDocument
    private let articles: GuideSearch
    private let entries: [(id: String, entry: ReferenceSearch.Entry)]

    init(_ document: APIDocument, _ guide: Guide) {
        self.document = document
        articles = GuideSearch(guide)
        entries = document.operations.map { ($0.id, ReferenceSearch.Entry($0, of: document)) }
    }

    /// Nothing for a query without words.
    func found(_ query: String) -> DocsFindings {
        let search = ReferenceSearch(query)
        guard !search.isEmpty else { return DocsFindings() }
        let operations = entries.compactMap { id, entry in search.names(in: entry).map { (id, $0) } }
        return DocsFindings(
            articles: articles.hits(search.words),
            operations: Dictionary(operations, uniquingKeysWith: { first, _ in first }),
            problems: ProblemKind.all.values.filter { search.finds($0.code + " " + $0.title) }
                .sorted { $0.code < $1.code })
    }
}

/// What a search of `/docs` has found.
struct DocsFindings {
    var articles: [GuideSearch.Hit] = []
    /// By the operation's id: which of its names the words occur in.
    var operations: [String: [String]] = [:]
    var problems: [ProblemKind] = []

    /// In words.
    var count: String {
        func named(_ count: Int, _ one: String) -> String { count == 1 ? "1 \(one)" : "\(count) \(one)s" }
        let parts = [(articles.count, "article"), (operations.count, "operation")].filter { $0.0 > 0 }
        return parts.isEmpty ? "Nothing found" : parts.map { named($0.0, $0.1) }.joined(separator: ", ")
    }
}

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

/// What a search of the reference finds. All words of the query must occur; case does not count.
struct ReferenceSearch {
    struct Entry: Sendable {
        let id: String
        /// Path, summary, operation's id, tag.
        let text: String
        /// Codes of problems, members of bodies, answers and events, parameters.
        let names: [String]

        init(_ operation: APIOperation, of document: APIDocument) {
            id = operation.id
            text =
                "\(operation.method.rawValue) \(operation.path) \(operation.summary) \(operation.id) \(operation.tag)"
                .lowercased()
            let members = SchemaTree(document).memberNames(OperationSection.schemas(operation))
            let codes = operation.answers.filter { !$0.isGood }.flatMap(\.codes)
            var all = members.union(codes).union(operation.parameters.map(\.name))
            all.formUnion(operation.events.map(\.name))
            names = all.sorted()
        }
    }

    /// In lower case.
    let words: [String]

    init(_ query: String) { words = query.lowercased().split(whereSeparator: \.isWhitespace).map(String.init) }

    var isEmpty: Bool { words.isEmpty }

    /// Which of the entry's names the words occur in; empty where the text holds all words. Nil if a word occurs
    /// nowhere.
    func names(in entry: Entry) -> [String]? {
        var found: [String] = []
        for word in words where !entry.text.contains(word) {
            let names = entry.names.filter { $0.lowercased().contains(word) }
            if names.isEmpty { return nil }
            found += names.filter { !found.contains($0) }
        }
        return found
    }

    func finds(_ text: String) -> Bool {
        let text = text.lowercased()
        return words.allSatisfy { text.contains($0) }
    }
}
