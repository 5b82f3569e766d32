import Chat
import ChatModel
import HTTPRouting
import MicroHTTP

/// The local cache of a remote service: to pause its synchronization, to empty it, and to resend messages that failed.
///
/// The embedded service has no cache, and its messages do not fail. There, emptying the cache only resets the
/// collections.
struct SynchronizationRoutes: RouteGroup {
    private static let session = "/v1/sessions/{session}"

    var routes: [Route] {
        [
            Route(
                .post, "\(Self.session)/sync", "syncSession", access: .session(.sessionsWrite), body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let body: SyncBody = try call.body()
                    let client = try call.client()
                    client.setSynchronization(isPaused: body.state == .paused)
                    let cursor = call.headCursor
                    return call.session(await client.snapshot(), cursor: cursor)
                }),
            Route(
                .post, "\(Self.session)/clearCache", "clearSessionCache", access: .session(.sessionsWrite),
                idempotency: .recorded,
                handler: .aside { call in
                    try await call.client().clearCache()
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.session)/threads/{thread}/messages/{message}/resend", "resendMessage",
                access: .session(.sessionsWrite),
                idempotency: .carried,
                handler: .aside { call in
                    let (thread, message) = (call.parameters["thread"], call.parameters["message"])
                    return call.outcome(try await call.client().resend(message, in: thread, receipt: call.receipt))
                }),
        ]
    }
}

/// `{"state": "running" | "paused"}`: whether the background work of the cache goes on.
struct SyncBody: RequestBody {
    enum State: String, CaseIterable { case running, paused }

    let state: State?

    init(reading object: inout ObjectReader) { state = object.requiredChoice("state", of: State.allCases) }
}

/// `{"policy": "none" | "manual" | "automatic", "attempts"?}`: what happens to messages that could not be sent. Only
/// `automatic` takes `attempts`.
struct ResendBody: RequestBody {
    private enum Name: String, CaseIterable { case none, manual, automatic }

    /// `automatic` tries 10 times by default, and 1 to 50 times on demand.
    let policy: ResendPolicy

    init(reading object: inout ObjectReader) {
        let name = object.requiredChoice("policy", of: Name.allCases)
        let attempts = object.optionalInteger("attempts", in: ResendPolicy.attemptsRange)
        switch name {
        case .none?: policy = .none
        case .manual?, nil: policy = .manual
        case .automatic?: policy = .automatic(attempts: attempts ?? ResendPolicy.defaultAttempts)
        }
        if attempts != nil, name != .automatic {
            object.reject("attempts", "attempts are allowed only with the policy automatic")
        }
    }
}
