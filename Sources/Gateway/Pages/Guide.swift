import Synchronization

/// The guide: the articles of a DocC catalogue, in the order in which its page `Parley.md` lists them.
final class Guide: Sendable {
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

    let chapters: [Chapter]
    private let articles: [Article]
    /// Pages that were asked for, by the articles' names.
    private let pages = Mutex<[String: StaticFile]>([:])

    /// A gateway without a guide.
    init() { (chapters, articles) = ([], []) }

    init(folder: String) throws(FileReader.Failure) {
        chapters = try Self.chapters(folder)
        articles = chapters.flatMap(\.articles)
    }

    /// The article of this name; nil if there is none.
    func article(_ name: String) -> Article? { articles.first { $0.name == name } }

    /// Its title, for links.
    func title(_ name: String) -> String? { article(name)?.title }

    /// What is below `/docs/`: `Webhooks` is the page, `Webhooks.md` its Markdown.
    ///
    /// A page is made when it is first asked for, so that the start of the gateway does not wait for all of them.
    func file(_ name: String) -> StaticFile? {
        let isMarkdown = name.hasSuffix(".md")
        let wanted = isMarkdown ? String(name.dropLast(3)) : name
        guard let index = articles.firstIndex(where: { $0.name == wanted }) else { return nil }
        if isMarkdown { return articles[index].markdown }
        return pages.withLock { pages in
            if let page = pages[name] { return page }
            let page = StaticFile(bytes: self.page(index), contentType: HTMLPage.contentType.1)
            pages[name] = page
            return page
        }
    }

    private func page(_ index: Int) -> [UInt8] {
        let article = articles[index]
        var page = HTMLPage(title: article.title)
        page.html = Markdown(title: title).html(article.body) + "<nav>\n"
        let neighbours = [("Before", index - 1), ("Next", index + 1)]
        for (label, index) in neighbours where articles.indices.contains(index) {
            page.html += "<p>\(label): \(Self.link(articles[index]))</p>\n"
        }
        page.html += """
            <p><a href="/docs">All articles and operations</a>, \
            <a href="/docs/\(HTMLPage.escape(article.name)).md">this article as Markdown</a></p>
            </nav>

            """
        return page.bytes
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
        let title = bytes.prefix { $0 != UInt8(ascii: "\n") }
        return Article(
            name: name, title: String(decoding: title.drop { "# ".utf8.contains($0) }, as: UTF8.self),
            markdown: StaticFile(bytes: bytes, name: name + ".md"),
            start: bytes[title.endIndex...].firstIndex { $0 != UInt8(ascii: "\n") } ?? bytes.endIndex)
    }
}
