import ChatModel

/// Which messages of a thread a message collection shows. All conditions must hold.
public struct MessageFilter: Sendable, Hashable {
    /// The type of a message; the raw values are those of ``MessageType``, besides `all`.
    public enum Kind: String, Sendable, CaseIterable {
        case all, text, file, admin
    }

    public var kind = Kind.all
    /// Nil for any custom type, and for messages without one. A set excludes messages without a custom type.
    public var customTypes: Set<String>?
    public var senderIDs: Set<String>?
    /// The replies to this message; nil for the conversation's own list.
    public var parentID: String?

    public init(
        kind: Kind = .all, customTypes: Set<String>? = nil, senderIDs: Set<String>? = nil, parentID: String? = nil
    ) {
        self.kind = kind
        self.customTypes = customTypes
        self.senderIDs = senderIDs
        self.parentID = parentID
    }

    /// Whether the filter shows a message. It must agree with ``condition``, which asks the same in SQL.
    public func contains(_ message: Message) -> Bool {
        guard parentID == nil ? message.isInConversation : message.parentID == parentID else { return false }
        if kind != .all, message.type.rawValue != kind.rawValue { return false }
        if let customTypes, !(message.customType.map(customTypes.contains) ?? false) { return false }
        if let senderIDs, !senderIDs.contains(message.author.id) { return false }
        return true
    }

    /// The filter as SQL on the columns of `message`, with its values. The first value, the thread's number, is added
    /// by the caller.
    var condition: (sql: String, values: [SQLValue]) {
        var sql = ["thread = ?"]
        var values: [SQLValue] = []
        if let parentID {
            sql.append("parent = ?")
            values.append(.text(parentID))
        } else {
            sql.append("isInThread = 1")
        }
        if kind != .all {
            sql.append("type = ?")
            values.append(.text(kind.rawValue))
        }
        for (column, wanted) in [("customType", customTypes), ("sender", senderIDs)] {
            guard let wanted else { continue }
            sql.append("\(column) IN (\(wanted.map { _ in "?" }.joined(separator: ", ")))")
            values += wanted.sorted().map(SQLValue.text)
        }
        return (sql.joined(separator: " AND "), values)
    }
}

/// A message with its place in a thread, as a collection shows it.
public struct PlacedMessage: Sendable {
    public var position: MessagePosition
    public var id: String
    /// The canonical JSON.
    public var json: [UInt8]

    public init(position: MessagePosition, id: String, json: [UInt8]) {
        self.position = position
        self.id = id
        self.json = json
    }
}

extension ReadTransaction {
    /// Messages older than or at a place, or newer than it, the nearest first.
    ///
    /// - Parameters:
    ///   - edge: `before`: a message exactly there belongs to it; `after`: it does not.
    ///   - bound: no message beyond this place is read, if there is one: what lies there may have holes.
    public func messages(
        of thread: ThreadRecord, _ filter: MessageFilter, upTo edge: MessagePosition, bound: MessagePosition?,
        limit: Int
    ) throws -> [PlacedMessage] {
        try messages(of: thread, filter, "<=", edge, ">=", bound, "DESC", limit)
    }

    /// The same towards newer messages.
    public func messages(
        of thread: ThreadRecord, _ filter: MessageFilter, after edge: MessagePosition, bound: MessagePosition?,
        limit: Int
    ) throws -> [PlacedMessage] {
        try messages(of: thread, filter, ">", edge, "<=", bound, "ASC", limit)
    }

    private func messages(
        of thread: ThreadRecord, _ filter: MessageFilter, _ comparison: String, _ edge: MessagePosition,
        _ boundComparison: String, _ bound: MessagePosition?, _ order: String, _ limit: Int
    ) throws -> [PlacedMessage] {
        var (sql, values) = filter.condition
        values.insert(.integer(thread.number), at: 0)
        sql += " AND (createdAt, number) \(comparison) (?, ?)"
        values += [.integer(edge.createdAt), .integer(edge.number)]
        if thread.historyBoundary >= 0 {
            sql += " AND createdAt > ?"
            values.append(.integer(thread.historyBoundary))
        }
        if let bound {
            sql += " AND (createdAt, number) \(boundComparison) (?, ?)"
            values += [.integer(bound.createdAt), .integer(bound.number)]
        }
        values.append(.integer(Int64(limit)))
        return try db.all(
            """
            SELECT \(MessageRecord.columns), id FROM message WHERE \(sql)
            ORDER BY createdAt \(order), number \(order) LIMIT ?
            """, values
        ) { row in
            PlacedMessage(
                position: MessagePosition(createdAt: row.integer(1), number: row.integer(0)), id: row.text(6),
                json: try messageJSON(row, in: thread))
        }
    }
}
