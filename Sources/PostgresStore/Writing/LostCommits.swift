import ChatModel
import ChatStore

/// What is done when the database has lost commits whose cursors were given out: an asynchronous standby was promoted, or
/// a backup was restored.
extension PostgresWriter {
    /// How far the head goes on beyond all offsets that may have been given out: further than a database can fall behind.
    static let leap: Int64 = 1 << 32

    /// Compares the server and its last commit with what is known. If commits are lost, or may be, moves the head and
    /// notes the range of the offsets that are void, in one transaction, which is committed. Returns whether it did: the
    /// lock is free then. Call it under the lock.
    ///
    /// Offsets that were lost are never used again: messages and events with them may be on screens. A cursor among them
    /// has expired; see ``ReadTransaction/replay(_:after:limit:epoch:)``. The same holds for numbers of accounts and the
    /// like, for this gateway may have them in memory.
    ///
    /// A webhook's position went back with the database, so the webhook may have got events that are void. It is told of
    /// the range. A process that has written before, and finds all of that, knows that nothing it has told is lost.
    func leapOverLostCommits(_ session: PostgresSession, number: Int64, place: Int64) throws -> Bool {
        let known = following.known
        let lacksKnown = number < max(lastCommit, known.number) || place < known.place
        var hasLost = lacksKnown
        if !isServerChecked {
            if try isAnotherServer(session) { hasLost = true }
            try readGaps(session)
        }
        guard hasLost else {
            (isServerChecked, hasWritten) = (true, true)
            return false
        }
        let (next, head) = (max(number, lastCommit, known.number) + Self.leap, max(place, known.place) + Self.leap)
        let now = environment.now().milliseconds
        try session.hold(
            "INSERT INTO lost (low, high, at) VALUES (?, ?, ?)", [.integer(place), .integer(head), .integer(now)])
        try session.hold(
            "INSERT INTO committed (number, place, first, gateway, process, at) VALUES (?, ?, ?, ?, ?, ?)",
            [.integer(next), .integer(head), .integer(place), .text(options.gateway), .text(process), .integer(now)])
        if lacksKnown || !hasWritten {
            try session.hold(
                """
                UPDATE target SET gapFrom = least(coalesce(gapFrom, ?), ?), gapTo = ? WHERE kind = 'webhook'
                """, [.integer(place), .integer(place), .integer(head)])
        }
        for table in StoreImage.numberedTables + ["account"] {
            let sequence = "pg_get_serial_sequence('\(table)', 'number')"
            try session.hold("SELECT setval(\(sequence), nextval(\(sequence)) + ?)", [.integer(Self.leap)])
        }
        try session.hold(Self.noteServer)
        try session.hold("SELECT pg_notify('parley', ?)", [.text(LookSchedule.payload(place: head, process: ""))])
        try session.hold("SET LOCAL statement_timeout = 0")
        _ = session.connection.takeNotices()
        try session.hold("COMMIT")
        try session.flush()
        guard session.connection.takeNotices().isEmpty else {
            // Whether it stands is looked at anew on the next connection.
            close()
            throw PostgresError(.connection, detail: "The commit was not waited for.")
        }
        isServerChecked = false
        // What follows from the new row is read like another gateway's commit: the numbers do not join on, so all that
        // is kept in memory is dropped.
        hot.removeAll()
        return true
    }

    /// Whether the database was on another timeline or in another cluster when this was noted last. The timeline changes
    /// with each promotion and each restore to a point in time, the cluster's identifier with a restore from a dump.
    private func isAnotherServer(_ session: PostgresSession) throws -> Bool {
        var (known, found) = (0, 0)
        try session.query(
            """
            SELECT CAST(count(*) AS bigint), CAST(coalesce(sum(CASE WHEN meta.value = now.value THEN 1 ELSE 0 END), 0) \
            AS bigint) FROM (\(Self.server)) now JOIN meta ON meta.name = now.name
            """, []
        ) { row in
            (known, found) = (Int(row.integer(0)), Int(row.integer(1)))
            return false
        }
        // A database of an earlier version does not know yet.
        if known == 0 { try session.hold(Self.noteServer) }
        return known != found
    }

    /// Tells the trimmer of all ranges that are void.
    func readGaps(_ session: PostgresSession) throws {
        var gaps: [(low: Int64, high: Int64)] = []
        try session.query("SELECT low, high FROM lost ORDER BY high", []) { row in
            gaps.append((row.integer(0), row.integer(1)))
            return true
        }
        trimmer.gaps = gaps
    }

    /// The server's timeline and cluster, as rows of `meta`. Any role may ask for both.
    private static let server = """
        SELECT 'timeline' AS name, CAST(CAST('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS bit(32)) \
        AS bigint) AS value UNION ALL SELECT 'system', system_identifier FROM pg_control_system()
        """

    /// Stores which server it is.
    static let noteServer = """
        INSERT INTO meta (name, value) SELECT name, value FROM (\(server)) now \
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
}
