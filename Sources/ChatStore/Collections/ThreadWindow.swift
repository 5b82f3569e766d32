import ChatModel
import Formats

/// Which threads a thread collection shows, and in which order. All conditions must hold.
public struct ThreadQuery: Sendable, Hashable {
    public enum Order: String, Sendable, CaseIterable {
        /// The newest activity first.
        case latestLastMessage
        /// The newest thread first.
        case chronological
        /// By name; those without one last.
        case nameAlphabetical
    }

    /// Whether threads that the account has hidden are shown.
    public enum Visibility: String, Sendable, CaseIterable {
        case unhidden, hidden, all
    }

    /// Whether a page may have to pass over any number of threads. State and channel are found in an index; whether
    /// threads are hidden is not counted here.
    public var passesOver: Bool {
        var found = ThreadQuery(order: order, state: state, visibility: visibility, channel: channel)
        found.channels = channel == nil ? nil : channels
        return self != found
    }

    public var order = Order.latestLastMessage
    public var state = ThreadFilter.all
    public var customTypes: Set<String>?
    public var includesEmpty = true
    public var unreadOnly = false
    /// Only threads in which the account has this state; nil for both states.
    public var memberState: MemberState?
    public var visibility = Visibility.unhidden
    /// Only threads whose custom type begins with this.
    public var customTypePrefix: String?
    /// Only threads of which all these customers are members, invited ones too, by their ids.
    public var members: Set<String>
    /// The most members that a query names.
    public static let memberLimit = 10
    /// Only threads of this channel; for the desk, which sees the threads of all channels.
    public var channel: String?
    /// Only threads of these channels; for the desk, as far as its reader sees it. Nil for all.
    public var channels: Set<String>?
    /// What else the desk asks for; nothing for an account.
    public var desk: DeskConditions
    /// A part of the name. The initializer puts it into lower case, and names are compared in lower case.
    public private(set) var nameContains: String?

    public init(
        order: Order = .latestLastMessage, state: ThreadFilter = .all, customTypes: Set<String>? = nil,
        includesEmpty: Bool = true, unreadOnly: Bool = false, nameContains: String? = nil,
        memberState: MemberState? = nil, customTypePrefix: String? = nil, members: Set<String> = [],
        visibility: Visibility = .unhidden, channel: String? = nil, desk: DeskConditions = DeskConditions()
    ) {
        self.order = order
        self.state = state
        self.customTypes = customTypes
        self.includesEmpty = includesEmpty
        self.unreadOnly = unreadOnly
        self.nameContains = nameContains?.lowercased()
        self.memberState = memberState
        self.customTypePrefix = customTypePrefix
        self.members = members
        self.visibility = visibility
        self.channel = channel
        self.desk = desk
    }

    /// Whether the query shows a thread to the desk. Only `state`, `channel`, `channels`, `customTypePrefix`, `members`,
    /// `desk` and `nameContains` are used there; names are the thread's and those of its members. It must agree with
    /// ``ReadTransaction/deskThreads(_:after:limit:)``, which asks the same in SQL.
    public func contains(_ thread: ChatThread, _ team: ThreadTeam = ThreadTeam(), of owner: ThreadOwner) -> Bool {
        guard containsShared(of: thread), channel == nil || owner.channel == channel,
            channels?.contains(owner.channel) != false, team.passes(desk.snoozed),
            desk.tag.map(team.tags.contains) != false
        else { return false }
        if let agent = desk.agent, thread.agent?.id != agent { return false }
        if desk.isUnassigned, thread.agent != nil { return false }
        if desk.isWaiting, team.waitingSince(thread) == nil { return false }
        if let customer = desk.customer, owner.customer != customer { return false }
        return containsName(of: thread, owner)
    }

    /// Whether the name fits, the thread's or one of its members'.
    func containsName(of thread: ChatThread, _ owner: ThreadOwner) -> Bool {
        guard let nameContains else { return true }
        let names = [thread.name] + thread.members.map(\.fullName)
        return names.contains { $0?.lowercased().contains(bytesOf: nameContains) ?? false }
    }

