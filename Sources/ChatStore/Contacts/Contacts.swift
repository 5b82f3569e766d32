import ChatModel

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
