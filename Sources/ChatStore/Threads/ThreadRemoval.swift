import ChatModel
import Formats

/// Removing threads for good.
///
/// One unit takes a thread away from everybody. What it leaves goes in steps that keep the writer busy for a short time
/// only; ``eraseHistory()`` takes them. They are noted in the row of `erasure`, so a stop only interrupts them.
extension WriteTransaction {
    /// Takes a thread away from its members and from the desk, who get `thread.removed` and do not find it any more. Its
    /// id is free for another thread.
    ///
    /// - Returns: what to tell its queue.
    public func remove(_ record: ThreadRecord) throws -> QueueChange? {
        deeds?.append(.threadRemoved(record))
        var record = record
        let audience = record.audience(withDesk: true).map { AudienceMember($0.audience) }
        let queue = try leaveQueue(&record)
        let place = try append(
            ThreadRemovedEvent(threadID: record.thread.id, by: cause), owner: record.owner, message: nil,
            members: audience)
        hot?.forget(thread: record.number)
        for table in ["member", "inactivity", "threadTag"] {
            try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(record.number)])
        }
        try removeExtras(of: .thread(record.number))
        try closeContact(of: &record)
        // The reports count it, and it says nothing of the customer.
        try db.run("UPDATE contact SET thread = 0 WHERE thread = ?", [.integer(record.number)])
        // Up to its version, the log has events of this thread, and not of another one with its id.
        try db.run(
            """
            UPDATE thread SET isKnownToDesk = 0, lastMessage = NULL, version = ?, deskAgent = NULL, deskWait = NULL,
                snoozedUntil = NULL WHERE number = ?
            """, [.integer(place), .integer(record.number)])
        try noteErasure(at: Erasure.everything, of: record.number)
        touch(thread: record.number)
        return queue
    }

    /// Removes the oldest of the threads that the account owns and is a member of. Returns what to tell its queue; the
    /// outer nil means that there is none.
    public func removeOldestThread(of account: Int64) throws -> QueueChange?? {
        let number = try db.first(
            """
            SELECT min(thread.number) FROM member JOIN thread ON thread.number = member.thread
            WHERE member.account = ? AND thread.owner = ?
            """, [.integer(account), .integer(account)]
        ) { $0.isNull(0) ? nil : $0.integer(0) }
        guard let number = number ?? nil, let record = try thread(number: number) else { return nil }
        return .some(try remove(record))
    }

    /// Removes a thread by its number. Does nothing if there is none, or if it was removed before.
    func removeThread(_ number: Int64) throws {
        let line = try db.first("SELECT line FROM erasure WHERE thread = ?", [.integer(number)]) { $0.integer(0) }
        guard line.map(Erasure.isOfRemoved) != true, let record = try thread(number: number) else { return }
        _ = try remove(record)
    }

    /// One step of what a removed thread has left: first its messages and notes, then what the log has of it, then the
    /// thread itself.
    func eraseRemoved(_ record: ThreadRecord, at line: Int64) throws {
        guard let place = Erasure.place(of: line) else {
            guard try eraseMessages(of: record), try eraseNotes(of: record) else { return }
            return try noteErasure(
                at: Erasure.line(at: try position(of: record.thread.createdAt)), of: record.number)
        }
        let end = min(place + Erasure.placesOfAStep, record.version)
        try eraseLog(of: record, after: place, through: end)
        guard end == record.version else { return try noteErasure(at: Erasure.line(at: end), of: record.number) }
        hot?.forget(thread: record.number)
        for table in ["tombstone", "watermark", "chunk", "remoteID", "fields", "erasure"] {
            try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(record.number)])
        }
        try db.run("DELETE FROM thread WHERE number = ?", [.integer(record.number)])
    }

    /// Returns whether none is left.
    private func eraseMessages(of record: ThreadRecord) throws -> Bool {
        let rows = try db.all(
            "SELECT number, id FROM message WHERE thread = ? LIMIT ?",
            [.integer(record.number), .integer(Int64(Erasure.rowsOfAStep))]
        ) { ($0.integer(0), $0.text(1)) }
        for (message, id) in rows { _ = try erase(message, id: id, in: record) }
        return rows.count < Erasure.rowsOfAStep
    }

    private func eraseNotes(of record: ThreadRecord) throws -> Bool {
        let notes = try db.all(
            "SELECT number, id FROM note WHERE thread = ? LIMIT ?",
            [.integer(record.number), .integer(Int64(Erasure.rowsOfAStep))]
        ) { ($0.integer(0), $0.text(1)) }
        for (note, id) in notes { try erase(note: note, id: id, in: record) }
        return notes.count < Erasure.rowsOfAStep
    }

    /// Deletes the thread's events in a range of the log, but not `thread.removed`: who was away learns from that event
    /// that the thread is gone, also who had left it before.
    private func eraseLog(of record: ThreadRecord, after place: Int64, through end: Int64) throws {
        // Before it came to its owner, the thread was an anonymous account's.
        let former = record.owner.former.filter { $0.threads.contains(record.number) }.map(\.number)
        let owners = Placeholders(([record.owner.number] + former).map(SQLValue.integer))
        let rows = try db.all(
            """
            SELECT place, type, audience, data, \(StoredEvent.base) FROM log
            WHERE place > ? AND place <= ? AND owner IN \(owners.sql) ORDER BY place
            """, [.integer(place), .integer(end)] + owners.values
        ) {
            (
                place: $0.integer(0), type: $0.text(1), members: [AudienceMember](packed: $0.blob(2)),
                data: try $0.event(3, base: 4).data
            )
        }
        for row in rows {
            guard let type = EventType(rawValue: row.type), type != .threadRemoved else { continue }
            let event = LogEvent(cursor: nil, type: type, data: row.data, members: [])
            guard event.threadID == record.thread.id else { continue }
            try db.deleteLogRow(row.place, members: row.members)
            scrub(event: row.place)
        }
    }

    /// Notes what ``eraseHistory()`` is to erase of a thread, or how far it has come; see ``Erasure``.
    func noteErasure(at line: Int64, of thread: Int64) throws {
        try db.run(
            "INSERT INTO erasure (thread, line) VALUES (?, ?) ON CONFLICT (thread) DO UPDATE SET line = excluded.line",
            [.integer(thread), .integer(line)])
    }

    /// Lets contacts be numbered from 1 again, if no thread has one. The reports lose those of removed threads.
    public func restartContacts() throws {
        let lowest =
            try db.first("SELECT min(number) FROM contact WHERE thread > 0") { $0.isNull(0) ? nil : $0.integer(0) }
            ?? nil
        guard lowest == nil else { return }
        // What the reports have of removed threads.
        try db.run("DELETE FROM contact WHERE thread = 0")
        try db.restartNumbers(of: "contact")
    }

    /// The accounts of a service on channels other than this one.
    public func accounts(of service: String, notOn channel: String) throws -> [AccountRecord] {
        try db.all(
            "SELECT \(AccountRecord.columns) FROM account WHERE service = ? AND channel <> ?",
            [.text(service), .text(channel)]
        ) { try AccountRecord(row: $0) }
    }

    /// Removes an account that has neither threads nor sessions.
    public func removeAccount(_ account: Int64) throws {
        try db.run("DELETE FROM account WHERE number = ?", [.integer(account)])
        try db.run("DELETE FROM usage WHERE account = ?", [.integer(account)])
        try removeNotes(about: account)
        try removeExtras(of: .account(account))
        hot?.forget(account: account)
    }
}

