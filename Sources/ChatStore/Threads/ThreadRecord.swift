import ChatModel
import Formats

/// A row of `thread` with its members: a value that is changed in a unit and then saved.
public struct ThreadRecord: Sendable, Equatable {
    /// Names the thread within this database.
    public let number: Int64
    /// The account for which the thread was made. For the desk, it tells apart threads of the same id.
    public internal(set) var owner: AccountRecord
    public var thread: ChatThread
    /// The offset of the thread's last event that was not the desk's alone: its members' version, for `If-Match`.
    public internal(set) var version: Int64
    /// The desk's version, which what it alone sees changes too.
    public var deskVersion: Int64 { team.isEmpty ? version : ContentVersion.of(version, team) }
    /// The offset of the last event about one of its messages: the version of their list.
    public internal(set) var messagesVersion: Int64
    /// The number of the message that `thread.lastMessage` shows.
    public internal(set) var lastMessageNumber: Int64?
    /// Whether the desk sees the thread. It does not see a pending one.
    public internal(set) var isKnownToDesk = false
    /// How far the agents have read.
    public var deskRead: MessagePosition
    /// The furthest that any member has read, ever: it stays when that member leaves.
    public internal(set) var customerRead: MessagePosition
    /// Messages created up to this time (milliseconds since 1970) are hidden from the reader for whom the record was
    /// read; -1 for none.
    public internal(set) var historyBoundary: Int64
    /// What the desk alone sees of it.
    public var team = ThreadTeam()
    /// Messages of the conversation since its last contact was opened: those to the agents, and theirs.
    public internal(set) var messagesIn: Int64 = 0
    public internal(set) var messagesOut: Int64 = 0
    /// Who of the team has answered last in that contact, by the agent's id; no bot. Nil for nobody yet.
    public internal(set) var answeredBy: String?
    /// Whether its next contact goes on with the last one, because the thread was closed and is open again. Within a unit.
    public var isReopened = false
    /// What its row has of ``deskPlace``.
    var storedPlace = DeskPlace()
    /// The members, ordered by account number, so that the thread's JSON always lists them in the same order.
    public var members: [MemberRecord]
    /// The keys that the members' rows have; nil if they must be written.
    var storedKeys: ThreadKeys?
    /// How many bytes the thread's JSON has.
    var storedSize = 0
    /// The fields as they are in their own row (``GreatFields``); nil if they are stored with the thread.
    var storedFields: [String: String]?
    /// Thread and members as the last event told them, to name what the next one changes.
    private var told: Told

    /// An object, so that a copy of the record counts one reference to it.
    private final class Told: Sendable, Equatable {
        let thread: ChatThread
        let members: [MemberRecord]

        init(thread: ChatThread, members: [MemberRecord]) { (self.thread, self.members) = (thread, members) }

        static func == (one: Told, other: Told) -> Bool {
            one === other || one.thread == other.thread && one.members == other.members
        }
    }

    static let columns = """
        thread.number, thread.owner, thread.version, thread.messagesVersion, thread.lastMessage, \
        thread.deskReadAt, thread.deskReadTo, thread.json, thread.isKnownToDesk, thread.customerReadAt, thread.customerReadTo, \
        thread.team, thread.messagesIn, thread.messagesOut, thread.answeredBy
        """

    /// - Parameter column: the index in the row of the first of ``columns``.
    init(row: SQLRow, from column: Int32 = 0, in transaction: ReadTransaction) throws {
        number = row.integer(column)
        owner = try transaction.account(row.integer(column + 1))
        version = row.integer(column + 2)
        messagesVersion = row.integer(column + 3)
        lastMessageNumber = row.isNull(column + 4) ? nil : row.integer(column + 4)
        deskRead = MessagePosition(createdAt: row.integer(column + 5), number: row.integer(column + 6))
        let stored = row.blob(column + 7)
        let json = try transaction.db.whole(stored)
        thread = try ChatThread(canonicalJSON: json)
        storedSize = json.count
        if GreatFields.reference(in: stored) != nil { storedFields = thread.customFields }
        isKnownToDesk = row.flag(column + 8)
        customerRead = MessagePosition(createdAt: row.integer(column + 9), number: row.integer(column + 10))
        historyBoundary = thread.historyResetAt?.milliseconds ?? -1
        if !row.isNull(column + 11) { team = try ThreadTeam(members: row.blob(column + 11)) }
        (messagesIn, messagesOut) = (row.integer(column + 12), row.integer(column + 13))
        answeredBy = row.isNull(column + 14) ? nil : row.text(column + 14)
        members = []
        storedKeys = ThreadKeys(thread)
        told = Told(thread: thread, members: [])
        storedPlace = deskPlace
    }

