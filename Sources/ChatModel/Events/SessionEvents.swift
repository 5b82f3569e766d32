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

/// What is known of a customer is another than before: names, e-mail address, custom fields, or the agents' notes. It
/// is for the desk alone, whose copy also has the channel, and the customer as they are now.
///
/// ``EventCause/changed`` names what is another. Custom fields and notes are not part of the event.
public struct CustomerUpdatedEvent: FeedEvent {
    public static let type = EventType.customerUpdated

    public var id: String
    public var cause: EventCause

    public init(id: String, by cause: EventCause) {
        self.id = id
        self.cause = cause
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        cause.encode(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        cause = try EventCause(json: json)
    }
}

/// The customer is to be shown something that is no message.
public struct ProactiveEvent: FeedEvent {
    public static let type = EventType.proactive

    public enum Content: Sendable, Hashable {
        /// Shown in its thread. It is logged.
        case inactivityPopup(InactivityPopup, threadID: String)
        /// Belongs to no thread. It is live only.
        case customPopupBox(CustomPopupBox)
    }

    public var content: Content

    public init(_ content: Content) { self.content = content }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        switch content {
        case .inactivityPopup(let popup, let threadID):
            json.member("threadId", threadID)
            json.member("type", "inactivityPopup")
            json.member("inactivityPopup", popup)
        case .customPopupBox(let box):
            json.member("type", "customPopupBox")
            json.member("customPopupBox", box)
        }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        switch try json.requiredString("type") {
        case "inactivityPopup":
            let popup = try InactivityPopup(json: json["inactivityPopup"] ?? .null)
            content = .inactivityPopup(popup, threadID: try json.requiredString("threadId"))
        case "customPopupBox": content = .customPopupBox(try CustomPopupBox(json: json["customPopupBox"] ?? .null))
        default: throw ModelError(member: "type")
        }
    }
}

/// A box that the platform wants to be shown beside the conversation (the SDK's `customPopupBox`).
public struct CustomPopupBox: CanonicalJSON, Hashable {
    /// The platform's name for the action, and its name for people.
    public var actionID: String
    public var actionName: String
    public var heading: String?
    public var text: String?
    public var buttonText: String?
    /// Where the button leads, as the platform wrote it. It is not checked.
    public var buttonURL: String?

    public init(
        actionID: String, actionName: String, heading: String? = nil, text: String? = nil, buttonText: String? = nil,
        buttonURL: String? = nil
    ) {
        self.actionID = actionID
        self.actionName = actionName
        self.heading = heading
        self.text = text
        self.buttonText = buttonText
        self.buttonURL = buttonURL
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("actionId", actionID)
        json.member("actionName", actionName)
        json.member("heading", heading)
        json.member("text", text)
        json.member("buttonText", buttonText)
        json.member("buttonUrl", buttonURL)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        actionID = try json.requiredString("actionId")
        actionName = try json.requiredString("actionName")
        heading = json["heading"]?.string
        text = json["text"]?.string
        buttonText = json["buttonText"]?.string
        buttonURL = json["buttonUrl"]?.string
    }
}
