import ChatModel
import Formats

/// One event, encoded once: as the log keeps it, the ring shares it and streams send it.
public final class LogEvent: Sendable {
    /// Its place in the log; nil for an ephemeral event, which is live only.
    public let offset: Int64?
    /// The place as text, `<epoch>-<offset>` in ASCII; empty for an ephemeral event.
    public let id: [UInt8]
    public let type: EventType
    /// One JSON object.
    public let data: [UInt8]
    public let members: [AudienceMember]
    /// Members that the desk's copy has besides: channel and customer, as `"channel":..,"customer":{..}`.
    let deskMembers: [UInt8]
    /// Whose thread it is about; nil for an ephemeral event.
    public let owner: ThreadOwner?
    /// The message whose text it may carry, by its number in the store.
    public let message: Int64?

    convenience init(
        cursor: Cursor?, type: EventType, data: [UInt8], members: [AudienceMember], deskMembers: [UInt8] = [],
        owner: ThreadOwner? = nil, message: Int64? = nil
    ) {
        self.init(
            offset: cursor?.offset, id: cursor.map { Array($0.description.utf8) } ?? [], type: type, data: data, members: members,
            deskMembers: deskMembers, owner: owner, message: message)
    }

    private init(
        offset: Int64?, id: [UInt8], type: EventType, data: [UInt8], members: [AudienceMember], deskMembers: [UInt8],
        owner: ThreadOwner?, message: Int64?
    ) {
        self.offset = offset
        self.id = id
        self.type = type
        self.data = data
        self.members = members
        self.deskMembers = deskMembers
        self.owner = owner
        self.message = message
    }

    public var audiences: [Audience] { members.map(\.audience) }

    /// About what it holds of memory, in bytes: its contents, their headers and its places in the ring.
    public var byteCount: Int { data.count + id.count + deskMembers.count + 352 + 128 * members.count }

    /// The data as this audience reads it.
    ///
    /// A thread carries what the account that reads sees of it alone; for the desk it
    /// carries channel and customer, and so do the desk's other events.
    public func data(for audience: Audience) -> [UInt8] {
        switch audience {
        case .desk:
            if deskMembers.isEmpty { return data }
            return carriesThread ? spliced(atEndOfThread: deskMembers) : spliced(atStart: deskMembers)
        case .account:
            guard carriesThread, let membership = members.first(where: { $0.audience == audience })?.membership
            else { return data }
            if membership.historyResetAt == nil { return spliced(atEndOfThread: membership.members) }
            let prefix = Array("{\"thread\":".utf8)
            return prefix + membership.splice(into: data.dropFirst(prefix.count).dropLast()) + [UInt8(ascii: "}")]
        case .session:
            return data
        }
    }

    /// What is left of this event when the message is removed whose text it carries; nil for nothing.
    var withoutMessage: LogEvent? {
        guard type == .threadCreated, let data = Self.withoutLastMessage(data) else { return nil }
        return LogEvent(
            offset: offset, id: id, type: type, data: data, members: members, deskMembers: deskMembers, owner: owner, message: nil)
    }

    /// The data of a `thread.created` without the thread's last message; nil if it cannot be read.
    static func withoutLastMessage(_ data: [UInt8]) -> [UInt8]? {
        guard var thread = try? ThreadCreatedEvent(canonicalJSON: data).thread.value else { return nil }
        thread.lastMessage = nil
        return ThreadCreatedEvent(Encoded(thread)).data
    }

    private var carriesThread: Bool { type == .threadCreated || type == .threadUpdated }

    /// `{"thread":{...}}`: before the last two braces.
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
