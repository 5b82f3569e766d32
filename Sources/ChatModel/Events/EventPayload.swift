import Formats

/// The data of an event: the JSON object that a stream sends behind `data:`.
///
/// Each schema of an event in the OpenAPI document has one such type: `EventMessageCreated` is ``MessageCreatedEvent``,
/// `EventReadyCombined` is ``ReadyCombinedEvent``. A test compares the members of both.
public protocol EventPayload: CanonicalJSON {
    /// The name of the event, which a stream sends behind `event:`.
    static var name: String { get }

    /// About how many bytes the JSON has. With a good guess the JSON is written without copying it again.
    var expectedSize: Int { get }
}

extension EventPayload {
    public var expectedSize: Int { 256 }

    /// The JSON object, in canonical JSON.
    public var data: [UInt8] {
        var json = JSONWriter(reservingCapacity: expectedSize)
        encode(to: &json)
        return json.bytes
    }
}

/// The data of an event that goes through the store's event feed: it is logged, or published for live streams only.
///
/// All other events are written by a stream itself: ``ReadyEvent``, ``PingEvent``, those of collections, and so on.
public protocol FeedEvent: EventPayload {
    static var type: EventType { get }
}

extension FeedEvent {
    public static var name: String { type.rawValue }
}

/// A value together with its canonical JSON, so that a row and an event share bytes that were written once.
public struct Encoded<Value: CanonicalJSON>: CanonicalJSON {
    public let value: Value
    /// Nil after reading: nobody may ask for the bytes.
    private let written: [UInt8]?

    public init(_ value: Value) {
        self.value = value
        // Most messages and threads fit, so that nothing is copied while they are written.
        var json = JSONWriter(reservingCapacity: 1024)
        value.encode(to: &json)
        written = json.bytes
    }

    public init(json: JSONValue) throws(ModelError) {
        value = try Value(json: json)
        written = nil
    }

    /// The canonical JSON. Of a value that was read from JSON it is written at each call.
    public var bytes: [UInt8] { written ?? value.canonicalJSON }

    public func encode(to json: inout JSONWriter) {
        if let written { json.raw(written) } else { value.encode(to: &json) }
    }
}

extension JSONWriter {
    /// Writes a value that was read, with its members in their order.
    mutating func copy(_ value: JSONValue) {
        switch value {
        case .null: raw("null" as StaticString)
        case .bool(let flag): self.value(flag)
        case .integer(let number): self.value(number)
        case .number(let number): raw(Array("\(number)".utf8))
        case .string(let text): self.value(text)
        case .array(let items):
            beginArray()
            for item in items { copy(item) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                name(member.name)
                copy(member.value)
            }
            endObject()
        }
    }
}

/// The events that go through the store's event feed, by their names on the wire.
public enum EventType: String, Sendable, CaseIterable {
    /// Those that streams show.
    public static let allCases: [EventType] = [
        .chatUpdated, .threadsLoaded, .threadCreated, .threadUpdated, .threadRemoved, .messageCreated, .messageUpdated,
        .messageRemoved, .threadInfo, .noteCreated, .noteRemoved, .typing, .queueUpdated, .notification, .unreadUpdated,
        .proactive, .webhookUpdated, .pushSimulated, .answerUpdated, .customerUpdated, .presenceUpdated, .tagUpdated,
        .channelUpdated, .error,
    ]

    case chatUpdated = "chat.updated"
    case threadsLoaded = "threads.loaded"
    case threadCreated = "thread.created"
    case threadUpdated = "thread.updated"
    case threadRemoved = "thread.removed"
    case messageCreated = "message.created"
    case messageUpdated = "message.updated"
    case messageRemoved = "message.removed"
    case threadInfo = "thread.info"
    case noteCreated = "note.created"
    case noteRemoved = "note.removed"
    case typing
    case queueUpdated = "queue.updated"
    case notification
    case unreadUpdated = "unread.updated"
    case proactive
    case webhookUpdated = "webhook.updated"
    case pushSimulated = "push.simulated"
    case answerUpdated = "answer.updated"
    case customerUpdated = "customer.updated"
    case presenceUpdated = "presence.updated"
    case tagUpdated = "tag.updated"
    case channelUpdated = "channel.updated"
    case error
    /// For other programs alone: no stream shows it, and no filter names it.
    case callback = "platform.callback"

    /// The type of the event's data.
    public var payload: any FeedEvent.Type {
        switch self {
        case .chatUpdated: ChatUpdatedEvent.self
        case .threadsLoaded: ThreadsLoadedEvent.self
        case .threadCreated: ThreadCreatedEvent.self
        case .threadUpdated: ThreadUpdatedEvent.self
        case .threadRemoved: ThreadRemovedEvent.self
        case .messageCreated: MessageCreatedEvent.self
        case .messageUpdated: MessageUpdatedEvent.self
        case .messageRemoved: MessageRemovedEvent.self
        case .threadInfo: ThreadInfoEvent.self
        case .noteCreated: NoteCreatedEvent.self
        case .noteRemoved: NoteRemovedEvent.self
        case .typing: TypingEvent.self
        case .queueUpdated: QueueUpdatedEvent.self
        case .notification: NotificationEvent.self
        case .unreadUpdated: UnreadUpdatedEvent.self
        case .proactive: ProactiveEvent.self
        case .webhookUpdated: WebhookUpdatedEvent.self
        case .pushSimulated: PushSimulatedEvent.self
        case .answerUpdated: AnswerUpdatedEvent.self
        case .customerUpdated: CustomerUpdatedEvent.self
        case .presenceUpdated: PresenceUpdatedEvent.self
        case .tagUpdated: TagUpdatedEvent.self
        case .channelUpdated: ChannelUpdatedEvent.self
        case .error: ErrorEvent.self
        case .callback: CallbackEvent.self
        }
    }
}

/// Who made the change that an event tells of, and what it changed.
///
/// Both members stand before the thread or the message of the event. Events from before these members have neither.
public struct EventCause: Sendable, Hashable {
    /// Nil where a remote platform does not say who it was.
    public var actor: Author?
    /// The names of the members whose values are others than before for at least one reader, in the order in which
    /// the resource has them. `updatedAt`, and what only repeats another member, are never named. Nil for events that
    /// tell of no change: of what is new, or gone.
    public var changed: [String]?

    public static let unknown = EventCause()

    public init(actor: Author? = nil, changed: [String]? = nil) {
        self.actor = actor
        self.changed = changed
    }

    /// About how many bytes its members take.
    var expectedSize: Int { (actor == nil ? 0 : 128) + (changed.map { 16 + 20 * $0.count } ?? 0) }

    /// Writes the members into the event's object.
    func encode(to json: inout JSONWriter) {
        if let actor { json.member("actor", actor) }
        if let changed { json.member("changed", texts: changed) }
    }

    /// Reads the members of the event's object.
    init(json: JSONValue) throws(ModelError) {
        actor = try json.optional("actor")
        changed = json["changed"] == nil ? nil : try json.requiredTexts("changed")
    }
}