    init(number: Int64, owner: AccountRecord, thread: ChatThread) {
        self.number = number
        self.owner = owner
        self.thread = thread
        version = 0
        messagesVersion = 0
        deskRead = .start
        customerRead = .start
        historyBoundary = -1
        members = [MemberRecord(account: owner.number)]
        told = Told(thread: thread, members: members)
    }

    /// The names of the members that differ for at least one reader from what was told before, in their order.
    var changes: [String] {
        let names = thread.changes(since: told.thread)
        guard members != told.members else { return names }
        var own: Set<String> = []
        for member in members {
            let before = told.members.first { $0.account == member.account }
            if let before { own.formUnion(member.membership.changes(since: before.membership)) }
        }
        return names + Membership.names.filter { own.contains($0) && !names.contains($0) }
    }

    /// What saving it does, before ``noteTold()``.
    func deed(_ news: ThreadNews) -> Deed {
        switch news {
        case .threadCreated: .threadMade(self)
        case .threadUpdated: .threadChanged(self, from: told.thread, members: told.members)
        }
    }

    /// Notes that thread and members are stored as they are here, and that all readers were told.
    mutating func noteTold() { told = Told(thread: thread, members: members) }

    /// The audiences of the thread's events, each account with its membership.
    public func audience(withDesk: Bool) -> [AudienceMember] {
        var audience: [AudienceMember] = []
        audience.reserveCapacity(members.count + 1)
        for member in members { audience.append(AudienceMember(.account(member.account), member.membership)) }
        if withDesk, isKnownToDesk { audience.append(AudienceMember(.desk)) }
        return audience
    }

    /// Whom an event of a message of that time concerns: not those who have reset their history since.
    func audience(withDesk: Bool, ofMessageAt time: Timestamp) -> [AudienceMember] {
        var audience: [AudienceMember] = []
        audience.reserveCapacity(members.count + 1)
        for member in members where member.historyResetAt.map({ $0 < time }) != false {
            audience.append(AudienceMember(.account(member.account)))
        }
        if withDesk, isKnownToDesk { audience.append(AudienceMember(.desk)) }
        return audience
    }

    /// The thread's JSON as this account reads it, with the account's own membership.
    public func json(for account: Int64) -> [UInt8] {
        let membership = members.first { $0.account == account }?.membership ?? Membership(unreadCount: 0)
        return membership.splice(into: thread.canonicalJSON)
    }

    /// The thread's JSON as the desk reads it: with channel, customer and what the desk alone sees.
    public var deskJSON: [UInt8] { owner.deskJSON(ofThread: thread.canonicalJSON, team: team.members) }

    /// Where the thread stands in the desk's lists.
    var deskPlace: DeskPlace { DeskPlace(of: thread, team, isKnownToDesk: isKnownToDesk) }
}

/// The columns of a thread that the desk's counts and its order by waiting are made of. They are written only when they
/// change, so that a message does not write their indexes.
struct DeskPlace: Sendable, Hashable {
    /// The agent's id, empty for nobody; nil outside the open list.
    var agent: String?
    /// See ``ThreadTeam/waitingSince(_:)``, in milliseconds since 1970.
    var wait: Int64?
    var snoozedUntil: Int64?
    /// See ``ThreadTeam/members``.
    var team: [UInt8] = []

    init() {}

