import Formats
import Gateway
import HTTPRouting

/// The pages below `/docs`, with a column beside each: the start page, the articles, one page for each tag's
/// operations, and one for each kind of problem.
struct ReferencePages: Sendable {
    private let document: APIDocument
    private let guide: Guide
    private let search: DocsSearch
    /// The statuses that all operations answer with, and all that are not open to everyone.
    private let shared: (all: Set<String>, closed: Set<String>)

    init(_ document: APIDocument, guide: Guide) {
        self.document = document
        self.guide = guide
        search = DocsSearch(document, guide)
        func common(_ some: [APIOperation]) -> Set<String> {
            let all = some.map { Set($0.answers.filter { !$0.isGood }.map(\.status)) }
            return all.dropFirst().reduce(all.first ?? []) { $0.intersection($1) }
        }
        let operations = document.operations
        shared = (common(operations), common(operations.filter { !$0.access.isEmpty }))
    }

    /// The page's heading; nil if there is no such page.
    func title(of place: DocsPlace) -> String? {
        switch place {
        case .start: document.title
        case .tag(let name): document.tags.contains { $0.name == name } ? DocsColumn.title(name) : nil
        case .article(let name): guide.title(name)
        case .problem(let code): ProblemKind.all[code]?.title
        }
    }

    /// A whole page.
    ///
    /// - Parameters:
    ///   - query: narrows the column; the start page shows what was found.
    ///   - main: what ``main(of:)`` gave, for the address at which the page is asked for.
    func page(_ place: DocsPlace, query: String, main: String) -> [UInt8] {
        let found = search.found(query)
        var page = HTMLPage(title: title(of: place) ?? "")
        page.column = DocsColumn(document: document, guide: guide, found: found).html(at: place, query: query)
        page.html = place == .start && !query.isEmpty ? results(found, query) : main
        return page.bytes
    }

    /// What a page has beside its title and the column.
    func main(of place: DocsPlace) -> String {
        switch place {
        case .start: start()
        case .tag(let name): operations(name)
        case .article(let name): guide.article(name).map(guide.main) ?? ""
        case .problem(let code): ProblemKind.all[code].map(Self.meaning) ?? ""
        }
    }

    private func operations(_ name: String) -> String {
        guard let tag = document.tags.first(where: { $0.name == name }) else { return "" }
        let sections = tag.operations.map { operation in
            let shared = operation.access.isEmpty ? self.shared.all : self.shared.closed
            return OperationSection(operation, of: document, shared: shared).html
        }
        let schemas = SchemaTree(document).sections(tag.operations.flatMap(OperationSection.schemas))
        return Markdown().html(tag.description) + sections.joined()
            + (schemas.isEmpty ? "" : "<h2 id=\"schemas\">Schemas</h2>\n\(schemas)")
    }

    /// What Parley is for and the doors to the tasks, then all articles and operations, then what holds for all of
    /// them.
    private func start() -> String {
        var html = Markdown(title: guide.title).html(guide.introduction)
        if !guide.chapters.isEmpty { html += "<h2 id=\"articles\">Articles</h2>\n\(guide.contents)" }
        html += "<h2 id=\"operations\">Operations</h2>\n\(Markdown().html(document.description))<ul>\n"
        for tag in document.tags {
            html += "<li><a href=\"\(DocsPlace.tag(tag.name).path)\">\(DocsColumn.title(tag.name))</a>: "
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
        html += "</ul>\n<h2 id=\"problems\">All problems</h2>\n<ul>\n"
        html += Self.problems(ProblemKind.all.values.sorted { $0.code < $1.code })
        return html + "</ul>\n"
    }

    /// What `/docs?q=` has instead.
    private func results(_ found: DocsFindings, _ query: String) -> String {
        var html = ""
        if !found.articles.isEmpty {
            html += "<h2>Articles (\(found.articles.count))</h2>\n<ul class=\"results\">\n"
            for hit in found.articles {
                let path = DocsPlace.article(hit.article.name).path + DocsColumn.suffix(query)
                html += "<li><a href=\"\(path)\">\(HTMLPage.escape(hit.article.title))</a>"
                for title in hit.sections.prefix(3) {
                    let anchor = HTMLPage.escape(Markdown.anchor(title))
                    html += " · <a href=\"\(path)#\(anchor)\">\(Markdown().inline(title))</a>"
                }
                html += "</li>\n"
            }
            html += "</ul>\n"
        }
        html += "<h2>Operations (\(found.operations.count))</h2>\n<ul class=\"results\">\n"
        for operation in document.operations {
            guard let names = found.operations[operation.id] else { continue }
            html += "<li>\(DocsColumn.link(operation, query)) <span class=\"type\">"
            html += ([operation.path] + names.prefix(6)).map { "<code>\(HTMLPage.escape($0))</code>" }
                .joined(separator: " ")
            html += "</span></li>\n"
        }
        html += "</ul>\n"
        if !found.problems.isEmpty { html += "<h2>Problems</h2>\n<ul>\n\(Self.problems(found.problems))</ul>\n" }
        return html
    }

    /// What the `type` of a problem leads to: what it means, and what to do.
    private static func meaning(of kind: ProblemKind) -> String {
        "<p>Code <code>\(HTMLPage.escape(kind.code))</code>, usually with status \(kind.status).</p>\n"
            + "<h2>What it means</h2>\n" + Markdown().html(kind.meaning)
            + "<h2>What to do</h2>\n" + Markdown().html(kind.remedy)
    }

    private static func problems(_ kinds: [ProblemKind]) -> String {
        kinds.map { "<li>\(OperationSection.problem($0.code)) \(HTMLPage.escape($0.title))</li>\n" }.joined()
    }
}

/// What stands beside each page below `/docs`: one search for all, then all articles and all operations. With a query
/// only what was found is listed.
struct DocsColumn {
    let document: APIDocument
    let guide: Guide
    let found: DocsFindings

