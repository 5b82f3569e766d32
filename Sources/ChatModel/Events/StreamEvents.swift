import Formats

/// What was missed has been sent. From here on the stream is live.
public struct ReadyEvent: EventPayload {
    public static let name = "ready"

    /// Everything up to this place was sent.
    public var cursor: String
    /// State and mode of the session whose stream it is; nil on the desk's stream.
    public var state: ChatState?
    public var mode: ChatMode?

    public init(cursor: String, state: ChatState? = nil, mode: ChatMode? = nil) {
        self.cursor = cursor
        self.state = state
        self.mode = mode
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("cursor", cursor)
        json.member("state", state?.rawValue)
        json.member("mode", mode?.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        cursor = try json.requiredString("cursor")
        state = try json.optionalCase("state")
        mode = try json.optionalCase("mode")
    }
}

/// The same on a stream of several sessions.
public struct ReadyCombinedEvent: EventPayload {
    public struct Session: Sendable, Hashable {
        public var id: String
        public var state: ChatState
        public var mode: ChatMode

        public init(id: String, state: ChatState, mode: ChatMode) {
            self.id = id
            self.state = state
            self.mode = mode
        }
    }

    public static let name = "ready"

    public var cursor: String
    /// In the order in which the stream's client named them.
    public var sessions: [Session]
    /// Whether the stream carries the desk's events too. Absent if not.
    public var hasDesk: Bool

    public init(cursor: String, sessions: [Session], hasDesk: Bool) {
        self.cursor = cursor
        self.sessions = sessions
        self.hasDesk = hasDesk
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("cursor", cursor)
        json.name("sessions")
        json.beginObject()
        for session in sessions {
            json.name(session.id)
            json.beginObject()
            json.member("state", session.state.rawValue)
            json.member("mode", session.mode.rawValue)
            json.endObject()
        }
        json.endObject()
        if hasDesk { json.member("desk", true) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        cursor = try json.requiredString("cursor")
        guard let members = json["sessions"]?.members else { throw ModelError(member: "sessions") }
        sessions = []
        for member in members {
            let (state, mode): (ChatState, ChatMode) = (
                try member.value.requiredCase("state"), try member.value.requiredCase("mode")
            )
            sessions.append(Session(id: member.name, state: state, mode: mode))
        }
        hasDesk = json["desk"]?.bool ?? false
    }
}

/// The events from the wanted position on cannot be sent. The client must load the state anew.
///
/// The stream goes on from now.
public struct ResetEvent: EventPayload {
    public static let name = "reset"

    /// Nil unless it is the stream of one collection.
    public var collectionID: String?
    public var reason: ResetReason
    /// The path of the state that is to be loaded.
    public var snapshot: String?

    public init(collectionID: String? = nil, reason: ResetReason, snapshot: String?) {
        self.collectionID = collectionID
        self.reason = reason
        self.snapshot = snapshot
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("collectionId", collectionID)
        json.member("reason", reason.rawValue)
        json.member("snapshot", snapshot)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        collectionID = json["collectionId"]?.string
        reason = try json.requiredCase("reason")
        snapshot = json["snapshot"]?.string
    }
}

/// Why a position cannot be followed.
public enum ResetReason: String, Sendable, CaseIterable {
    /// The log does not go back that far any more.
    case expired
    /// The position is of another database.
    case foreignEpoch
    /// The position is beyond the log's end.
    case ahead
    /// What came is no position.
    case malformed
}

/// The stream lives, and its client has everything up to the cursor.
public struct PingEvent: EventPayload {
    public static let name = "ping"

    public var cursor: String

    public init(cursor: String) { self.cursor = cursor }

    public var expectedSize: Int { 64 }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("cursor", cursor)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) { cursor = try json.requiredString("cursor") }
}

/// Whom an event concerns, as a stream of several sessions says it in front of the event's own members.
public struct EventAudience: CanonicalJSON {
    /// Absent if empty.
    public var sessions: [String]
    /// Absent if false.
    public var isDesks: Bool
    /// When the event was logged; only on a stream of all events.
    public var loggedAt: Timestamp?

