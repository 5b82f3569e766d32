import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// Search in all messages of a session. The search in one thread is part of its list of messages (`?q=`).
struct SearchRoutes: RouteGroup {
    /// The parameters of every search.
    static let query = Route.Query.only(["q", "limit", "cursor"])

    var routes: [Route] {
        [
            Route(
                .get, "/v1/sessions/{session}/search", "searchSession", access: .session, query: Self.query,
                handler: .later { call in
                    try await call.found(
                        call.client().search(for: call.query.searched(), in: nil, page: call.query.page()))
                })
        ]
    }

    /// The same search at the desk: in the messages of all customers.
    static func routes(of desk: any DeskService) -> [Route] {
        [
            Route(
                .get, "/v1/desk/search", "searchDesk", access: .gateway, query: query,
                handler: .later { call in
                    try await call.found(desk.search(for: call.query.searched(), in: nil, page: call.query.page()))
                })
        ]
    }
}

extension QueryReader {
    /// The most Unicode code points that a search text has.
    private static let maximumLength = 256

    /// The search text, `?q=`. Throws `invalidParameter` when it is missing, empty or too long.
    func searched() throws(Problem) -> String {
        guard let text = self["q"], (1...Self.maximumLength).contains(text.unicodeScalars.count) else {
            throw Problem.parameter("q", "1 to \(Self.maximumLength) characters were expected")
        }
        return text
    }
}

extension Call {
    /// A page of search results; 304 when the client has it. `Link` and `next` lead to further results only, never
    /// back.
    func found(_ page: SearchPage) -> HTTPResponse {
        let cursor = cursor(page.offset).description
        // The results depend on the messages and on how far the index has been built. The version covers only the
        // former, so the tag covers the answer too.
        let tag = EntityTag(version: page.offset, target: request.target, content: page.body)
        var headers = [("ETag", tag.text), ("Parley-Cursor", cursor), Self.revalidate]
        if isFresh(tag) { return HTTPResponse(status: 304, headers: headers) }
        if let link = links(next: page.next, prev: nil) { headers.append(("Link", link)) }
        return json(page.body + Array(",\"cursor\":\"\(cursor)\"}".utf8), headers: headers)
    }
}
