import Formats

/// The session's state has changed, or an attempt to connect has failed.
public struct ChatUpdatedEvent: FeedEvent {
    public static let type = EventType.chatUpdated

    public var state: ChatState
    /// Nil once the session is deleted.
    public var mode: ChatMode?
    /// Why the session is not connected.
    public var connectionError: Failure?
    /// When the session tries to connect again by itself.
    public var nextAttemptAt: Timestamp?

    public init(
        state: ChatState, mode: ChatMode? = nil, connectionError: Failure? = nil, nextAttemptAt: Timestamp? = nil
    ) {
        self.state = state
        self.mode = mode
        self.connectionError = connectionError
        self.nextAttemptAt = nextAttemptAt
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("state", state.rawValue)
        json.member("mode", mode?.rawValue)
        if let connectionError { json.member("connectionError", connectionError) }
        if let nextAttemptAt { json.member("nextAttemptAt", nextAttemptAt) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        state = try json.requiredCase("state")
        mode = try json.optionalCase("mode")
        connectionError = try json.optional("connectionError")
        nextAttemptAt = try json.optionalTimestamp("nextAttemptAt")
    }
}

/// The session has loaded its threads after it connected.
public struct ThreadsLoadedEvent: FeedEvent {
    public static let type = EventType.threadsLoaded

    /// How many threads there are.
    public var count: Int

    public init(count: Int) { self.count = count }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("count", count)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) { count = Int(clamping: try json.requiredInteger("count")) }
}

/// Something failed that no request waits for.
public struct ErrorEvent: FeedEvent {
    public static let type = EventType.error

    /// A code of ``ChatError``.
    public var code: String
    public var detail: String
    /// The chat goes on all the same. Absent if false.
    public var isSoft: Bool

    public init(_ error: ChatError) {
        code = error.code.rawValue
        detail = error.detail
        isSoft = error.isSoft
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("code", code)
        json.member("detail", detail)
        if isSoft { json.member("soft", true) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        code = try json.requiredString("code")
        detail = try json.requiredString("detail")
        isSoft = json["soft"]?.bool ?? false
    }
}
