import ChatModel
import Formats

/// What a parent tells of its replies, kept with each of them: the service's word, so that nobody counts.
extension WriteTransaction {
    /// Adds an inserted reply to its parent's count, and logs `thread.info`.
    public func count(
        _ reply: MessageRecord, on parent: inout MessageRecord, in thread: inout ThreadRecord, withDesk: Bool
    ) throws {
        let author = reply.message.author
        try db.run(
            """
            INSERT INTO replier (parent, kind, id, count, author) VALUES (?, ?, ?, 1, ?)
            ON CONFLICT (parent, kind, id) DO UPDATE SET count = replier.count + 1, author = excluded.author
            """,
            [.integer(parent.number), .text(author.kind.rawValue), .text(author.id), .blob(author.canonicalJSON)])
        try setReplies(
            of: &parent, count: parent.message.replyCount + 1, lastRepliedAt: reply.message.createdAt, in: &thread,
            withDesk: withDesk)
    }

    /// Takes a removed reply off its parent's count, and logs `thread.info`. To be called after the reply was
    /// removed.
    public func uncount(
        _ reply: MessageRecord, on parent: inout MessageRecord, in thread: inout ThreadRecord, withDesk: Bool
    ) throws {
        let author = reply.message.author
        let key: [SQLValue] = [.integer(parent.number), .text(author.kind.rawValue), .text(author.id)]
        try db.run("UPDATE replier SET count = count - 1 WHERE parent = ? AND kind = ? AND id = ?", key)
        try db.run("DELETE FROM replier WHERE parent = ? AND kind = ? AND id = ? AND count <= 0", key)
        let last = try db.first(
            "SELECT createdAt FROM message WHERE thread = ? AND parent = ? ORDER BY createdAt DESC, number DESC LIMIT 1",
            [.integer(thread.number), .text(parent.message.id)]
        ) { Timestamp(milliseconds: $0.integer(0)) }
        try setReplies(
            of: &parent, count: max(0, parent.message.replyCount - 1), lastRepliedAt: last, in: &thread,
            withDesk: withDesk)
    }

    /// Stores the parent's new reply info. Its version becomes the offset of `thread.info`; the rest of the message
    /// stays as it was.
    private func setReplies(
        of parent: inout MessageRecord, count: Int, lastRepliedAt: Timestamp?, in thread: inout ThreadRecord,
        withDesk: Bool
    ) throws {
        let authors = try db.all(
            "SELECT author FROM replier WHERE parent = ? ORDER BY count DESC, kind, id LIMIT ?",
            [.integer(parent.number), .integer(Int64(ReplyInfo.maximumAuthors))]
        ) { try Author(canonicalJSON: $0.blob(0)) }
        // Later than the last one even if the clock stood still: of two infos the later is true.
        let time = parent.message.replyInfo.map { max(now, $0.updatedAt.advanced(byMilliseconds: 1)) } ?? now
        let info = ReplyInfo(count: count, mostReplies: authors, lastRepliedAt: lastRepliedAt, updatedAt: time)
        parent.message.replyInfo = info
        let event = ThreadInfoEvent(
            threadID: thread.thread.id, parentID: parent.message.id, replyInfo: info, by: cause)
        parent.noteTold()
        parent.version = try log(event, message: nil, at: parent.message.createdAt, in: &thread, withDesk: withDesk)
        try write(parent, json: parent.message.canonicalJSON)
    }

    /// Stores only the version of the thread's list of messages. For changes after which the thread itself is not
    /// saved.
    public func saveListVersion(of thread: ThreadRecord) throws {
        try db.run(
            "UPDATE thread SET messagesVersion = ?1 WHERE number = ?2 AND messagesVersion <> ?1",
            [.integer(thread.messagesVersion), .integer(thread.number)])
        hot?.keep(messagesVersion: thread.messagesVersion, of: thread.number)
    }
}

extension ReadTransaction {
    /// Whether an author has written the parent of a reply thread, or a reply in it.
    public func hasPart(in parent: String, of thread: ThreadRecord, _ author: Author) throws -> Bool {
        guard let record = try storedMessage(parent, in: thread) else { return false }
        if record.message.author.kind == author.kind, record.message.author.id == author.id { return true }
        let parentNumber = SQLValue.integer(record.number)
        let replied = try db.first(
            "SELECT count FROM replier WHERE parent = ? AND kind = ? AND id = ?",
            [parentNumber, .text(author.kind.rawValue), .text(author.id)]
        ) { $0.integer(0) > 0 }
        if replied == true { return true }
        // A service that counts replies has counted them all. What another says of its replies names nobody.
        if try db.first("SELECT 1 FROM replier WHERE parent = ? LIMIT 1", [parentNumber], { _ in true }) == true {
            return false
        }
        return try db.first(
            "SELECT 1 FROM message WHERE thread = ? AND parent = ? AND sender = ? AND isToAgent = ? LIMIT 1",
            [.integer(thread.number), .text(parent), .text(author.id), .integer(author.kind == .customer ? 1 : 0)]
        ) { $0.integer(0) } != nil
    }
}