    /// Whether the query shows a thread to an account with this membership. It must agree with
    /// ``ReadTransaction/threads(of:_:after:limit:)``, which asks the same in SQL.
    public func contains(_ thread: ChatThread, _ membership: Membership) -> Bool {
        guard containsShared(of: thread) else { return false }
        if let customTypes, !(thread.customType.map(customTypes.contains) ?? false) { return false }
        if !includesEmpty {
            // The account does not see messages from before its own reset of the history.
            guard let last = thread.lastMessage, membership.historyResetAt.map({ last.createdAt > $0 }) ?? true else {
                return false
            }
        }
        if unreadOnly, membership.unreadCount == 0 { return false }
        if let memberState, membership.state != memberState { return false }
        if visibility != .all, membership.isHidden != (visibility == .hidden) { return false }
        if let nameContains, !(thread.name?.lowercased().contains(bytesOf: nameContains) ?? false) { return false }
        return true
    }

    /// Whether the conditions hold that the desk and accounts have in common.
    private func containsShared(of thread: ChatThread) -> Bool {
        if let customTypePrefix, thread.customType?.utf8.starts(with: customTypePrefix.utf8) != true { return false }
        guard members.allSatisfy({ id in thread.members.contains { $0.id.hasSameBytes(as: id) } }) else { return false }
        return switch state {
        case .all: true
        case .open: thread.state != .closed
        case .closed: thread.state == .closed
        }
    }

    /// The thread's place in the query's order.
    ///
    /// - Parameters:
    ///   - owner: for the desk, where two customers may have a thread of the same id; nil for an account.
    ///   - team: what the desk alone sees of it.
    public func key(
        of thread: ChatThread, owner: ThreadOwner? = nil, _ team: ThreadTeam = ThreadTeam()
    ) -> ThreadKey {
        if desk.order == .waiting, thread.state != .closed, team.snooze == nil, let since = team.waitingSince(thread) {
            return ThreadKey(waitingSince: since.milliseconds, id: thread.id, owner: owner)
        }
        return switch order {
        case .latestLastMessage: ThreadKey(number: -thread.lastActivityAt.milliseconds, id: thread.id, owner: owner)
        case .chronological: ThreadKey(number: -thread.createdAt.milliseconds, id: thread.id, owner: owner)
        case .nameAlphabetical: ThreadKey(name: ThreadKeys.nameKey(thread.name), id: thread.id, owner: owner)
        }
    }
}

/// What the desk asks of a thread besides. All conditions must hold.
public struct DeskConditions: Sendable, Hashable {
    /// Only threads of the agent with this id.
    public var agent: String?
    /// Only threads that no agent has.
    public var isUnassigned: Bool
    /// Only threads whose customer waits for an answer.
    public var isWaiting: Bool
    /// Only threads that were made for the customer with this id.
    public var customer: String?
    /// Only threads with the tag of this id.
    public var tag: String?
    public var snoozed: SnoozeFilter
    public var order: Order

    /// How the desk's lists are ordered.
    public enum Order: String, Sendable, CaseIterable {
        /// The newest activity first.
        case activity
        /// Whose customer waits longest first; those who do not wait, or are snoozed, after them, by activity.
        case waiting
    }

    public init(
        agent: String? = nil, isUnassigned: Bool = false, isWaiting: Bool = false, customer: String? = nil,
        tag: String? = nil, snoozed: SnoozeFilter = .include, order: Order = .activity
    ) {
        self.agent = agent
        self.isUnassigned = isUnassigned
        self.isWaiting = isWaiting
        self.customer = customer
        self.tag = tag
        self.snoozed = snoozed
        self.order = order
    }
}

/// A place in a query's order; the smaller one comes first. Threads with the same time or name are ordered by id,
/// then by owner.
public struct ThreadKey: Sendable, Hashable, Comparable {
    /// A time in milliseconds since 1970, negated so that the newest comes first; 0 where the name decides.
    public var number: Int64
    /// See ``ThreadKeys/nameKey(_:)``; empty where a time decides.
    public var name: [UInt8]
    public var id: String
    /// At the desk only.
    public var owner: ThreadOwner?

