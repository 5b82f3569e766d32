import Formats

/// Whether a channel's customers are answered at a moment, and when they will be.
public struct Opening: Sendable, Hashable {
    public var isOpen: Bool
    /// When the channel opens; nil while it is open, and where nobody knows.
    public var next: Timestamp?

    public static let open = Opening(isOpen: true)

    public init(isOpen: Bool, next: Timestamp? = nil) {
        self.isOpen = isOpen
        self.next = isOpen ? nil : next
    }

    /// Writes the members `isOpen` and `nextOpening` into an object.
    func encodeMembers(to json: inout JSONWriter) {
        json.member("isOpen", isOpen)
        if let next { json.member("nextOpening", next) }
    }

    /// Nil for an object without these members.
    init?(members json: JSONValue) {
        guard let isOpen = json["isOpen"]?.bool else { return nil }
        self.init(isOpen: isOpen, next: json["nextOpening"]?.string.flatMap(Timestamp.init(rfc3339:)))
    }
}

/// A channel has opened or closed, or its settings have changed. It is for the channel's customers and for the desk, and live
/// only.
public struct ChannelUpdatedEvent: FeedEvent {
    public static let type = EventType.channelUpdated

    public var id: String
    public var opening: Opening

    public init(id: String, opening: Opening) {
        self.id = id
        self.opening = opening
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        opening.encodeMembers(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        guard let opening = Opening(members: json) else { throw ModelError(member: "isOpen") }
        self.opening = opening
    }
}

/// What customers meet while their channel is closed.
public struct ClosedHours: CanonicalJSON, Hashable {
    /// What becomes of new live chats.
    public enum Chats: String, Sendable, CaseIterable {
        /// They are refused, as while the channel is offline.
        case close
        /// They wait in the queue.
        case queue
    }

    /// The most languages of the answer, and the most characters of each.
    public static let maximumLanguages = 20, maximumAnswerLength = 2000

    /// What a customer is told who writes then, by language; empty for nothing.
    public var answer: [String: String] = [:]
    /// Whether the widget asks for an e-mail address.
    public var asksEmail = false
    /// Whether pages hide the widget's button.
    public var hidesBubble = false
    public var chats = Chats.close

    public init() {}

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        if !answer.isEmpty { json.member("answer", answer) }
        json.member("askEmail", asksEmail)
        json.member("hideBubble", hidesBubble)
        json.member("chats", chats.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        answer = json["answer"] == nil ? [:] : try json.requiredStrings("answer")
        asksEmail = json["askEmail"]?.bool ?? false
        hidesBubble = json["hideBubble"]?.bool ?? false
        chats = json["chats"]?.string.flatMap(Chats.init) ?? .close
    }

    /// The answer for a customer who reads these languages, the most wanted first; else in the first of the channel's
    /// languages that it has, else in English, else in any. Nil if there is none.
    public func answer(for wanted: [String], of channel: [String]) -> String? {
        let tags = answer.keys.sorted()
        let found = (wanted + channel + ["en"]).lazy.compactMap { LanguageTag.find($0, in: tags) }.first
        return (found ?? tags.first).flatMap { answer[$0] }
    }
}