    public init(sessions: [String], isDesks: Bool, loggedAt: Timestamp? = nil) {
        self.sessions = sessions
        self.isDesks = isDesks
        self.loggedAt = loggedAt
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        if !sessions.isEmpty { json.member("sessions", texts: sessions) }
        if isDesks { json.member("desk", true) }
        if let loggedAt { json.member("loggedAt", loggedAt) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        sessions = json["sessions"] == nil ? [] : try json.requiredTexts("sessions")
        isDesks = json["desk"]?.bool ?? false
        loggedAt = try json.optionalTimestamp("loggedAt")
    }
}

extension JSONValue {
    /// The case that an optional member names. Throws ``ModelError`` for a name that no case has.
    func optionalCase<T: RawRepresentable<String>>(_ name: String) throws(ModelError) -> T? {
        self[name] == nil ? nil : try requiredCase(name)
    }

    func optionalTimestamp(_ name: String) throws(ModelError) -> Timestamp? {
        self[name] == nil ? nil : try requiredTimestamp(name)
    }

    func requiredTexts(_ name: String) throws(ModelError) -> [String] {
        guard let texts = self[name]?.array?.map(\.string), !texts.contains(nil) else { throw ModelError(member: name) }
        return texts.compactMap { $0 }
    }
}

extension JSONWriter {
    public mutating func member(_ name: StaticString, texts: [String]) {
        self.name(name)
        beginArray()
        for text in texts { value(text) }
        endArray()
    }
}

/// What has opened the stream opens it no more, and the stream ends with this event. Only after ``AccessEnd/changed`` the same
/// credential opens it again.
public struct AccessEndedEvent: EventPayload {
    public static let name = "access.ended"

    public var reason: AccessEnd

    public init(reason: AccessEnd) { self.reason = reason }

    public var expectedSize: Int { 64 }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("reason", reason.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) { reason = try json.requiredCase("reason") }
}

/// Why a credential opens nothing any more.
public enum AccessEnd: String, Sendable, CaseIterable {
    /// Somebody has removed the key.
    case revoked
    /// Somebody has ended the login: here, or from another browser.
    case signedOut
    /// An administrator has disabled or removed the person.
    case disabled
    /// The person may do more or less from now on, or the proxy that signs people in must say again that they are signed in.
    /// Who comes back gets what is theirs now.
    case changed
    /// Its time is over, or that of the secret that a rotation has replaced.
    case expired
}

/// A place in the event log, written `<epoch>-<offset>`.
///
/// The epoch names one incarnation of the log (it is made with the database); the
/// offset is the last event that was seen. Offsets only grow, with gaps.
///
/// ```swift
/// let cursor = Cursor("3f2a-128")
/// print(cursor?.epoch ?? "", cursor?.offset ?? 0)  // 3f2a 128
/// ```
public struct Cursor: Sendable, Hashable, CustomStringConvertible {
    public var epoch: String
    public var offset: Int64

    public init(epoch: String, offset: Int64) {
        self.epoch = epoch
        self.offset = offset
    }

    public var description: String { "\(epoch)-\(offset)" }

    /// The same text in ASCII, which each event of the log has.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        // A number of 64 bits has at most 20 characters.
        bytes.reserveCapacity(epoch.utf8.count + 21)
        bytes.append(contentsOf: epoch.utf8)
        bytes.append(UInt8(ascii: "-"))
        bytes.append(contentsOf: String(offset).utf8)
        return bytes
    }

    /// Nil unless the text is an epoch of 1 to 32 letters and digits, a hyphen, and a decimal offset.
    public init?(_ text: String) {
        guard text.utf8.count <= 64, let hyphen = text.utf8.lastIndex(of: UInt8(ascii: "-")) else { return nil }
        let epoch = text[..<hyphen]
        let digits = text[text.index(after: hyphen)...]
        guard (1...32).contains(epoch.utf8.count),
            epoch.utf8.allSatisfy({
                ($0 | 0x20) >= UInt8(ascii: "a") && ($0 | 0x20) <= UInt8(ascii: "z")
                    || $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")
            }),
            let offset = Int64(digits: digits)
        else { return nil }
        self.init(epoch: String(epoch), offset: offset)
    }
}