    init(number: Int64 = 0, name: [UInt8] = [], id: String, owner: ThreadOwner? = nil) {
        self.number = number
        self.name = name
        self.id = id
        self.owner = owner
    }

    /// The place of a thread whose customer waits, in the desk's order by waiting: before all that do not wait, whose numbers
    /// are negated times.
    init(waitingSince milliseconds: Int64, id: String, owner: ThreadOwner?) {
        self.init(number: milliseconds - Self.wait, id: id, owner: owner)
    }

    /// Since when the customer waits; nil where the number is no such place.
    var waitingSince: Int64? { number < -Self.wait / 2 && number > .min / 2 ? number + Self.wait : nil }

    /// More than any time.
    private static let wait: Int64 = 1 << 60

    /// A place before every thread: where a list begins. The number is not `.min`, which cannot be negated.
    public static let first = ThreadKey(number: .min + 1, id: "")

    public static func < (left: ThreadKey, right: ThreadKey) -> Bool {
        if left.number != right.number { return left.number < right.number }
        if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
        if left.id != right.id { return left.id.utf8.lexicographicallyPrecedes(right.id.utf8) }
        guard let one = left.owner, let other = right.owner else { return left.owner == nil && right.owner != nil }
        return one < other
    }
}

/// A thread with its place in a query's order; its JSON is as the account, or the desk, reads it.
public struct PlacedThread: Sendable, SizedRow {
    public var key: ThreadKey
    public var id: String
    public var json: [UInt8]
    /// At the desk only.
    public var owner: ThreadOwner?

    var byteCount: Int { json.count + 1 }
}

extension ReadTransaction {
    /// At most `limit` of the account's threads that a query shows behind a place, in the query's order; fewer if they
    /// have the bytes of a page.
    public func threads(
        of account: Int64, _ query: ThreadQuery, after key: ThreadKey, limit: Int
    ) throws -> BoundedRows<PlacedThread> {
        try threads(of: account, query, after: key, PageSize(count: limit))
    }

    func threads(
        of account: Int64, _ query: ThreadQuery, after key: ThreadKey, since: Timestamp? = nil, _ size: PageSize
    ) throws -> BoundedRows<PlacedThread> {
        switch query.order {
        case .latestLastMessage:
            // Open and closed threads stand in two ranges of one index.
            let parts = try [(ThreadFilter.open, false), (.closed, true)].filter {
                query.state == .all || query.state == $0.0
            }
            .map {
                var place =
                    "member.isClosed = ? AND member.activity <= ? AND (member.activity < ? OR member.id > ?)"
                var values: [SQLValue] = [
                    .flag($0.1), .integer(-key.number), .integer(-key.number), .text(key.id),
                ]
                if let since {
                    place += " AND member.activity >= ?"
                    values.append(.integer(since.milliseconds))
                }
                return try threads(
                    of: account, query, size, place: place, values, "member.activity DESC, member.id")
            }
            return BoundedRows(parts, size) { $0.key < $1.key }
        case .chronological:
            return try threads(
                of: account, query, size,
                place: "member.createdAt <= ? AND (member.createdAt < ? OR member.id > ?)",
                [.integer(-key.number), .integer(-key.number), .text(key.id)], "member.createdAt DESC, member.id")
        case .nameAlphabetical:
            return try threads(
                of: account, query, size, place: "(member.nameKey, member.id) > (?, ?)",
                [.blob(key.name), .text(key.id)], "member.nameKey, member.id")
        }
    }

