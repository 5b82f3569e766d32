import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The threads that a session shows on its screens. While it has screens, it is notified of messages in the threads
/// that none of them shows.
struct ViewingRoutes: RouteGroup {
    private static let path = "/v1/sessions/{session}/viewing"

    var routes: [Route] {
        [
            Route(
                .get, Self.path, "getViewing", access: .session(.sessionsRead),
                handler: .now { call in
                    let client = try call.client()
                    let (screens, knownSince) = (client.screens, client.screensKnownSince)
                    return call.json { Self.write(screens, knownSince: knownSince, to: &$0) }
                }),
            Route(
                .put, Self.path, "setViewing", access: .session(.sessionsWrite), body: .json,
                handler: .aside { call in
                    let body: ViewingBody = try call.body()
                    try await call.client().show(body.threadID, holder: body.holder)
                    return call.noContent()
                }),
            Route(
                .delete, Self.path, "deleteViewing", access: .session(.sessionsWrite),
                query: .only([], repeatable: ["holder"]),
                handler: .now { call in
                    let holders = try call.query.holders()
                    try call.client().hideScreens(of: holders.isEmpty ? nil : holders)
                    return call.noContent()
                }),
        ]
    }

    /// Writes `{"notifies","threadId"?,"threadIds","screens":[{"holder"?,"threadId"?}],"knownSince"}`. `threadId` is
    /// that of the last screen; `threadIds` are sorted and without duplicates.
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

/// `{"threadId"?,"holder"?}`: the thread that a screen shows. Without a thread, or with null, the screen shows none.
struct ViewingBody: RequestBody {
    /// Nil: the screen shows no thread.
    let threadID: String?
    /// Whose screen it is; nil for the session's own, which does not end with a stream.
    let holder: String?

    init(reading object: inout ObjectReader) {
        let value = object.optional("threadId")
        threadID = value == .null ? nil : object.identifier(value, "threadId")
        holder = object.optionalID("holder")
    }
}
