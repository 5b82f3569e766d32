import Formats
import Gateway
import HTTPRouting

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
