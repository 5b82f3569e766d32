import ChatModel

/// Which replies a list of messages shows besides the messages that are none.
public enum ReplyFilter: String, Sendable, CaseIterable {
    case none, all
    /// Those that were sent to the conversation too.
    case alsoInThread
}

extension ReadTransaction {
    /// A page of a thread's messages, newest first.
    public func messagePage(of thread: ThreadRecord, replies: ReplyFilter = .alsoInThread, _ request: PageRequest) throws -> PageBytes {
        let list = PageCursor.List.messages(thread: thread.number, replies)
        let cursor = try request.parsedCursor(of: list)
        var rows: [(position: ReadPosition, json: [UInt8])]
        let hasMore: Bool
        switch cursor {
        case .newer(let position):
            rows = try select(replies, of: thread, request.limit + 1, position, comparison: ">", order: "")
            hasMore = rows.count > request.limit
            rows = rows.prefix(request.limit).reversed()
        case .older(let position):
            rows = try select(replies, of: thread, request.limit + 1, position, comparison: "<", order: "DESC")
            hasMore = rows.count > request.limit
            rows = Array(rows.prefix(request.limit))
        case nil:
            rows = try select(replies, of: thread, request.limit + 1, ReadPosition(createdAt: .max, number: .max), comparison: "<", order: "DESC")
            hasMore = rows.count > request.limit
            rows = Array(rows.prefix(request.limit))
        }
        var next = rows.last.map { PageCursor.older($0.position) }
        var prev = rows.first.map { PageCursor.newer($0.position) }
        if case .newer = cursor {
            if !hasMore { prev = nil }
        } else {
            if !hasMore { next = nil }
            if cursor == nil { prev = nil }
        }
        return PageBytes(offset: try headOffset(), items: rows.map(\.json), of: list, version: thread.messagesVersion, next: next, prev: prev)
    }

    private func select(
        _ replies: ReplyFilter, of thread: ThreadRecord, _ limit: Int, _ position: ReadPosition, comparison: String, order: String
    ) throws -> [(position: ReadPosition, json: [UInt8])] {
        func part(_ condition: String) -> String {
            """
            SELECT \(MessageRecord.columns) FROM message
            WHERE thread = ?1 AND \(condition) AND (createdAt, number) \(comparison) (?2, ?3) AND createdAt > ?5
            """
        }
        // Each part is a range of an index; SQLite merges two of them in order.
        let rows = switch replies {
        case .alsoInThread: part("isInThread = 1")
        case .none: part("isInThread = 1 AND parent IS NULL")
        case .all: "\(part("isInThread = 1")) UNION ALL \(part("isInThread = 0"))"
        }
        return try db.all(
            "\(rows) ORDER BY createdAt \(order), number \(order) LIMIT ?4",
            [.integer(thread.number), .integer(position.createdAt), .integer(position.number), .integer(Int64(limit)), .integer(thread.line)]
        ) { row in
            (ReadPosition(createdAt: row.integer(1), number: row.integer(0)), try messageJSON(row, in: thread))
        }
    }
}
