/// The guide: the articles of a DocC catalogue, in the order in which its page `Parley.md` lists them.
struct Guide: Sendable {
    struct Article: Sendable {
        /// Its file's name without `.md`, by which DocC's links name it.
        let name: String
        let title: String
        /// Its first paragraph, as Markdown.
        let summary: String
        /// Everything after the title, as Markdown.
        let body: Substring
        let markdown: StaticFile
    }

    struct Chapter: Sendable {
        let title: String
        let articles: [Article]
    }

    let chapters: [Chapter]
    /// What is below `/docs/`: `Webhooks` is the page, `Webhooks.md` its Markdown.
    let files: [String: StaticFile]

    /// A gateway without a guide.
    init() { (chapters, files) = ([], [:]) }

    init(folder: String) throws(FileReader.Failure) {
        chapters = try Self.chapters(folder)
        let articles = chapters.flatMap(\.articles)
        let titles = Dictionary(articles.map { ($0.name, $0.title) }) { first, _ in first }
        var files: [String: StaticFile] = [:]
        for (index, article) in articles.enumerated() {
            var page = HTMLPage(title: article.title)
            page.html = Markdown { titles[$0] }.html(article.body) + "<nav>\n"
            for (label, neighbour) in [("Before", index - 1), ("Next", index + 1)] where articles.indices.contains(neighbour) {
                page.html += "<p>\(label): \(Self.link(articles[neighbour]))</p>\n"
            }
            page.html += """
                <p><a href="/docs">All articles and operations</a>, \
                <a href="/docs/\(HTMLPage.escape(article.name)).md">this article as Markdown</a></p>
                </nav>

                """
            files[article.name] = StaticFile(bytes: page.bytes, contentType: HTMLPage.contentType.1)
            files[article.name + ".md"] = article.markdown
        }
        self.files = files
    }

    /// The contents, for `/docs`.
    var contents: String {
        var html = ""
        for chapter in chapters {
            html += "<h3>\(HTMLPage.escape(chapter.title))</h3>\n<ul>\n"
            for article in chapter.articles { html += "<li>\(Self.link(article)): \(Markdown().inline(article.summary))</li>\n" }
            html += "</ul>\n"
        }
        return html
    }

    private static func link(_ article: Article) -> String {
        "<a href=\"/docs/\(HTMLPage.escape(article.name))\">\(HTMLPage.escape(article.title))</a>"
    }

    /// The headings below "Topics" of the catalogue's own page, each with the articles that its list names.
    private static func chapters(_ folder: String) throws(FileReader.Failure) -> [Chapter] {
        let contents = String(decoding: try FileReader.read("\(folder)/Parley.md"), as: UTF8.self)
        var chapters: [Chapter] = []
        for line in contents.split(separator: "\n").drop(while: { $0 != "## Topics" }) {
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
        let text = String(decoding: bytes, as: UTF8.self)
        let title = text.prefix { $0 != "\n" }
        let body = text.dropFirst(title.count).drop(while: \.isNewline)
        let summary = body.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }.joined(separator: " ")
        return Article(
            name: name, title: String(title.drop { "# ".contains($0) }), summary: summary, body: body,
            markdown: StaticFile(bytes: bytes, name: name + ".md"))
    }
}
