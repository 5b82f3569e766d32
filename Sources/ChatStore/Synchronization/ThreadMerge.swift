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
            thread.members = [owner.customer] + (remote.others ?? [])
            var record = try insert(thread, owner: owner)
            record.members[0].unreadCount = remote.unreadCount ?? 0
            try merge(remote.own, into: &record)
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
        if let others = remote.others { record.thread.members = record.thread.members.prefix(1) + others }
        if let unreadCount = remote.unreadCount { record.members[0].unreadCount = unreadCount }
        try merge(remote.own, into: &record)
        if record.thread.lastMessage != before.0.lastMessage {
            // The number lets a removal of the message find its text here.
            record.lastMessageNumber = try record.thread.lastMessage.flatMap { try message($0.id, in: record)?.number }
        }
        if record.thread != before.0 || record.members[0].membership != before.1[0].membership {
            try save(&record, logging: .threadUpdated, withDesk: false)
        }
        return record
    }

    /// Takes over what the thread is for the account. The caller saves the thread.
    private func merge(_ own: RemoteMembership?, into record: inout ThreadRecord) throws {
        guard let own else { return }
        var member = record.members[0]
        (member.state, member.isHidden) = (own.state, own.isHidden)
        if let line = own.historyResetAt, line > member.historyResetAt ?? .earliest {
            member.historyResetAt = line
            record.historyBoundary = max(record.historyBoundary, line.milliseconds)
            // The account's list of messages gets a new version, although no message has changed.
            record.messagesVersion = nextOffset
            touch(thread: record.number)
        }
        guard member != record.members[0] else { return }
        record.members[0] = member
        try saveMembership(member, in: record)
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

/// Ids of threads and messages that a client of another protocol has made, where this gateway stands in for the
/// platform of that protocol. Such a client hears its own ids as it made them, whatever the protocol wants of others.
///
/// They stand in the table `remoteID`: a message's under itself, a thread's under the empty text, which is no id.
extension ReadTransaction {
    /// Those of the ids under which a client has made one of the account's threads.
    ///
    /// - Parameter ids: at most as many as a page has.
    package func foreignIDs(among ids: [String], of account: Int64) throws -> Set<String> {
        guard !ids.isEmpty else { return [] }
        let list = Placeholders(ids.map(SQLValue.text))
        return Set(
            try db.all(
                """
                SELECT member.id FROM member JOIN remoteID ON remoteID.thread = member.thread AND remoteID.remote = ''
                WHERE member.account = ? AND member.id IN \(list.sql)
                """, [.integer(account)] + list.values
            ) { $0.text(0) })
    }

    /// Those of the ids under which a client has made a message of one of the account's threads.
    ///
    /// - Parameter ids: at most as many as a page has.
    package func foreignIDs(among ids: [String], in thread: String, of account: Int64) throws -> Set<String> {
        guard !ids.isEmpty else { return [] }
        let list = Placeholders(ids.map(SQLValue.text))
        return Set(
            try db.all(
                """
                SELECT remoteID.remote FROM member JOIN remoteID ON remoteID.thread = member.thread
                WHERE member.account = ? AND member.id = ? AND remoteID.remote IN \(list.sql)
                """, [.integer(account), .text(thread)] + list.values
            ) { $0.text(0) })
    }

    /// The ids of the account's threads after one of them, in the order of the ids.
    package func threadIDs(of account: Int64, after id: String, limit: Int) throws -> [String] {
        try db.all(
            "SELECT id FROM member WHERE account = ? AND id > ? ORDER BY id LIMIT ?",
            [.integer(account), .text(id), .integer(Int64(limit))]
        ) { $0.text(0) }
    }

    /// The ids of the thread's messages after one of them, in the order of the ids.
    package func messageIDs(of thread: ThreadRecord, after id: String, limit: Int) throws -> [String] {
        try db.all(
            "SELECT id FROM message WHERE thread = ? AND id > ? ORDER BY id LIMIT ?",
            [.integer(thread.number), .text(id), .integer(Int64(limit))]
        ) { $0.text(0) }
    }
}

extension WriteTransaction {
    /// Notes that a client has made the thread under this id. Does nothing if the account has no such thread.
    package func noteForeignID(ofThread id: String, of account: Int64) throws {
        try noteForeignID("", of: id, in: id, account)
    }

    /// Notes that a client has made a message of the thread under this id, or is about to.
    package func noteForeignID(ofMessage id: String, in thread: String, of account: Int64) throws {
        try noteForeignID(id, of: id, in: thread, account)
    }

    private func noteForeignID(_ remote: String, of id: String, in thread: String, _ account: Int64) throws {
        try db.run(
            """
            INSERT INTO remoteID (thread, remote, id) SELECT member.thread, ?, ? FROM member
            WHERE member.account = ? AND member.id = ? ON CONFLICT (thread, remote) DO NOTHING
            """, [.text(remote), .text(id), .integer(account), .text(thread)])
    }
}

/// Deleting synchronized threads, in steps that keep the writer busy for a short time only.
extension WriteTransaction {
    /// Deletes at most `limit` threads of an account, and its sync positions, so that they are fetched anew. Unsent
    /// messages and pending threads stay, because only this gateway has them.
    ///
    /// - Parameter isTold: logs `thread.removed` for each thread, when a client has asked for the deletion; the
    ///   threads then come back as `thread.created`. Otherwise nothing is logged.
    /// - Returns: whether there may be more threads.
    public func clearCache(of account: Int64, limit: Int, isTold: Bool = false) throws -> Bool {
        let numbers = try db.all(
            """
            SELECT member.thread FROM member JOIN thread ON thread.number = member.thread
            WHERE member.account = ? AND coalesce(\(db.jsonText(of: "thread.json", at: "state")), '') <> 'pending' LIMIT ?
            """, [.integer(account), .integer(Int64(limit))]
        ) { $0.integer(0) }
        if isTold {
            for number in numbers { if let record = try thread(number: number) { try logRemoval(of: record) } }
        }
        try orphan(numbers)
        try db.run("DELETE FROM syncPosition WHERE account = ?", [.integer(account)])
        return numbers.count == limit
    }

    /// Deletes threads with their memberships. Their messages are left to ``collectOrphans(limit:)``.
    func orphan(_ threads: [Int64]) throws {
        for number in threads {
            try db.run("INSERT INTO orphan (thread) VALUES (?) ON CONFLICT (thread) DO NOTHING", [.integer(number)])
            hot?.forget(thread: number)
            try db.run(
                "DELETE FROM member WHERE (account, id) IN (SELECT owner, id FROM thread WHERE number = ?)",
                [.integer(number)])
            try db.run("DELETE FROM thread WHERE number = ?", [.integer(number)])
            for table in ["chunk", "remoteID", "fields"] {
                try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(number)])
            }
            touch(thread: number)
        }
    }

    /// Deletes at most `limit` messages of a deleted thread. Returns whether there may be more.
    public func collectOrphans(limit: Int) throws -> Bool {
        guard
            let thread = try db.first("SELECT min(thread) FROM orphan", [], { $0.isNull(0) ? nil : $0.integer(0) })
                ?? nil
        else { return false }
        let messages = try db.all(
            "SELECT number FROM message WHERE thread = ? LIMIT ?", [.integer(thread), .integer(Int64(limit))]
        ) { $0.integer(0) }
        try releaseEvents(of: messages)
        let doomed = Placeholders(messages.map(SQLValue.integer))
        try db.run("DELETE FROM message WHERE number IN \(doomed.sql)", doomed.values)
        guard messages.count < limit else { return true }
        for table in ["tombstone", "watermark"] {
            try db.run("DELETE FROM \(table) WHERE thread = ?", [.integer(thread)])
        }
        try db.run("DELETE FROM orphan WHERE thread = ?", [.integer(thread)])
        return true
    }
}
