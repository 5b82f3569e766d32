import ChatModel

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
