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
