import ChatModel

/// Writing what a remote service says of threads. What changes nothing logs nothing.
extension WriteTransaction {
    /// Adds or updates a thread of an account, and logs `thread.created` or `thread.updated`. A copy that changes
    /// nothing logs nothing; from an older copy only the unread count is taken.
    ///
    /// - Parameter isNew: the thread was made just now while connected, so no message of it can be missing.
    @discardableResult
    public func merge(_ remote: RemoteThread, of account: Int64, isNew: Bool = false) throws -> ThreadRecord {
        guard var record = try thread(remote.thread.id, of: account) else {
            var thread = remote.thread
            let owner = try self.account(account)
            thread.members = [owner.customer]
            var record = try insert(thread, owner: owner)
            record.members[0].unreadCount = remote.unreadCount ?? 0
            try save(&record, logging: .threadCreated, withDesk: false)
            if isNew { try save([Chunk(low: .min, high: .min, isOpen: true)], insteadOf: [], of: record.number) }
            return record
        }
        let before = (record.thread, record.members)
        if remote.thread.updatedAt >= record.thread.updatedAt {
            let (members, preview) = (record.thread.members, record.thread.lastMessage)
            record.thread = remote.thread
            // Whom the store knows by itself, and what is newer here.
            record.thread.members = members
            if let preview, preview.createdAt >= remote.thread.lastMessage?.createdAt ?? preview.createdAt,
                preview.id != remote.thread.lastMessage?.id
            {
                record.thread.lastMessage = preview
            }
        }
        if let unreadCount = remote.unreadCount { record.members[0].unreadCount = unreadCount }
        if record.thread.lastMessage != before.0.lastMessage {
            // The number lets a removal of the message find its text here.
            record.lastMessageNumber = try record.thread.lastMessage.flatMap { try message($0.id, in: record)?.number }
        }
        if record.thread != before.0 || record.members[0].unreadCount != before.1[0].unreadCount {
            try save(&record, logging: .threadUpdated, withDesk: false)
        }
        return record
    }

    /// Deletes a thread of an account, and logs `thread.removed`. Its messages follow in batches:
    /// ``collectOrphans(limit:)``.
    public func removeRemoteThread(_ id: String, of account: Int64) throws {
        guard let record = try thread(id, of: account) else { return }
        try logRemoval(of: record)
        try orphan([record.number])
        try db.run("DELETE FROM outgoing WHERE account = ? AND thread = ?", [.integer(account), .text(id)])
        hot?.change(unsentBytes: nil, of: account)
        try db.run("DELETE FROM syncPosition WHERE account = ? AND thread = ?", [.integer(account), .text(id)])
    }

    /// Logs `thread.removed` for the thread's members.
    func logRemoval(of record: ThreadRecord) throws {
        try append(
            ThreadRemovedEvent(threadID: record.thread.id, by: cause), owner: record.owner, message: nil,
            members: record.audience(withDesk: false).map { AudienceMember($0.audience) })
    }
}
