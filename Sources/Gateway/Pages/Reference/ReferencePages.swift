import Formats
import HTTPRouting

/// The pages of the reference: the start page `/docs`, one page for each tag, and what a search finds. A column beside each
/// lists everything there is.
struct ReferencePages: Sendable {
    private let document: APIDocument
    private let guide: Guide
    private let entries: [String: ReferenceSearch.Entry]
    /// The statuses that all operations answer with, and all that are not open to everyone.
    private let shared: (all: Set<String>, closed: Set<String>)

    init(_ document: APIDocument, guide: Guide) {
        self.document = document
        self.guide = guide
        let operations = document.operations
        entries = Dictionary(
            operations.map { ($0.id, ReferenceSearch.Entry($0, of: document)) }, uniquingKeysWith: { first, _ in first }
        )
        func common(_ some: [APIOperation]) -> Set<String> {
            let all = some.map { Set($0.answers.filter { !$0.isGood }.map(\.status)) }
            return all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
        }
        shared = (common(operations), common(operations.filter { !$0.access.isEmpty }))
    }

    func hasTag(_ name: String) -> Bool { document.tags.contains { $0.name == name } }

    /// A page around its main part.
    ///
    /// - Parameter tag: of the page; nil for the start page.
    func page(_ tag: String?, query: String, main: String) -> [UInt8] {
        var page = HTMLPage(title: tag.map(Self.title) ?? document.title)
        page.column = column(tag, query: query)
        page.html = main
        return page.bytes
    }

    /// What a tag's page has beside its title and the column.
    func main(_ name: String) -> String {
        guard let tag = document.tags.first(where: { $0.name == name }) else { return "" }
        let sections = tag.operations.map { operation in
            let shared = operation.access.isEmpty ? self.shared.all : self.shared.closed
            return OperationSection(operation, of: document, shared: shared).html
        }
        let schemas = SchemaTree(document).sections(tag.operations.flatMap(OperationSection.schemas))
        return Markdown().html(tag.description) + sections.joined()
            + (schemas.isEmpty ? "" : "<h2 id=\"schemas\">Schemas</h2>\n\(schemas)")
    }

    /// What the start page has.
    func start() -> String {
        let glossary = Glossary(guide: guide).html
        var html = glossary.isEmpty ? "" : "<h2 id=\"words\">Words</h2>\n\(glossary)"
        if !guide.chapters.isEmpty { html += "<h2 id=\"articles\">Articles</h2>\n\(guide.contents)" }
        html += "<h2 id=\"operations\">Operations</h2>\n\(Markdown().html(document.description))<ul>\n"
        for tag in document.tags {
            html += "<li><a href=\"\(Self.path(tag.name))\">\(Self.title(tag.name))</a>: "
            html += "\(Markdown().inline(tag.description)) (\(tag.operations.count))</li>\n"
        }
        html += "</ul>\n<p>The same for programs: <a href=\"/openapi.json\">/openapi.json</a></p>\n"
        html += "<h2 id=\"access\">Access</h2>\n<dl>\n"
        for scheme in document.accessSchemes {
            html += "<dt>\(OperationSection.words(scheme.name))</dt>"
            html += "<dd>\(Markdown().inline(scheme.description))</dd>\n"
        }
        html += "</dl>\n<h2 id=\"every-operation\">Problems of every operation</h2>\n<ul class=\"problems\">\n"
        for status in shared.all.union(shared.closed).sorted() {
            let answers = document.operations.flatMap(\.answers).filter { $0.status == status }
            let codes = Set(answers.flatMap { Set($0.codes).subtracting($0.ownCodes) }).sorted()
            html +=
                "<li><strong>\(status)</strong> \(codes.map(OperationSection.problem).joined(separator: " "))</li>\n"
        }
        html += "</ul>\n<h2 id=\"problems\">All problems</h2>\n<ul>\n\(problems { _ in true })</ul>\n"
        return html
    }

