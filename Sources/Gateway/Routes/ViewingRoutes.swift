import Chat
import ChatModel
import MicroHTTP

/// What a session has on its screen, so that it is told of what it has not.
struct ViewingRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(.put, "/v1/sessions/{session}/viewing", "setViewing", access: .session, body: .json, handler: .later { call in
                let body: ViewingBody = try call.body()
                try await call.client().show(body.threadID)
                return call.noContent()
            }),
        ]
    }
}

/// `{"threadId"?}`
struct ViewingBody: RequestBody {
    let threadID: String?

    init(reading object: inout ObjectReader) { threadID = object.optionalID("threadId") }
}
