import ChatModel
import Formats

/// One event, encoded once. The log stores these bytes, the ring shares them and all streams send them.
public final class LogEvent: Sendable {
    /// The event's place in the log; nil for an ephemeral event, which only streams that are open get.
    public let offset: Int64?
    /// The place as text, `<epoch>-<offset>` in ASCII; empty for an ephemeral event.
    public let id: [UInt8]
    public let type: EventType
    /// The event's data as JSON, one object, without what belongs to single audiences: see ``data(for:)``.
    public let data: [UInt8]
    /// The audiences, each with its membership where the event carries a thread.
    public let members: [AudienceMember]
    /// Members that the desk's copy has besides: channel and customer, as `"channel":..,"customer":{..}`, and those of
    /// ``team``.
    let deskMembers: [UInt8]
    /// What the desk alone sees of the thread that the event carries (``ThreadTeam/members``); mostly empty.
    package let team: [UInt8]
    /// The owner of the thread that the event is about; nil for most ephemeral events.
    public let owner: ThreadOwner?
    /// When it was logged; nil for an ephemeral event.
    public let at: Timestamp?
    /// The number of the message whose text the data may contain. When that message is removed, the event is found by
    /// it.
    public let message: Int64?
    /// How many bytes the log has of it: fewer than ``data`` if great fields stand elsewhere (``GreatFields``).
    let storedByteCount: Int

    convenience init(
        cursor: Cursor?, type: EventType, data: [UInt8], members: [AudienceMember], deskMembers: [UInt8] = [],
        team: [UInt8] = [], owner: ThreadOwner? = nil, message: Int64? = nil, at: Timestamp? = nil,
        storedByteCount: Int? = nil
    ) {
        self.init(
            offset: cursor?.offset, id: cursor.map(\.bytes) ?? [], type: type, data: data, members: members,
            deskMembers: team.isEmpty ? deskMembers : deskMembers + [UInt8(ascii: ",")] + team, team: team,
            owner: owner,
            message: message, at: at, storedByteCount: storedByteCount)
    }

    private init(
        offset: Int64?, id: [UInt8], type: EventType, data: [UInt8], members: [AudienceMember], deskMembers: [UInt8],
        team: [UInt8], owner: ThreadOwner?, message: Int64?, at: Timestamp?, storedByteCount: Int? = nil
    ) {
        self.offset = offset
        self.id = id
        self.type = type
        self.data = data
        self.members = members
        self.deskMembers = deskMembers
        self.team = team
        self.owner = owner
        self.message = message
        self.at = at
        self.storedByteCount = storedByteCount ?? data.count
    }

    public var audiences: [Audience] { members.map(\.audience) }

    /// About how many bytes of memory the event takes: its contents, their headers and its places in the ring.
    public var byteCount: Int { data.count + id.count + deskMembers.count + 352 + 128 * members.count }

    /// The data as this audience gets it.
    ///
    /// An account gets its own membership inside the thread. The desk gets channel and customer: inside the thread
    /// where there is one, otherwise at the beginning of the data. Who reads all events gets what the desk gets.
    public func data(for audience: Audience) -> [UInt8] {
        switch audience {
        case .desk, .everyone:
            if deskMembers.isEmpty { return data }
            return carriesThread ? spliced(atEndOfThread: deskMembers) : spliced(atStart: deskMembers)
        case .account:
            guard carriesThread, let membership = members.first(where: { $0.audience == audience })?.membership
            else { return data }
            if membership.historyResetAt == nil { return spliced(atEndOfThread: membership.members) }
            guard let thread = rangeOfThread else { return data }
            return data[..<thread.lowerBound] + membership.splice(into: data[thread]) + [UInt8(ascii: "}")]
        case .session, .channel:
            return data
        }
    }

    /// What is left of the event when the message that it carries is removed; nil if nothing is.
    var withoutMessage: LogEvent? {
        guard type == .threadCreated, let data = Self.withoutLastMessage(data) else { return nil }
        return LogEvent(
            offset: offset, id: id, type: type, data: data, members: members, deskMembers: deskMembers, team: team,
            owner: owner, message: nil, at: at)
    }

    /// Whether nothing is left of it but its place: no reader gets it.
    var isScrubbed: Bool { data.isEmpty }

    /// What keeps the event's place in the ring when all of it is removed.
    var scrubbed: LogEvent {
        LogEvent(
            offset: offset, id: id, type: type, data: [], members: audiences.map { AudienceMember($0) },
            deskMembers: [], team: [], owner: nil, message: nil, at: at)
    }

    /// The data of a `thread.created` without the thread's last message; nil if the data cannot be read.
    static func withoutLastMessage(_ data: [UInt8]) -> [UInt8]? {
        guard let event = try? ThreadCreatedEvent(canonicalJSON: data) else { return nil }
        var thread = event.thread.value
        thread.lastMessage = nil
        return ThreadCreatedEvent(Encoded(thread), by: event.cause).data
    }

    /// Where the thread's JSON stands in the data of `thread.created` and `thread.updated`: it is the last member. Nil
    /// for other data. What stands before it cannot contain the name, because quotes in texts are escaped.
    package var rangeOfThread: Range<Int>? {
        carriesThread ? data.firstRange(of: Self.threadName).map { $0.upperBound..<data.count - 1 } : nil
    }

    private static let threadName = Array("\"thread\":".utf8)

    private var carriesThread: Bool { type.carriesThread }

    /// Adds members inside `{"thread":{...}}`, before the last two braces.
    private func spliced(atEndOfThread members: [UInt8]) -> [UInt8] {
        var bytes = Array(data.dropLast(2))
        bytes.reserveCapacity(data.count + members.count + 1)
        bytes.append(UInt8(ascii: ","))
        bytes.append(contentsOf: members)
        bytes.append(contentsOf: "}}".utf8)
        return bytes
    }

    private func spliced(atStart members: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = [UInt8(ascii: "{")]
        bytes.reserveCapacity(data.count + members.count + 1)
        bytes.append(contentsOf: members)
        if data.count > 2 { bytes.append(UInt8(ascii: ",")) }
        bytes.append(contentsOf: data.dropFirst())
        return bytes
    }
}

extension EventType {
    /// Whether the event's data is `{"thread":{..}}`.
    var carriesThread: Bool { self == .threadCreated || self == .threadUpdated }
}
