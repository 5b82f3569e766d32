/// The few words that a reader needs first, as the guide's article `Words` explains them.
struct Glossary {
    static let words = ["session", "thread", "channel", "account", "desk", "collection", "cursor"]

    let guide: Guide

    /// A list of definitions; empty without the article.
    var html: String {
        guard let article = guide.article("Words") else { return "" }
        let rows = article.body.split(separator: "\n")
        let entries = Self.words.compactMap { word -> String? in
            let start = "| \(word) | "
            guard let row = rows.first(where: { $0.hasPrefix(start) }), row.hasSuffix(" |") else { return nil }
            let meaning = Markdown(title: guide.title).inline(row.dropFirst(start.count).dropLast(2))
            return "<dt>\(word)</dt><dd>\(meaning)</dd>\n"
        }
        return "<dl class=\"glossary\">\n\(entries.joined())</dl>\n<p><a href=\"/docs/Words\">All words</a></p>\n"
    }
}
