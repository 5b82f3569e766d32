import ChatModel
import Formats

/// The routed work items inside threads (CXone's contact, case, consumerContact).
extension WriteTransaction {
    /// Opens a contact for a thread that has none open. Saving the thread is the caller's.
    public func openContact(for record: inout ThreadRecord) throws {
        guard record.thread.contactID == nil || record.thread.contactClosedAt != nil else { return }
        try db.run(
            "INSERT INTO contact (thread, openedAt) VALUES (?, ?)", [.integer(record.number), .integer(now.milliseconds)])
        record.thread.contactID = "\(db.lastInsertedRowID)"
        record.thread.contactClosedAt = nil
    }

    /// Closes the thread's contact, if one is open. Saving the thread is the caller's.
    public func closeContact(of record: inout ThreadRecord) throws {
        guard let number = record.thread.contactID.flatMap({ Int64($0) }), record.thread.contactClosedAt == nil else { return }
        try db.run("UPDATE contact SET closedAt = ? WHERE number = ?", [.integer(now.milliseconds), .integer(number)])
        record.thread.contactClosedAt = now
    }
}

/// When something is to happen to a live chat whose customer is silent; each has one such time at most.
extension ReadTransaction {
    /// The first such time of all.
    public func nextInactivity() throws -> Timestamp? {
        try db.first("SELECT min(dueAt) FROM inactivity") { $0.isNull(0) ? nil : Timestamp(milliseconds: $0.integer(0)) } ?? nil
    }

    /// Whether the thread is watched at all.
    public func isWatched(_ record: ThreadRecord) throws -> Bool {
        try db.first("SELECT 1 FROM inactivity WHERE thread = ?", [.integer(record.number)]) { _ in true } ?? false
    }

    /// The threads whose time has come, the earliest first.
    public func dueForInactivity(at time: Timestamp, limit: Int) throws -> [ThreadRecord] {
        try threads(numbered: db.all(
            "SELECT thread FROM inactivity WHERE dueAt <= ? ORDER BY dueAt, thread LIMIT ?",
            [.integer(time.milliseconds), .integer(Int64(limit))]
        ) { $0.integer(0) })
    }
}

extension WriteTransaction {
    /// Sets the thread's time, or takes it away.
    public func watch(_ record: ThreadRecord, until time: Timestamp?) throws {
        if let time {
            try db.run(
                "INSERT INTO inactivity (thread, dueAt) VALUES (?, ?) ON CONFLICT (thread) DO UPDATE SET dueAt = excluded.dueAt",
                [.integer(record.number), .integer(time.milliseconds)])
        } else {
            try db.run("DELETE FROM inactivity WHERE thread = ?", [.integer(record.number)])
        }
    }

    /// The clock was moved by so many milliseconds: what was to come before keeps its distance. What was set since is left alone,
    /// as far as it can be told: it lies between now and the middle of the move, or after now.
    public func moveInactivity(by milliseconds: Int64) throws {
        let condition = milliseconds < 0 ? "dueAt >= ?2" : "dueAt < ?2"
        let border = milliseconds < 0 ? now.milliseconds - milliseconds / 2 : now.milliseconds
        try db.run(
            "UPDATE inactivity SET dueAt = dueAt + ?1 WHERE \(condition)", [.integer(milliseconds), .integer(border)])
    }

    /// Logs that the thread's customers are shown a popup: `proactive`.
    public func log(_ popup: InactivityPopup, in record: ThreadRecord) throws {
        let event = ProactiveEvent(.inactivityPopup(popup, threadID: record.thread.id))
        try append(event, owner: record.owner, message: nil, members: record.audience(withDesk: false))
    }
}
