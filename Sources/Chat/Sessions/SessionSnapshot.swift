import ChatModel
import Formats

/// A session as it is at one moment.
public struct SessionSnapshot: Sendable {
    public var id: String
    public var service: String
    public var channel: Channel
    public var customer: Customer
    public var state: ChatState
    public var mode: ChatMode
    public var createdAt: Timestamp
    /// When somebody used it last, to the minute.
    public var lastUsedAt: Timestamp
    public var resendPolicy: ResendPolicy
    /// Whether the background's work is stopped; nil where there is none, on the embedded service.
    public var isPaused: Bool?
    /// Why the session is not connected: what its last attempt, or its connection, failed with.
    public var connectionError: ChatError?
    /// When the next attempt begins by itself.
    public var nextAttemptAt: Timestamp?

    /// The session's JSON.
    ///
    /// - Parameters:
    ///   - cursor: the position in the log from which to follow.
    ///   - token: what opens the session; given out once, when it is made.
    public func json(cursor: Cursor, token: String? = nil) -> [UInt8] {
        var json = JSONWriter()
        json.beginObject()
        json.member("id", id)
        json.member("service", service)
        json.member("channel", channel)
        json.member("customer", customer)
        json.member("state", state.rawValue)
        json.member("mode", mode.rawValue)
        if let connectionError { json.member("connectionError", Failure(connectionError)) }
        if let nextAttemptAt { json.member("nextAttemptAt", nextAttemptAt) }
        json.member("createdAt", createdAt)
        json.member("lastUsedAt", lastUsedAt)
        json.member("resend", resendPolicy)
        if let isPaused { json.member("sync", isPaused ? "paused" : "running") }
        json.member("cursor", cursor.description)
        json.member("token", token)
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    /// `{"policy","attempts"?}`
    fileprivate mutating func member(_ name: StaticString, _ policy: ResendPolicy) {
        self.name(name)
        beginObject()
        member("policy", policy.name)
        if case .automatic(let attempts) = policy { member("attempts", attempts) }
        endObject()
    }
}
