import ChatModel

/// Which replies a list shows in addition to the messages that are no replies.
public enum ReplyFilter: String, Sendable, CaseIterable {
    case none, all
    /// Only replies that were sent to the conversation as well.
    case alsoInThread
}

extension PageRequest {
    /// The position at which a page of a thread's messages begins, within its times, and whether it goes towards older
    /// messages. Throws `invalidParameter` for a cursor of another list.
    public func place(
        in thread: ThreadRecord, replies: ReplyFilter
    ) throws -> (position: MessagePosition, isOlder: Bool) {
        let place: (position: MessagePosition, isOlder: Bool) =
            switch try parsedCursor(of: .messages(thread: thread.number, replies)) {
            case .newer(let position): (position, false)
            case .older(let position): (position, true)
            case .behind: throw Self.badCursor
            case nil: beginsAtOldest ? (.start, false) : (.end, true)
            }
        return (times.beginning(place.position, isOlder: place.isOlder), place.isOlder)
    }
}

extension ReadTransaction {
    /// A page of a thread's messages, newest first. `next` leads to older messages, `prev` to newer ones.
    ///
    /// Messages before the record's line are left out. Throws `invalidParameter` for a cursor of another list.
    ///
    /// - Parameter hole: the page stops at this position, because messages may be missing beyond it; nil if there is
    ///   no such limit.
    public func messagePage(
        of thread: ThreadRecord, replies: ReplyFilter = .alsoInThread, within hole: MessagePosition? = nil,
        _ request: PageRequest
    ) throws -> PageBytes {
        let list = PageCursor.List.messages(thread: thread.number, replies)
        let place = try request.place(in: thread, replies: replies)
        let bound = request.times.bound(hole, isOlder: place.isOlder)
        let found = try messages(
            of: thread, MessageCondition(replies), place.isOlder ? .before(place.position) : .after(place.position),
            bound: bound?.place, request.size)
        let hasMore = found.hasMore || bound?.isHole == true
        var rows = found.rows
        if !place.isOlder { rows.reverse() }
        var next = rows.last.map { PageCursor.older($0.position) }
        var prev = rows.first.map { PageCursor.newer($0.position) }
        if !place.isOlder {
            if !hasMore { prev = nil }
        } else {
            if !hasMore { next = nil }
            if request.cursor == nil { prev = nil }
        }
        var page = PageBytes(
            offset: try headOffset(), items: rows.map(\.json), of: list, version: thread.messagesVersion, next: next,
            prev: prev)
        page.isFull = found.hasMore || rows.count == request.limit
        return page
    }

    /// How many messages of a thread were removed, whoever could see them.
    public func removedMessages(of thread: ThreadRecord) throws -> Int {
        let count: Int64? = try db.first(
            "SELECT COUNT(*) FROM tombstone WHERE thread = ?", [.integer(thread.number)]
        ) { $0.integer(0) }
        return Int(count ?? 0)
    }
}