    /// What `/docs?q=` has instead.
    func results(_ query: String) -> String {
        let search = ReferenceSearch(query)
        var html = ""
        var count = 0
        for tag in document.tags {
            for operation in tag.operations {
                guard let names = entries[operation.id].flatMap(search.names) else { continue }
                count += 1
                html +=
                    "<li>\(link(operation, query)) <span class=\"type\"><code>\(HTMLPage.escape(operation.path))</code>"
                html += names.prefix(6).map { " <code>\(HTMLPage.escape($0))</code>" }.joined()
                html += "</span></li>\n"
            }
        }
        let articles = guide.chapters.flatMap(\.articles).filter { search.finds($0.title + " " + $0.summary) }
        let kinds = problems { search.finds($0.code + " " + $0.title) }
        var page = "<h2>Operations (\(count))</h2>\n<ul class=\"results\">\n\(html)</ul>\n"
        if !articles.isEmpty {
            page += "<h2>Articles (\(articles.count))</h2>\n<ul>\n"
            page += articles.map { "<li>\(Guide.link($0))</li>\n" }.joined() + "</ul>\n"
        }
        if !kinds.isEmpty { page += "<h2>Problems</h2>\n<ul>\n\(kinds)</ul>\n" }
        return page
    }

    private func problems(_ isWanted: (ProblemKind) -> Bool) -> String {
        ProblemKind.all.values.filter(isWanted).sorted { $0.code < $1.code }.map { kind in
            "<li>\(OperationSection.problem(kind.code)) \(HTMLPage.escape(kind.title))</li>\n"
        }.joined()
    }

    // MARK: - the column

    private func column(_ current: String?, query: String) -> String {
        let search = ReferenceSearch(query)
        var groups = ""
        var count = 0
        for tag in document.tags {
            let found =
                search.isEmpty
                ? tag.operations
                : tag.operations.filter { operation in
                    entries[operation.id].flatMap(search.names) != nil
                }
            guard !found.isEmpty else { continue }
            count += found.count
            let isOpen = tag.name == current || !search.isEmpty
            groups += "<details\(isOpen ? " open" : "")><summary>\(Self.title(tag.name))</summary>\n<ul>\n"
            if search.isEmpty {
                let mark = tag.name == current ? " aria-current=\"page\"" : ""
                groups +=
                    "<li><a href=\"\(Self.path(tag.name))\"\(mark)>\(Markdown().inline(tag.description))</a></li>\n"
            }
            groups += found.map { "<li>\(link($0, query))</li>\n" }.joined() + "</ul></details>\n"
        }
        let found = search.isEmpty ? "" : count == 1 ? "1 operation" : "\(count) operations"
        var html = """
            <a class="home" href="/docs"\(current == nil && search.isEmpty ? " aria-current=\"page\"" : "")>Parley</a>
            <form role="search" action="/docs"><label for="search">Search</label>
            <input type="search" id="search" name="q" maxlength="100" autocomplete="off" placeholder="Press /" \
            value="\(HTMLPage.escape(query))"></form>
            <p class="found" role="status">\(found)</p>
            <a class="menu" href="#index">Contents</a>
            <div id="index"\(search.isEmpty ? "" : " class=\"searching\"")>
            \(groups)
            """
        if search.isEmpty, !guide.chapters.isEmpty {
            html += "<details><summary>Articles</summary>\n<ul>\n"
            html += guide.chapters.flatMap(\.articles).map { "<li>\(Guide.link($0))</li>\n" }.joined()
            html += "</ul></details>\n"
        }
        return html + "</div>\n"
    }

    private func link(_ operation: APIOperation, _ query: String) -> String {
        let search = query.isEmpty ? "" : "?q=\(query.percentEncoded)"
        let address = "\(Self.path(operation.tag))\(search)#\(HTMLPage.escape(operation.id))"
        return "<a href=\"\(address)\"><span class=\"method\">\(operation.method.rawValue)</span> "
            + "\(HTMLPage.escape(operation.summary))</a>"
    }

    private static func path(_ tag: String) -> String { "/docs/api/\(tag.percentEncoded)" }

    private static func title(_ tag: String) -> String { HTMLPage.escape(tag.prefix(1).uppercased() + tag.dropFirst()) }
}
