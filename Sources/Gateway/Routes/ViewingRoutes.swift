import Chat
import ChatModel
import MicroHTTP

/// What a session has on its screen, so that it is told of what it has not.
struct ViewingRoutes: RouteGroup {
    private static let path = "/v1/sessions/{session}/viewing"

    var routes: [Route] {
        [
            Route(.get, Self.path, "getViewing", access: .session, handler: .now { call in
                let screen = try call.client().screen
                return call.json { json in
                    json.beginObject()
                    json.member("notifies", screen != nil)
                    json.member("threadId", screen.flatMap { $0 })
                    json.endObject()
                }
            }),
            Route(.put, Self.path, "setViewing", access: .session, body: .json, handler: .later { call in
                let body: ViewingBody = try call.body()
                try await call.client().show(body.threadID)
                return call.noContent()
            }),
            Route(.delete, Self.path, "deleteViewing", access: .session, handler: .now { call in
                try call.client().hideScreen()
                return call.noContent()
            }),
        ]
    }
}

/// `{"threadId"?}`: absent or null where no thread is in view.
struct ViewingBody: RequestBody {
    let threadID: String?

    init(reading object: inout ObjectReader) {
        let value = object.optional("threadId")
        threadID = value == .null ? nil : object.identifier(value, "threadId")
    }
}
