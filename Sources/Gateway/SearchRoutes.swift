import Bounds
import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// Search in all messages of a session. The search in one thread is part of its list of messages (`?q=`).
struct SearchRoutes: RouteGroup {
    /// The parameters of every search.
    static let query = Route.Query.only(["q", "limit", "cursor"] + QueryReader.timeNames, repeatable: lists)
    /// Those of them that may come several times; what they list adds up.
    static let lists = ["types", "senderKinds", "senderIds"]
    /// Those that only a search has.
    fileprivate static let own = ["q"] + lists

    var routes: [Route] {
        [
            Route(
                .get, "/v1/sessions/{session}/search", "searchSession", access: .session(.sessionsRead),
                query: Self.query,
                handler: .aside { call in try await call.found(in: nil, call.client()) })
        ]
    }

    /// The same search at the desk: in the messages of all customers.
    static func routes(of desk: any DeskService) -> [Route] {
        [
            Route(
                .get, "/v1/desk/search", "searchDesk", access: .scope(.deskRead), query: query,
                handler: .aside { call in try await call.found(in: nil, desk) })
        ]
    }
}

extension QueryReader {
    /// The most Unicode code points that a search text has.
    private static let maximumLength = 256

    /// The search text, `?q=`. Throws `invalidParameter` when it is missing, empty or too long.
    fileprivate func searched() throws(Problem) -> String {
        guard let text = self["q"], (1...Self.maximumLength).contains(text.unicodeScalars.count) else {
            throw Problem.parameter("q", "1 to \(Self.maximumLength) characters were expected")
        }
        return text
    }

    /// What is asked of a message besides its words. Throws `invalidParameter`.
    fileprivate func searchFilter() throws(Problem) -> SearchFilter {
        SearchFilter(
            types: try choices("types"), senderKinds: try choices("senderKinds"),
            senderIDs: try list("senderIds").map(Set.init))
    }
}

extension Call {
    /// Whether a list of messages is asked for those that have words. The filters of a search do nothing without words,
    /// so they need them.
    var isSearch: Bool { SearchRoutes.own.contains { query[$0] != nil } }

    /// Searches when its turn has come, and answers with what was found.
    ///
    /// - Parameter thread: nil for all of the session's threads.
    func found(in thread: String?, _ client: ChatClient) async throws -> HTTPResponse {
        let (text, filter, page) = (try query.searched(), try query.searchFilter(), try query.page())
        return found(
            try await core.searches.holding(identity.holder, for: "searches") {
                try await client.search(for: text, where: filter, in: thread, page: page)
            })
    }

    /// The same at the desk.
    func found(in thread: DeskThread?, _ desk: any DeskService) async throws -> HTTPResponse {
        let (text, filter, page) = (try query.searched(), try query.searchFilter(), try query.page())
        return found(
            try await core.searches.holding(identity.holder, for: "searches") {
                try await desk.search(for: text, where: filter, in: thread, within: rights.channels, page: page)
            })
    }

    /// A page of search results; 304 when the client has it. `Link` and `next` lead to further results only, never
    /// back.
    private func found(_ page: SearchPage) -> HTTPResponse {
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