/// What the column `line` of `erasure` says: a time up to which messages go, or how far a removed thread is erased.
enum Erasure {
    /// The thread was removed, and has messages.
    static let everything = Int64.max
    /// The most messages, or notes, that a step erases.
    static let rowsOfAStep = 200
    /// The most places of the log that a step looks at.
    static let placesOfAStep: Int64 = 5000

    /// The thread was removed and has no messages. The log has none of its events up to this place.
    static func line(at place: Int64) -> Int64 { -1 - place }

    /// Nil for a line of another kind.
    static func place(of line: Int64) -> Int64? { line < 0 ? -1 - line : nil }

    static func isOfRemoved(_ line: Int64) -> Bool { line < 0 || line == everything }
}

/// Removing the conversations of a channel that ended long ago.
extension ChatStore {
    /// Threads that one look finds, and threads that one unit removes.
    private static let portion = 200
    private static let batch = 20

    /// Removes the closed threads of a channel that nothing has happened in since a time, with everything in them.
    /// Their members are told. Returns how many there were.
    ///
    /// It may be cut off anywhere: called again it goes on.
    @discardableResult
    public func removeThreads(
        ofService service: String, channel: String, closedBefore time: Timestamp
    ) async throws(ChatError) -> Int {
        var count = 0
        var place: (activity: Int64, number: Int64)? = (.min, 0)
        while let last = place {
            let found = try await read {
                try $0.closedThreads(of: channel, before: time, after: last, limit: Self.portion)
            }
            for start in stride(from: 0, to: found.count, by: Self.batch) {
                let numbers = found[start..<min(start + Self.batch, found.count)].map(\.number)
                count += try await write(inBackground: true) { transaction in
                    try numbers.filter { try transaction.removeThread($0, ofService: service, closedBefore: time) }
                        .count
                }
                while try await write(inBackground: true, { try $0.eraseHistory() }) {}
            }
            place = found.count == Self.portion ? found.last : nil
        }
        return count
    }
}

extension ReadTransaction {
    /// The channel's closed threads that the desk knows, the one that was quiet for the longest time first.
    fileprivate func closedThreads(
        of channel: String, before time: Timestamp, after place: (activity: Int64, number: Int64), limit: Int
    ) throws -> [(activity: Int64, number: Int64)] {
        try db.all(
            """
            SELECT activity, number FROM thread
            WHERE channel = ? AND isClosed = 1 AND isKnownToDesk = 1 AND activity < ? AND (activity, number) > (?, ?)
            ORDER BY activity, number LIMIT ?
            """,
            [
                .text(channel), .integer(time.milliseconds), .integer(place.activity), .integer(place.number),
                .integer(Int64(limit)),
            ]
        ) { (activity: $0.integer(0), number: $0.integer(1)) }
    }
}

extension WriteTransaction {
    /// Removes a thread unless something has happened in it since, or it is another service's. Returns whether it did.
    fileprivate func removeThread(
        _ number: Int64, ofService service: String, closedBefore time: Timestamp
    ) throws -> Bool {
        guard let record = try thread(number: number), record.isKnownToDesk, record.thread.state == .closed,
            record.thread.lastActivityAt < time, record.owner.key.service == service
        else { return false }
        try removeThread(number)
        return true
    }
}
