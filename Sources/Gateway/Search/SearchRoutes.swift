import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// Searching a session's messages. One thread's are searched where they are listed.
struct SearchRoutes: RouteGroup {
    static let query = Route.Query.only(["q", "limit", "cursor"])

    var routes: [Route] {
        [
            Route(.get, "/v1/sessions/{session}/search", "searchSession", access: .session, query: Self.query, handler: .later { call in
                try await call.found(call.client().search(for: call.query.searched(), in: nil, page: call.query.page()))
            }),
        ]
    }

    /// The desk's.
    static func routes(of desk: any DeskService) -> [Route] {
        [
            Route(.get, "/v1/desk/search", "searchDesk", access: .gateway, query: query, handler: .later { call in
                try await call.found(desk.search(for: call.query.searched(), in: nil, page: call.query.page()))
            }),
        ]
    }
}

extension QueryReader {
    /// Characters of what is looked for, at most.
    private static let maximumLength = 256

    /// What is looked for: `q`.
    func searched() throws(Problem) -> String {
        guard let text = self["q"], (1...Self.maximumLength).contains(text.unicodeScalars.count) else {
            throw Problem.parameter("q", "1 to \(Self.maximumLength) characters were expected")
        }
        return text
    }
}

extension Call {
    /// A page of what was found.
    func found(_ page: SearchPage) -> HTTPResponse {
        let cursor = cursor(page.offset).description
        // What is found depends on the rows and on how far the index has come, which it does not say while it is built.
        let tag = EntityTag(version: page.offset, target: request.target, content: page.body)
        var headers = [("ETag", tag.text), ("Parley-Cursor", cursor), Self.revalidate]
        if isFresh(tag) { return HTTPResponse(status: 304, headers: headers) }
        if let link = links(next: page.next, prev: nil) { headers.append(("Link", link)) }
        return json(page.body + Array(",\"cursor\":\"\(cursor)\"}".utf8), headers: headers)
    }
}