    private func threads(
        of account: Int64, _ query: ThreadQuery, _ size: PageSize, place: String, _ placeValues: [SQLValue],
        _ order: String
    ) throws -> BoundedRows<PlacedThread> {
        var sql = "member.account = ? AND \(place)"
        var values = [.integer(account)] + placeValues
        if query.order != .latestLastMessage, query.state != .all {
            sql += " AND member.isClosed = ?"
            values.append(.flag(query.state == .closed))
        }
        if let customTypes = query.customTypes {
            let list = Placeholders(customTypes.map(SQLValue.text))
            sql += " AND member.customType IN \(list.sql)"
            values += list.values
        }
        if !query.includesEmpty {
            sql += " AND thread.lastMessage IS NOT NULL AND member.activity > coalesce(member.historyResetAt, -1)"
        }
        if query.unreadOnly { sql += " AND member.unread > 0" }
        if let state = query.memberState {
            sql += " AND member.state = ?"
            values.append(.text(state.rawValue))
        }
        if let prefix = query.customTypePrefix {
            sql += " AND \(db.hasPrefix("member.customType", "?"))"
            values.append(.text(prefix))
        }
        if !query.members.isEmpty {
            let members = query.members.sorted()
            // Of a remote service's thread the members are in its JSON alone. The desk knows no such thread.
            let list = db.jsonText(of: "thread.json", at: "members")
            let areListed = members.map { _ in db.containsText(list) }.joined(separator: " AND ")
            let are = Self.hasMembers("member.thread", members.map { _ in "?" })
            sql += " AND CASE WHEN thread.isKnownToDesk = 0 THEN \(areListed) ELSE \(are) END"
            values += members.map { .text(Customer.beginning(ofID: $0)) } + members.map(SQLValue.text)
        }
        if query.visibility != .all { sql += " AND member.isHidden = \(query.visibility == .hidden ? 1 : 0)" }
        if let part = query.nameContains {
            sql += " AND \(db.contains("member.nameKey"))"
            values.append(.blob(Array(part.utf8)))
        }
        values.append(.integer(Int64(size.count) + 1))
        let statement = """
            SELECT \(query.order.column), member.id, \(Membership.columns), thread.json
            FROM member JOIN thread ON thread.number = member.thread
            WHERE \(sql) ORDER BY \(order) LIMIT ?
            """
        return try db.page(db.bounded(statement, by: "json", size), values, size) { row in
            let id = row.text(1)
            let key =
                query.order == .nameAlphabetical
                ? ThreadKey(name: row.blob(0), id: id) : ThreadKey(number: -row.integer(0), id: id)
            return PlacedThread(
                key: key, id: id, json: Membership(row: row, from: 2).splice(into: try db.whole(row.blob(7))))
        }
    }
}

extension ReadTransaction {
    /// The condition that customers with these parameters' ids are all members of the thread with the column's number.
    ///
    /// One condition for all of them: with very many, SQLite takes the rows for so few that it sorts them instead of
    /// reading them in the index's order.
    static func hasMembers(_ column: String, _ parameters: [String]) -> String {
        """
        (SELECT count(DISTINCT person.customer) FROM member AS other JOIN account AS person
        ON person.number = other.account
        WHERE other.thread = \(column) AND person.customer IN (\(parameters.joined(separator: ", "))))
        = \(parameters.count)
        """
    }
}

extension Customer {
    /// How the JSON of a customer of this id begins. Nothing else in a list of customers is written like that.
    fileprivate static func beginning(ofID id: String) -> String {
        String(decoding: Customer(id: id).canonicalJSON.dropLast(), as: UTF8.self)
    }
}

extension ThreadQuery.Order {
    /// The column that has the first part of a ``ThreadKey``.
    fileprivate var column: String {
        switch self {
        case .latestLastMessage: "member.activity"
        case .chronological: "member.createdAt"
        case .nameAlphabetical: "member.nameKey"
        }
    }
}

extension String {
    /// As SQLite's `instr` on bytes looks for it.
    fileprivate func contains(bytesOf part: String) -> Bool {
        let (bytes, wanted) = (Array(utf8), Array(part.utf8))
        guard !wanted.isEmpty else { return true }
        guard bytes.count >= wanted.count else { return false }
        return (0...bytes.count - wanted.count).contains { bytes[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }
}
