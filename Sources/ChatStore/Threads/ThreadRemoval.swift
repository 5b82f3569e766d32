import ChatModel

/// Removing all threads of an account for good, in steps that keep the writer busy for a short time only.
extension WriteTransaction {
    /// The most messages that a step erases.
    private static var removalLimit: Int { 200 }

    /// Erases messages of the account's oldest own thread, with their texts in log and receipts. The step that erases
    /// the last ones removes the thread, and logs `thread.removed` for its members and the desk.
    ///
    /// - Returns: whether the account may have more, whether a thread was removed, and what to tell its queue.
    public func removeThreadStep(
        of account: Int64
    ) throws -> (hasMore: Bool, isRemoved: Bool, queue: QueueChange?) {
        let number = try db.first(
            """
            SELECT min(thread.number) FROM member JOIN thread ON thread.number = member.thread
            WHERE member.account = ? AND thread.owner = ?
            """, [.integer(account), .integer(account)]
        ) { $0.isNull(0) ? nil : $0.integer(0) }
        guard let number = number ?? nil, var record = try thread(number: number) else { return (false, false, nil) }
        let rows = try db.all(
            "SELECT number, id FROM message WHERE thread = ? LIMIT ?",
            [.integer(number), .integer(Int64(Self.removalLimit))]
        ) { ($0.integer(0), $0.text(1)) }
        for (message, id) in rows { _ = try erase(message, id: id, in: record) }
        guard rows.count < Self.removalLimit else { return (true, false, nil) }
        for note in try db.all("SELECT number FROM note WHERE thread = ?", [.integer(number)], { $0.integer(0) }) {
            try scrub(message: note)
        }
        let audience = record.audience(withDesk: true)
        let queue = try leaveQueue(&record)
        for table in ["note", "contact", "inactivity", "erasure"] {
            try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(number)])
        }
        try append(
            ThreadRemovedEvent(threadID: record.thread.id), owner: record.owner, message: nil, members: audience)
        try orphan([number])
        // The members' rows are found by the thread's: those of others than the owner are left.
        try db.run("DELETE FROM member WHERE thread = ?", [.integer(number)])
        return (true, true, queue)
    }

    /// Lets contacts be numbered from 1 again, if there is none.
    public func restartContacts() throws {
        let lowest = try db.first("SELECT min(number) FROM contact") { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
        if lowest == nil { try db.restartNumbers(of: "contact") }
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
        hot?.forget(account: account)
    }
}
