import Bounds
import Gateway
import HTTPRouting
import MicroHTTP

typealias Call = Gateway.Call
typealias Route = Gateway.Route

/// The pages, the guide and the API's description, as they are served.
package struct Documents: Sendable {
    let files: PageFiles
    let guide: Guide
    let description: APIDescription
    /// The turns of pages below `/docs`, and of the document, that have to be made. One at a time is made, so the holders
    /// take turns: strangers who ask for a thousand pages keep nobody waiting but for the one that is being made.
    package let turns = PlaceLine(limit: 1, waiting: 512)

    /// Throws when a file cannot be read.
    ///
    /// - Parameters:
    ///   - pages: the path of the folder `web/`; nil to serve no pages.
    ///   - guide: the DocC catalogue with the guide's articles, whose page `Parley.md` lists them; nil serves no guide.
    ///   - document: the path of the file `openapi/openapi.yaml`; nil to serve no API description.
    package init(pages: String?, guide: String?, document: String?) throws {
        files = try PageFiles(folder: pages)
        self.guide = try guide.map { try Guide(folder: $0) } ?? Guide()
        description = try APIDescription(path: document, guide: self.guide)
    }

    /// What the customers' pages say, in all languages.
    package var customerTexts: CustomerTexts { CustomerTexts(files: files.contents(of: "texts")) }

    /// The routes of all pages.
    ///
    /// - Parameter others: groups that may answer a request to `/` for another protocol.
    package func groups(beside others: [any RouteGroup<GatewayCore>]) -> [any RouteGroup<GatewayCore>] {
        [
            RequestRoutes(), DocumentRoutes(documents: self), WidgetRoutes(documents: self),
            PageRoutes(documents: self) { request in
                for group in others { if let answer = await group.upgrade(request) { return answer } }
                return nil
            },
        ]
    }
}

/// The API's description: the OpenAPI document, the guide, and pages made from both and from the table of problems.
private struct DocumentRoutes: RouteGroup {
    let documents: Documents

    var routes: [Route] {
        let documents = documents
        return [
            Route(
                .get, "/openapi.json", "getOpenAPI", access: .open,
                handler: .aside { call in
                    try documents.checkTurn(call)
                    return nil
                } run: { call in
                    let file = try await documents.inTurn(call) {
                        try await documents.description.document(origin: call.request.origin)
                    }
                    guard let file else {
                        throw Problem(.notFound, "This gateway was started without its OpenAPI document.")
                    }
                    return file.response(to: call.request)
                }),
            Route(
                .get, "/docs", "getDocs", access: .open, query: .only(["q"]),
                handler: Self.page(documents) { _ in .start }),
            Route(
                .get, "/docs/api/{tag}", "getReference", access: .open, query: .only(["q"]),
                handler: Self.page(documents) { .tag($0.parameters["tag"]) }),
            Route(
                .get, "/docs/{article}", "getArticle", access: .open, query: .only(["q"]),
                handler: .aside { call in
                    try Self.keptPage(call, .article(call.parameters["article"]), documents)
                } run: { call in
                    try await Self.article(call, documents)
                }),
            Route(
                .get, "/docs/problems/{code}", "getProblemDocs", access: .open,
                handler: Self.page(documents) { .problem($0.parameters["code"]) }),
        ]
    }

    /// A page below `/docs`. One that was made before is answered at once, and takes no place.
    private static func page(
        _ documents: Documents, _ place: @escaping @Sendable (Call) -> DocsPlace
    ) -> Route.Handler {
        .aside { call in
            try keptPage(call, place(call), documents)
        } run: { call in
            try await page(call, place(call), documents)
        }
    }

    /// The page if it was made before; nil when it has to be made. Throws when its sender would have to wait and may not.
    private static func keptPage(_ call: Call, _ place: DocsPlace, _ documents: Documents) throws -> HTTPResponse? {
        let query = try call.query.text("q", length: 0...100) ?? ""
        if let page = documents.description.keptPage(place, query: query, origin: call.request.origin) {
            return page.response(to: call.request)
        }
        try documents.checkTurn(call)
        return nil
    }

    /// `Webhooks` is the page, `Webhooks.md` its Markdown. An address that only means an article leads to it.
    private static func article(_ call: Call, _ documents: Documents) async throws -> HTTPResponse {
        let name = call.parameters["article"]
        let ending = name.hasSuffix(".md") ? ".md" : ""
        guard let article = documents.guide.article(meaning: String(name.dropLast(ending.count))) else {
            throw Problem(.notFound, "The guide has no article of this name. /docs lists all, and has a search.")
        }
        guard article.name + ending == name else {
            let query = call.query["q"].map(DocsColumn.suffix) ?? ""
            let path = DocsPlace.article(article.name).path + ending + query
            return HTTPResponse(status: 308, headers: [("Location", path)])
        }
        if !ending.isEmpty { return article.markdown.response(to: call.request) }
        return try await page(call, .article(article.name), documents)
    }

    private static func page(_ call: Call, _ place: DocsPlace, _ documents: Documents) async throws -> HTTPResponse {
        let query = try call.query.text("q", length: 0...100) ?? ""
        let page = try await documents.inTurn(call) {
            try await documents.description.page(place, query: query, origin: call.request.origin)
        }
        guard let page else { throw Problem(.notFound, "There is no such page. /docs lists all.") }
        return page.response(to: call.request)
    }
}

extension Documents {
    private static let pages = "pages of the docs"

    /// Refuses at once whom ``inTurn(_:_:)`` would refuse: a task for each of a thousand strangers would keep the tasks
    /// of others waiting.
    fileprivate func checkTurn(_ call: Call) throws(Problem) {
        if let refusal = turns.refusal(of: call.sender) { throw Problem(refusal, of: Self.pages) }
    }

    /// Makes a page when its turn among the holders' has come. A request whose client has left gives its turn up.
    fileprivate func inTurn<T: Sendable>(_ call: Call, _ make: @Sendable () async throws -> T) async throws -> T {
        try await turns.holding(call.sender, for: Self.pages, make)
    }
}
