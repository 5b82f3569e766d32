import ChatModel
import Formats

/// Which threads a thread collection shows, and in which order.
public struct ThreadQuery: Sendable, Hashable {
    public enum Order: String, Sendable, CaseIterable {
        /// The newest activity first.
        case latestLastMessage
        /// The newest thread first.
        case chronological
        /// By name; those without one last.
        case nameAlphabetical
    }

    /// Which threads by whether the account has hidden them.
    public enum Visibility: String, Sendable, CaseIterable {
        case unhidden, hidden, all
    }

    public var order = Order.latestLastMessage
    public var state = ThreadFilter.all
    public var customTypes: Set<String>?
    public var includesEmpty = true
    public var unreadOnly = false
    /// Nil: invited or joined.
    public var memberState: MemberState?
    public var visibility = Visibility.unhidden
    /// Threads of this channel only: at the desk, where those of all accounts meet.
    public var channel: String?
    /// A part of the name, in lower case.
    public private(set) var nameContains: String?

    public init(
        order: Order = .latestLastMessage, state: ThreadFilter = .all, customTypes: Set<String>? = nil,
        includesEmpty: Bool = true, unreadOnly: Bool = false, nameContains: String? = nil, memberState: MemberState? = nil,
        visibility: Visibility = .unhidden, channel: String? = nil
    ) {
        self.order = order
        self.state = state
        self.customTypes = customTypes
        self.includesEmpty = includesEmpty
        self.unreadOnly = unreadOnly
        self.nameContains = nameContains?.lowercased()
        self.memberState = memberState
        self.visibility = visibility
        self.channel = channel
    }

    /// Whether the query shows this thread at the desk: there only state and channel count.
    public func contains(_ thread: ChatThread, of owner: ThreadOwner) -> Bool {
        containsState(of: thread) && (channel == nil || owner.channel == channel)
    }

    /// Whether the query shows this thread to an account that takes part in it thus.
    public func contains(_ thread: ChatThread, _ membership: Membership) -> Bool {
        guard containsState(of: thread) else { return false }
        if let customTypes, !(thread.customType.map(customTypes.contains) ?? false) { return false }
        if !includesEmpty {
            // What stands before the account's own line it does not see.
            guard let last = thread.lastMessage, membership.historyResetAt.map({ last.createdAt > $0 }) ?? true else { return false }
        }
        if unreadOnly, membership.unreadCount == 0 { return false }
        if let memberState, membership.state != memberState { return false }
        if visibility != .all, membership.isHidden != (visibility == .hidden) { return false }
        if let nameContains, !(thread.name?.lowercased().contains(bytesOf: nameContains) ?? false) { return false }
        return true
    }

    private func containsState(of thread: ChatThread) -> Bool {
        switch state {
        case .all: true
        case .open: thread.state != .closed
        case .closed: thread.state == .closed
        }
    }

    /// Where a thread stands in the query's order.
    ///
    /// - Parameter owner: at the desk, where one id may name two threads.
    public func key(of thread: ChatThread, owner: ThreadOwner? = nil) -> ThreadKey {
        switch order {
        case .latestLastMessage: ThreadKey(number: -thread.lastActivityAt.milliseconds, id: thread.id, owner: owner)
        case .chronological: ThreadKey(number: -thread.createdAt.milliseconds, id: thread.id, owner: owner)
        case .nameAlphabetical: ThreadKey(name: ThreadKeys.nameKey(thread.name), id: thread.id, owner: owner)
        }
    }
}

/// A place in a query's order: smaller comes first. Threads of one time or name stand in the order of their ids.
public struct ThreadKey: Sendable, Hashable, Comparable {
    /// Milliseconds, negated: the newest comes first.
    public var number: Int64
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

    /// Before every thread.
    public static let first = ThreadKey(number: .min + 1, id: "")

    public static func < (left: ThreadKey, right: ThreadKey) -> Bool {
        if left.number != right.number { return left.number < right.number }
        if left.name != right.name { return left.name.lexicographicallyPrecedes(right.name) }
        if left.id != right.id { return left.id.utf8.lexicographicallyPrecedes(right.id.utf8) }
        guard let one = left.owner, let other = right.owner else { return left.owner == nil && right.owner != nil }
        return one < other
    }
}

/// A thread at its place in a query's order, as the account or the desk reads it.
public struct PlacedThread: Sendable {
    public var key: ThreadKey
    public var id: String
    public var json: [UInt8]
    /// At the desk only.
    public var owner: ThreadOwner?
}

extension ReadTransaction {
    /// The account's threads that a query shows behind a place, in its order.
    public func threads(of account: Int64, _ query: ThreadQuery, after key: ThreadKey, limit: Int) throws -> [PlacedThread] {
        switch query.order {
        case .latestLastMessage:
            // Open and closed threads stand in two ranges of one index.
            let parts = try [(ThreadFilter.open, false), (.closed, true)].filter { query.state == .all || query.state == $0.0 }
                .map { try threads(
                    of: account, query, limit: limit, place: "member.isClosed = ? AND member.activity <= ? AND (member.activity < ? OR member.id > ?)",
                    [.flag($0.1), .integer(-key.number), .integer(-key.number), .text(key.id)], "member.activity DESC, member.id") }
            return Array(parts.joined().sorted { $0.key < $1.key }.prefix(limit))
        case .chronological:
            return try threads(
                of: account, query, limit: limit, place: "member.createdAt <= ? AND (member.createdAt < ? OR member.id > ?)",
                [.integer(-key.number), .integer(-key.number), .text(key.id)], "member.createdAt DESC, member.id")
        case .nameAlphabetical:
            return try threads(
                of: account, query, limit: limit, place: "(member.nameKey, member.id) > (?, ?)",
                [.blob(key.name), .text(key.id)], "member.nameKey, member.id")
        }
    }

    private func threads(
        of account: Int64, _ query: ThreadQuery, limit: Int, place: String, _ placeValues: [SQLValue], _ order: String
    ) throws -> [PlacedThread] {
        var sql = "member.account = ? AND \(place)"
        var values = [.integer(account)] + placeValues
        if query.order != .latestLastMessage, query.state != .all {
            sql += " AND member.isClosed = ?"
            values.append(.flag(query.state == .closed))
        }
        if let customTypes = query.customTypes {
            sql += " AND member.customType IN (\(customTypes.map { _ in "?" }.joined(separator: ", ")))"
            values += customTypes.sorted().map(SQLValue.text)
        }
        if !query.includesEmpty {
            sql += " AND thread.lastMessage IS NOT NULL AND member.activity > coalesce(member.historyResetAt, -1)"
        }
        if query.unreadOnly { sql += " AND member.unread > 0" }
        if let state = query.memberState {
            sql += " AND member.state = ?"
            values.append(.text(state.rawValue))
        }
        if query.visibility != .all { sql += " AND member.isHidden = \(query.visibility == .hidden ? 1 : 0)" }
        if let part = query.nameContains {
            sql += " AND instr(member.nameKey, ?) > 0"
            values.append(.blob(Array(part.utf8)))
        }
        values.append(.integer(Int64(limit)))
        return try db.all(
            """
            SELECT \(Membership.columns), thread.json FROM member JOIN thread ON thread.number = member.thread
            WHERE \(sql) ORDER BY \(order) LIMIT ?
            """, values
        ) { row in
            let json = row.blob(5)
            let thread = try ChatThread(canonicalJSON: json)
            return PlacedThread(
                key: query.key(of: thread), id: thread.id, json: Membership(row: row, from: 0).splice(into: json))
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
