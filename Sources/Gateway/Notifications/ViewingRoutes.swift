import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// What a session has on its screens, so that it is told of what it has not.
struct ViewingRoutes: RouteGroup {
    private static let path = "/v1/sessions/{session}/viewing"

    var routes: [Route] {
        [
            Route(.get, Self.path, "getViewing", access: .session, handler: .now { call in
                let client = try call.client()
                let (screens, knownSince) = (client.screens, client.screensKnownSince)
                return call.json { Self.write(screens, knownSince: knownSince, to: &$0) }
            }),
            Route(.put, Self.path, "setViewing", access: .session, body: .json, handler: .later { call in
                let body: ViewingBody = try call.body()
                try await call.client().show(body.threadID, holder: body.holder)
                return call.noContent()
            }),
            Route(
                .delete, Self.path, "deleteViewing", access: .session, query: .only([], repeatable: ["holder"]),
                handler: .now { call in
                    let holders = try call.query.holders()
                    try call.client().hideScreens(of: holders.isEmpty ? nil : holders)
                    return call.noContent()
                }),
        ]
    }

    /// `{"notifies","threadId"?,"threadIds","screens":[{"holder"?,"threadId"?}],"knownSince"}`
    private static func write(_ screens: [Screen], knownSince: Timestamp, to json: inout JSONWriter) {
        json.beginObject()
        json.member("notifies", !screens.isEmpty)
        json.member("threadId", screens.last?.thread)
        json.name("threadIds")
        json.beginArray()
        for thread in Set(screens.compactMap(\.thread)).sorted() { json.value(thread) }
        json.endArray()
        json.name("screens")
        json.beginArray()
        for screen in screens {
            json.beginObject()
            json.member("holder", screen.holder)
            json.member("threadId", screen.thread)
            json.endObject()
        }
        json.endArray()
        json.member("knownSince", knownSince)
        json.endObject()
    }
}

/// `{"threadId"?,"holder"?}`: without a thread, or with null, none is in view.
struct ViewingBody: RequestBody {
    let threadID: String?
    let holder: String?

    init(reading object: inout ObjectReader) {
        let value = object.optional("threadId")
        threadID = value == .null ? nil : object.identifier(value, "threadId")
        holder = object.optionalID("holder")
    }
}
