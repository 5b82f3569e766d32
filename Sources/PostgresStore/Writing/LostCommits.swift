import ChatStore

/// What is done when the database has lost commits whose cursors were given out: an asynchronous standby was promoted, or
/// a backup was restored.
extension PostgresWriter {
    /// The numbers of commits, accounts and the like leap as the offsets do.
    static let leap = LostOffsets.leap

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
        let lacksKnown = number < max(lastCommit, known.number) || place < max(known.place, seen)
        var hasLost = lacksKnown
        if !isServerChecked {
            if try isAnotherServer(session) { hasLost = true }
            try trimmer.readGaps(reading: session)
        }
        guard hasLost else {
            (isServerChecked, hasWritten) = (true, true)
            return false
        }
        let lost = LostOffsets(after: place, known: max(known.place, seen))
        let (next, head, now) = (max(number, lastCommit, known.number) + Self.leap, lost.high, environment.now())
        for (sql, values) in lost.statements(at: now, tellsWebhooks: lacksKnown || !hasWritten) {
            try session.hold(sql, values)
        }
        try session.hold(
            "INSERT INTO committed (number, place, first, gateway, process, at) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .integer(next), .integer(head), .integer(place), .text(options.gateway), .text(process),
                .integer(now.milliseconds),
            ])
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

    /// Whether the database was on another timeline or in another cluster when this was noted last, or had another table of
    /// commits. The timeline changes with each promotion and each restore to a point in time, the cluster's identifier with
    /// a restore into another cluster, and the table's with a restore from a dump.
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
        // A database of an earlier version does not know all of it yet.
        if known == found, known < Self.serverRows { try session.hold(Self.noteServer) }
        return known != found
    }

    /// The server's timeline and cluster, and which table the commits are in, as rows of `meta`. Any role may ask for them.
    private static let server = """
        SELECT 'timeline' AS name, CAST(CAST('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) AS bit(32)) \
        AS bigint) AS value UNION ALL SELECT 'system', system_identifier FROM pg_control_system() \
        UNION ALL SELECT 'tables', CAST(CAST(to_regclass('committed') AS oid) AS bigint)
        """
    private static let serverRows = 3

    /// Makes the next gateway that writes take the database for a restored one.
    static let forgetServer = """
        INSERT INTO meta (name, value) VALUES ('tables', 0) ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """

    /// Stores which server it is.
    static let noteServer = """
        INSERT INTO meta (name, value) SELECT name, value FROM (\(server)) now \
        ON CONFLICT (name) DO UPDATE SET value = excluded.value
        """
}