    init(of thread: ChatThread, _ team: ThreadTeam, isKnownToDesk: Bool) {
        self.team = team.members
        guard isKnownToDesk, thread.state != .closed else { return }
        if let snooze = team.snooze {
            snoozedUntil = snooze.until.milliseconds
        } else {
            (agent, wait) = (thread.agent?.id ?? "", team.waitingSince(thread)?.milliseconds)
        }
    }
}

extension DatabaseSession {
    /// Writes what the desk's lists show of a thread.
    func write(_ place: DeskPlace, ofThread number: Int64) throws {
        try run(
            "UPDATE thread SET deskAgent = ?, deskWait = ?, snoozedUntil = ?, team = ? WHERE number = ?",
            [
                .optional(place.agent), .optional(place.wait), .optional(place.snoozedUntil),
                place.team.isEmpty ? .null : .blob(place.team), .integer(number),
            ])
    }
}

/// One account's part in a thread.
public struct MemberRecord: Sendable, Equatable {
    public internal(set) var account: Int64
    public var unreadCount = 0
    /// How far the account has read.
    public var read = MessagePosition.start
    public var state = MemberState.joined
    public var isHidden = false
    public internal(set) var historyResetAt: Timestamp?

    init(account: Int64, unreadCount: Int = 0, read: MessagePosition = .start, state: MemberState = .joined) {
        self.account = account
        self.unreadCount = unreadCount
        self.read = read
        self.state = state
    }

    /// - Parameter column: where the account's number begins; ``Membership/columns`` follow, then the number up to
    ///   which it has read.
    init(row: SQLRow, from column: Int32) {
        account = row.integer(column)
        let membership = Membership(row: row, from: column + 1)
        unreadCount = membership.unreadCount
        state = membership.state
        isHidden = membership.isHidden
        historyResetAt = membership.historyResetAt
        read = MessagePosition(createdAt: row.integer(column + 5), number: row.integer(column + 6))
    }

    /// The properties that only this account sees of the thread.
    public var membership: Membership {
        Membership(
            unreadCount: unreadCount, lastReadAt: read.time, state: state, isHidden: isHidden,
            historyResetAt: historyResetAt)
    }
}

/// A place in the order of a thread's messages: by creation time, then by arrival number.
public struct MessagePosition: Sendable, Equatable, Comparable {
    /// Milliseconds since 1970.
    public var createdAt: Int64
    public var number: Int64

    public init(createdAt: Int64, number: Int64) {
        self.createdAt = createdAt
        self.number = number
    }

    /// When the message there was created; nil before the first.
    public var time: Timestamp? { createdAt < 0 ? nil : Timestamp(milliseconds: createdAt) }

    public static let start = MessagePosition(createdAt: -1, number: -1)
    public static let end = MessagePosition(createdAt: .max, number: .max)

    public static func < (left: MessagePosition, right: MessagePosition) -> Bool {
        (left.createdAt, left.number) < (right.createdAt, right.number)
    }
}

/// The properties of a thread that are copied into its `member` rows, so that indexes of an account's threads can
/// order and filter by them.
struct ThreadKeys: Equatable {
    var createdAt: Int64
    var name: ExactText?
    var customType: ExactText?

    init(_ thread: ChatThread) {
        createdAt = thread.createdAt.milliseconds
        name = thread.name.map(ExactText.init)
        customType = thread.customType.map(ExactText.init)
    }

    var nameKey: [UInt8] { Self.nameKey(name?.text) }

    /// The name in lower case as UTF-8, to be compared byte by byte. A thread without a name gets the byte `FF`,
    /// which UTF-8 never contains, so it comes last.
    static func nameKey(_ name: String?) -> [UInt8] { name.map { Array($0.lowercased().utf8) } ?? [0xFF] }
}

extension DatabaseSession {
    /// Writes the keys into all member rows of a thread.
    func write(_ keys: ThreadKeys, ofThread number: Int64) throws {
        try run(
            "UPDATE member SET createdAt = ?, nameKey = ?, customType = ? WHERE thread = ?",
            [.integer(keys.createdAt), .blob(keys.nameKey), .optional(keys.customType?.text), .integer(number)])
    }
}