    func html(at place: DocsPlace, query: String) -> String {
        let isSearch = !query.isEmpty
        let home = place == .start && !isSearch ? " aria-current=\"page\"" : ""
        let groups = articles(at: place, query, isSearch) + operations(at: place, query, isSearch)
        return """
            <a class="home" href="/docs"\(home)>Parley</a>
            <form role="search" action="/docs"><label for="search">Search articles and operations</label>
            <input type="search" id="search" name="q" maxlength="100" autocomplete="off" placeholder="Press /" \
            value="\(HTMLPage.escape(query))"></form>
            <p class="found" role="status">\(isSearch ? found.count : "")</p>
            <a class="menu" href="#index">Contents</a>
            <div id="index"\(isSearch ? " class=\"searching\"" : "")>
            \(groups)</div>

            """
    }

    private func articles(at place: DocsPlace, _ query: String, _ isSearch: Bool) -> String {
        if isSearch {
            let links = found.articles.map { item(.article($0.article.name), $0.article.title, query, place) }
            return links.isEmpty ? "" : group("Articles", links, isOpen: true)
        }
        return guide.chapters.map { chapter in
            let links = chapter.articles.map { item(.article($0.name), $0.title, query, place) }
            let isOpen = chapter.articles.contains { place == .article($0.name) }
            return group(HTMLPage.escape(chapter.title), links, isOpen: isOpen || place == .start)
        }.joined()
    }

    private func operations(at place: DocsPlace, _ query: String, _ isSearch: Bool) -> String {
        let groups = document.tags.compactMap { tag -> String? in
            let wanted = isSearch ? tag.operations.filter { found.operations[$0.id] != nil } : tag.operations
            if wanted.isEmpty { return nil }
            var links = wanted.map { "<li>\(Self.link($0, query))</li>\n" }
            if !isSearch { links.insert(item(.tag(tag.name), tag.description, query, place), at: 0) }
            return group(Self.title(tag.name), links, isOpen: isSearch || place == .tag(tag.name))
        }
        return groups.isEmpty ? "" : "<p class=\"part\">Operations</p>\n" + groups.joined()
    }

    private func group(_ title: String, _ links: [String], isOpen: Bool) -> String {
        "<details\(isOpen ? " open" : "")><summary>\(title)</summary>\n<ul>\n\(links.joined())</ul></details>\n"
    }

    private func item(_ target: DocsPlace, _ title: String, _ query: String, _ place: DocsPlace) -> String {
        let mark = target == place ? " aria-current=\"page\"" : ""
        return "<li><a href=\"\(target.path)\(Self.suffix(query))\"\(mark)>\(Markdown().inline(title))</a></li>\n"
    }

    /// A link to an operation, on a page whose column still lists what was found.
    static func link(_ operation: APIOperation, _ query: String) -> String {
        let address = "\(DocsPlace.tag(operation.tag).path)\(suffix(query))#\(HTMLPage.escape(operation.id))"
        return "<a href=\"\(address)\"><span class=\"method\">\(operation.method.rawValue)</span> "
            + "\(HTMLPage.escape(operation.summary))</a>"
    }

    /// What keeps the words of a search in an address.
    static func suffix(_ query: String) -> String { query.isEmpty ? "" : "?q=\(query.percentEncoded)" }

    static func title(_ tag: String) -> String { HTMLPage.escape(tag.prefix(1).uppercased() + tag.dropFirst()) }
}

/// A page below `/docs`. All have the same column beside them.
enum DocsPlace: Hashable, Sendable {
    /// `/docs`: what Parley is for, and what there is to read. With a query it shows what was found.
    case start
    /// The operations of a tag.
    case tag(String)
    /// An article, by its exact name.
    case article(String)
    /// A kind of problem, by its code.
    case problem(String)

    /// Where the page is.
    var path: String {
        switch self {
        case .start: "/docs"
        case .tag(let name): "/docs/api/\(name.percentEncoded)"
        case .article(let name): "/docs/\(name.percentEncoded)"
        case .problem(let code): "/docs/problems/\(code.percentEncoded)"
        }
    }
}
