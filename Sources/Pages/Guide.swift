import Gateway

/// The guide: the articles of a DocC catalogue, in the order in which its page `Parley.md` lists them.
struct Guide: Sendable {
    struct Article: Sendable {
        /// Its file's name without `.md`, by which DocC's links name it.
        let name: String
        let title: String
        let markdown: StaticFile
        /// Where ``body`` begins in the file.
        fileprivate let start: Int

        /// Everything after the title, as Markdown.
        var body: String { String(decoding: markdown.bytes[start...], as: UTF8.self) }

        /// The first paragraph, as Markdown.
        var summary: String {
            body.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.joined(separator: " ")
        }
    }

    struct Chapter: Sendable {
        let title: String
        let articles: [Article]
    }

    /// What the catalogue's page says before its list of articles, as Markdown: what Parley is for.
    let introduction: String
    let chapters: [Chapter]
    let articles: [Article]

    /// A gateway without a guide.
    init() { (introduction, chapters, articles) = ("", [], []) }

    init(folder: String) throws(FileReader.Failure) {
        let contents = String(decoding: try FileReader.read("\(folder)/Parley.md"), as: UTF8.self)
        let lines = contents.split(separator: "\n", omittingEmptySubsequences: false)
        introduction = lines.dropFirst().prefix { $0 != "## Topics" }.joined(separator: "\n")
        chapters = try Self.chapters(lines, in: folder)
        articles = chapters.flatMap(\.articles)
    }

    /// The article of exactly this name; nil if there is none.
    func article(_ name: String) -> Article? { articles.first { $0.name == name } }

    /// The article that somebody means who writes an address by hand: case, hyphens and the like do not count, the
    /// title is as good as the name, and a beginning is enough if only one article has it. Nil if it may be none or
    /// several.
    func article(meaning name: String) -> Article? {
        if let article = article(name) { return article }
        let key = Self.key(name)
        guard !key.isEmpty else { return nil }
        if let article = articles.first(where: { Self.key($0.name) == key || Self.key($0.title) == key }) {
            return article
        }
        let begun = articles.filter { Self.key($0.name).hasPrefix(key) }
        return begun.count == 1 ? begun[0] : nil
    }

    private static func key(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Its title, for links.
    func title(_ name: String) -> String? { article(name)?.title }

    /// What the page of an article has beside its title and the column.
    func main(of article: Article) -> String {
        var html = Markdown(title: title).html(article.body) + "<nav>\n"
        let index = articles.firstIndex { $0.name == article.name } ?? 0
        for (label, index) in [("Before", index - 1), ("Next", index + 1)] where articles.indices.contains(index) {
            html += "<p>\(label): \(Self.link(articles[index]))</p>\n"
        }
        return html
            + "<p><a href=\"/docs/\(HTMLPage.escape(article.name)).md\">This article as Markdown</a></p>\n</nav>\n"
    }

    /// The contents, for `/docs`.
    var contents: String {
        var html = ""
        for chapter in chapters {
            html += "<h3>\(HTMLPage.escape(chapter.title))</h3>\n<ul>\n"
            for article in chapter.articles {
                html += "<li>\(Self.link(article)): \(Markdown().inline(article.summary))</li>\n"
            }
            html += "</ul>\n"
        }
        return html
    }

    static func link(_ article: Article) -> String {
        "<a href=\"\(DocsPlace.article(article.name).path)\">\(HTMLPage.escape(article.title))</a>"
    }

    /// The headings below "Topics" of the catalogue's own page, each with the articles that its list names.
    private static func chapters(_ lines: [Substring], in folder: String) throws(FileReader.Failure) -> [Chapter] {
        var chapters: [Chapter] = []
        for line in lines.drop(while: { $0 != "## Topics" }) {
            if line.hasPrefix("### ") {
                chapters.append(Chapter(title: String(line.dropFirst(4)), articles: []))
            } else if line.hasPrefix("- <doc:"), let chapter = chapters.popLast() {
                let article = try article(String(line.dropFirst(7).prefix { $0 != ">" }), in: folder)
                chapters.append(Chapter(title: chapter.title, articles: chapter.articles + [article]))
            }
        }
        return chapters
    }

    private static func article(_ name: String, in folder: String) throws(FileReader.Failure) -> Article {
        let bytes = try FileReader.read("\(folder)/\(name).md")
        let title = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return Article(
            name: name, title: String(decoding: title.drop { "# ".utf8.contains($0) }, as: UTF8.self),
            markdown: StaticFile(bytes: bytes, name: name + ".md"),
            start: bytes[title.endIndex...].firstIndex { $0 != UInt8(ascii: "\n") } ?? bytes.endIndex)
    }
}
