import ChatModel

/// Which replies a list shows in addition to the messages that are no replies.
public enum ReplyFilter: String, Sendable, CaseIterable {
    case none, all
    /// Only replies that were sent to the conversation as well.
    case alsoInThread
}

extension PageRequest {
    /// The position at which a page of a thread's messages begins, and whether it goes towards older messages. Throws
    /// `invalidParameter` for a cursor of another list.
    public func place(
        in thread: ThreadRecord, replies: ReplyFilter
    ) throws -> (position: MessagePosition, isOlder: Bool) {
        switch try parsedCursor(of: .messages(thread: thread.number, replies)) {
        case .newer(let position): (position, false)
        case .older(let position): (position, true)
        case nil: (.end, true)
        }
    }
}

extension ReadTransaction {
    /// A page of a thread's messages, newest first. `next` leads to older messages, `prev` to newer ones.
    ///
    /// Messages before the record's line are left out. Throws `invalidParameter` for a cursor of another list.
    ///
    /// - Parameter bound: the page stops at this position, because messages may be missing beyond it; nil if there is
    ///   no such limit.
    public func messagePage(
        of thread: ThreadRecord, replies: ReplyFilter = .alsoInThread, within bound: MessagePosition? = nil,
        _ request: PageRequest
    ) throws -> PageBytes {
        let list = PageCursor.List.messages(thread: thread.number, replies)
        let cursor = try request.parsedCursor(of: list)
        var rows: [(position: MessagePosition, json: [UInt8])]
        let hasMore: Bool
        switch cursor {
        case .newer(let position):
            rows = try select(
                replies, of: thread, request.limit + 1, position, comparison: ">", order: "", within: bound)
            hasMore = rows.count > request.limit || bound != nil
            rows = rows.prefix(request.limit).reversed()
        case .older(let position):
            rows = try select(
                replies, of: thread, request.limit + 1, position, comparison: "<", order: "DESC", within: bound)
            hasMore = rows.count > request.limit || bound != nil
            rows = Array(rows.prefix(request.limit))
        case nil:
            rows = try select(
                replies, of: thread, request.limit + 1, .end, comparison: "<", order: "DESC", within: bound)
            hasMore = rows.count > request.limit || bound != nil
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
        return PageBytes(
            offset: try headOffset(), items: rows.map(\.json), of: list, version: thread.messagesVersion, next: next,
            prev: prev)
    }

    private func select(
        _ replies: ReplyFilter, of thread: ThreadRecord, _ limit: Int, _ position: MessagePosition, comparison: String,
        order: String,
        within bound: MessagePosition?
    ) throws -> [(position: MessagePosition, json: [UInt8])] {
        let limits = bound == nil ? "" : "AND (createdAt, number) \(comparison == "<" ? ">=" : "<=") (?6, ?7)"
        func part(_ condition: String) -> String {
            """
            SELECT \(MessageRecord.columns) FROM message
            WHERE thread = ?1 AND \(condition) AND (createdAt, number) \(comparison) (?2, ?3) AND createdAt > ?5 \(limits)
            """
        }
        // Each part is a range of an index; SQLite merges two of them in order.
        let rows =
            switch replies {
            case .alsoInThread: part("isInThread = 1")
            case .none: part("isInThread = 1 AND parent IS NULL")
            case .all: "\(part("isInThread = 1")) UNION ALL \(part("isInThread = 0"))"
            }
        var arguments: [SQLValue] = [
            .integer(thread.number), .integer(position.createdAt), .integer(position.number), .integer(Int64(limit)),
            .integer(thread.historyBoundary),
        ]
        if let bound { arguments += [.integer(bound.createdAt), .integer(bound.number)] }
        return try db.all("\(rows) ORDER BY createdAt \(order), number \(order) LIMIT ?4", arguments) { row in
            (MessagePosition(createdAt: row.integer(1), number: row.integer(0)), try messageJSON(row, in: thread))
        }
    }
}
