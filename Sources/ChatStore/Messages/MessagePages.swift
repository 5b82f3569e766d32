import ChatModel

extension ReadTransaction {
    /// A page of a thread's messages, newest first.
    public func messagePage(of thread: ThreadRecord, _ request: PageRequest) throws -> PageBytes {
        let cursor = try request.parsedCursor(of: .messages(thread: thread.number))
        var rows: [(position: ReadPosition, json: [UInt8])]
        let hasMore: Bool
        switch cursor {
        case .newer(let position):
            rows = try select(of: thread, request.limit + 1, position, comparison: ">", order: "")
            hasMore = rows.count > request.limit
            rows = rows.prefix(request.limit).reversed()
        case .older(let position):
            rows = try select(of: thread, request.limit + 1, position, comparison: "<", order: "DESC")
            hasMore = rows.count > request.limit
            rows = Array(rows.prefix(request.limit))
        case nil:
            rows = try select(of: thread, request.limit + 1, ReadPosition(createdAt: .max, number: .max), comparison: "<", order: "DESC")
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
        return PageBytes(offset: try headOffset(), items: rows.map(\.json), of: .messages(thread: thread.number), version: thread.messagesVersion, next: next, prev: prev)
    }

    private func select(
        of thread: ThreadRecord, _ limit: Int, _ position: ReadPosition, comparison: String, order: String
    ) throws -> [(position: ReadPosition, json: [UInt8])] {
        try db.all(
            """
            SELECT \(MessageRecord.columns) FROM message
            WHERE thread = ? AND isInThread = 1 AND (createdAt, number) \(comparison) (?, ?)
            ORDER BY createdAt \(order), number \(order) LIMIT ?
            """,
            [.integer(thread.number), .integer(position.createdAt), .integer(position.number), .integer(Int64(limit))]
        ) { row in
            (ReadPosition(createdAt: row.integer(1), number: row.integer(0)), try messageJSON(row, in: thread))
        }
    }
}
