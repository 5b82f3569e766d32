import Formats

/// What the desk alone sees of a thread. It is no part of the thread's canonical JSON: the desk's copy has it besides, and no
/// customer's operation shows it.
public struct ThreadTeam: Sendable, Hashable {
    /// The most tags of a thread.
    public static let maximumTags = 20

    /// The ids of its tags, each once.
    public var tags: [String] = []
    /// Nil while it is in the desk's list.
    public var snooze: Snooze?
    /// Since when its snooze has ended, and it stands in the desk's list among those that wait although its customer does
    /// not: somebody wanted to be reminded of it. Nil for every other thread.
    public var remindedAt: Timestamp?
    /// Nil for a thread that was made here.
    public var imported: ImportMark?

    public init() {}

    public var isEmpty: Bool { self == ThreadTeam() }

    /// Since when the thread waits in the desk's list; nil if it does not.
    public func waitingSince(_ thread: ChatThread) -> Timestamp? { thread.waitingSince ?? remindedAt }

    /// `"tags":["t1"],"snooze":{..},"waitingSince":".."` without what there is not; empty if there is nothing. The last one
    /// is ``remindedAt``: the thread itself has no such member then.
    public var members: [UInt8] { isEmpty ? [] : Array(object.dropFirst().dropLast()) }

    private var object: [UInt8] {
        var json = JSONWriter(reservingCapacity: 128)
        json.beginObject()
        if !tags.isEmpty { json.member("tags", texts: tags) }
        if let snooze { json.member("snooze", snooze) }
        if let remindedAt { json.member("waitingSince", remindedAt) }
        if let imported { json.member("imported", imported) }
        json.endObject()
        return json.bytes
    }

    /// Reads what ``members`` has written.
    public init(members: some Sequence<UInt8>) throws(ModelError) {
        let json: JSONValue
        do { json = try JSONParser.parse([UInt8(ascii: "{")] + members + [UInt8(ascii: "}")]) } catch {
            throw ModelError(member: "team")
        }
        tags = (json["tags"]?.array ?? []).compactMap(\.string)
        snooze = try json.optional("snooze")
        remindedAt = json["waitingSince"] == nil ? nil : try json.requiredTimestamp("waitingSince")
        imported = try json.optional("imported")
    }

    /// Whether a list with this filter shows the thread.
    public func passes(_ filter: SnoozeFilter) -> Bool {
        switch filter {
        case .include: true
        case .exclude: snooze == nil
        case .only: snooze != nil
        }
    }
}

/// A thread is out of the desk's list for a while.
public struct Snooze: CanonicalJSON, Hashable {
    public var until: Timestamp
    /// Who has laid it aside.
    public var by: Agent
    /// Whether the customer's next message ends it.
    public var wakesOnReply: Bool

    public init(until: Timestamp, by agent: Agent, wakesOnReply: Bool) {
        self.until = until
        by = agent
        self.wakesOnReply = wakesOnReply
    }

    /// How far ahead it may end, in milliseconds: five minutes to a year of 366 days.
    public static let lengths: ClosedRange<Int64> = 300_000...31_622_400_000

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("until", until)
        json.member("by", by)
        json.member("wakeOnReply", wakesOnReply)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        until = try json.requiredTimestamp("until")
        by = try Agent(json: json["by"] ?? .null)
        wakesOnReply = json["wakeOnReply"]?.bool ?? true
    }
}

/// A thread was written elsewhere, and came here as a whole.
public struct ImportMark: CanonicalJSON, Hashable {
    /// When it came.
    public var at: Timestamp
    /// A digest of what it was read from: the same text again changes nothing.
    public var digest: String

    public init(at: Timestamp, digest: String) { (self.at, self.digest) = (at, digest) }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("at", at)
        json.member("digest", digest)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        at = try json.requiredTimestamp("at")
        digest = try json.requiredString("digest")
    }
}

/// What a list of the desk does with threads that are snoozed.
public enum SnoozeFilter: String, Sendable, CaseIterable {
    case include, exclude, only
}

/// A word with which the desk sorts threads. Customers see none.
public struct DeskTag: CanonicalJSON, Hashable {
    /// A choice of colours that pages can show in a light and in a dark theme.
    public enum Colour: String, Sendable, CaseIterable {
        case grey, red, orange, yellow, green, teal, blue, purple, pink
    }

    /// The most tags that a desk has, and the characters of a name.
    public static let maximumCount = 500, nameLength = 1...40

    public var id: String
    public var name: String
    public var colour: Colour
    /// Its place in the list, from 0.
    public var position: Int

    public init(id: String, name: String, colour: Colour, position: Int) {
        self.id = id
        self.name = name
        self.colour = colour
        self.position = position
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("colour", colour.rawValue)
        json.member("position", position)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        colour = try json.requiredCase("colour")
        position = Int(clamping: try json.requiredInteger("position"))
    }
}

/// A tag is new, has changed, or is gone. It is for the desk, and live only.
public struct TagUpdatedEvent: FeedEvent {
    public static let type = EventType.tagUpdated

    public var id: String
    /// Nil when it is gone.
    public var tag: DeskTag?

    public init(id: String, tag: DeskTag?) {
        self.id = id
        self.tag = tag
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        if let tag { json.member("tag", tag) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        tag = try json.optional("tag")
    }
}
