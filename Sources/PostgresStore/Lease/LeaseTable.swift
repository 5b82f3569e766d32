import ChatStore

/// The lease's statements, on a connection of its own.
///
/// The gateway's advisory lock belongs to this connection: the server frees it as soon as the process dies, which is
/// seen long before the lease runs out.
struct LeaseTable {
    let connection: PostgresConnection
    let name: String
    /// The gateway's number, by which its advisory lock is known.
    private let number: Int64

    /// The first of the two numbers of all gateways' locks: the letters "parl" in ASCII.
    private static let lockClass = 0x7061_726C

    /// Makes the gateway's row, unless it is there.
    init(_ connection: PostgresConnection, name: String, url: String) throws(PostgresError) {
        self.connection = connection
        self.name = name
        let found = try connection.first(
            """
            INSERT INTO gateway (name, url, until, startedAt) VALUES (?, ?, clock_timestamp(), clock_timestamp()) \
            ON CONFLICT (name) DO UPDATE SET url = excluded.url RETURNING number
            """, [.text(name), .text(url)])
        guard let found else { throw PostgresError(.connection, detail: "The gateway has no row.") }
        number = found
    }

    /// Takes the gateway's advisory lock. Returns false while another connection has it: that of another gateway of the
    /// same name, or an earlier one of this gateway that the server has not given up yet.
    func lock() throws(PostgresError) -> Bool {
        let found = try connection.first(
            """
            SELECT CAST(CASE WHEN pg_try_advisory_lock(\(Self.lockClass), CAST(? AS int)) THEN 1 ELSE 0 END AS bigint)
            """, [.integer(number)])
        return found == 1
    }

    /// Who holds the lease now.
    func holder() throws -> LeaseState.Holder {
        var holder = LeaseState.Holder(name: "", fence: 0, isCurrent: false, isLocked: false, isLockKnown: true)
        try connection.query(Self.holderQuery) { row in
            holder = LeaseState.Holder(
                name: row.text(0), fence: row.integer(1), isCurrent: row.integer(2) == 1, isLocked: row.integer(3) == 1,
                isLeaving: row.integer(5) == 1, url: row.text(6), isLockKnown: row.integer(4) == 1)
            return false
        }
        return holder
    }

    /// Whether another connection has the lock of a gateway.
    private static let isLocked = """
        EXISTS (SELECT 1 FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 2 \
        AND CAST(l.classid AS bigint) = \(lockClass) AND CAST(l.objid AS bigint) = gateway.number \
        AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
        AND l.pid <> pg_backend_pid())
        """

    private static let holderQuery = """
        SELECT writer.holder, writer.fence, \
        CAST(CASE WHEN gateway.until > clock_timestamp() THEN 1 ELSE 0 END AS bigint), \
        CAST(CASE WHEN \(isLocked) THEN 1 ELSE 0 END AS bigint), \
        CAST(CASE WHEN gateway.server = \(server) THEN 1 ELSE 0 END AS bigint), \
        CAST(CASE WHEN EXISTS (SELECT 1 FROM meta WHERE meta.name = 'leaving' AND meta.value = writer.fence) \
        THEN 1 ELSE 0 END AS bigint), coalesce(gateway.url, '') \
        FROM writer LEFT JOIN gateway ON gateway.name = writer.holder WHERE writer.id = 1
        """

    /// Writes this gateway into the writer's row, if it may still do so. Returns its fence; nil if another was first.
    ///
    /// It waits for a group that is being committed, so that the holder before has either committed or can no more.
    func acquire(_ sight: LeaseState.Sight = LeaseState.Sight()) throws -> PostgresFence? {
        do {
            try connection.hold("BEGIN ISOLATION LEVEL READ COMMITTED")
            try connection.hold("SET LOCAL synchronous_commit = on")
            try connection.hold("SELECT 1 FROM writer WHERE id = 1 FOR UPDATE")
            let holder = try holder()
            guard LeaseState.mayTake(from: holder, sight) else {
                try connection.hold("ROLLBACK")
                try connection.flush()
                return nil
            }
            let fence = PostgresFence(holder: name, number: holder.fence + 1)
            try connection.hold(
                "UPDATE writer SET holder = ?, fence = ? WHERE id = 1", [.text(name), .integer(fence.number)])
            try connection.hold(
                "UPDATE gateway SET \(Self.renewal), startedAt = clock_timestamp() WHERE name = ?", [.text(name)])
            // Names that nobody uses any more, for instance those of any free ports.
            try connection.hold("DELETE FROM gateway WHERE until < clock_timestamp() - interval '1 day'")
            try connection.hold("COMMIT")
            try connection.flush()
            return fence
        } catch {
            if connection.isOpen {
                try? connection.hold("ROLLBACK")
                _ = try? connection.flush()
            }
            throw error
        }
    }

    /// Returns false when the writer's row does not name this fence any more.
    func renew(_ fence: PostgresFence) throws(PostgresError) -> Bool {
        try connection.hold(
            """
            UPDATE gateway SET \(Self.renewal) WHERE name = ? \
            AND EXISTS (SELECT 1 FROM writer WHERE id = 1 AND holder = ? AND fence = ?)
            """, [.text(name), .text(fence.holder), .integer(fence.number)])
        return try connection.flush() == 1
    }

    /// Tells the standbys that the holder is about to give the lease back. Returns whether there is one. The note names
    /// the fence, so it means nothing to a later holder. One whose process has died has its row for some seconds, and
    /// its lock no longer. Where there is none, an earlier note is taken back.
    func leave(_ fence: PostgresFence) throws(PostgresError) -> Bool {
        let others = try connection.first(
            """
            SELECT count(*) FROM gateway WHERE name <> ? AND until > clock_timestamp() \
            AND (server <> \(Self.server) OR \(Self.isLocked))
            """, [.text(name)])
        guard let others, others > 0 else {
            try connection.hold("DELETE FROM meta WHERE name = 'leaving'")
            try connection.flush()
            return false
        }
        try connection.hold(
            """
            INSERT INTO meta (name, value) VALUES ('leaving', ?) \
            ON CONFLICT (name) DO UPDATE SET value = excluded.value
            """, [.integer(fence.number)])
        try connection.flush()
        return true
    }

    /// A standby's row, for operators: it is there, and ready to take over.
    func stay() throws(PostgresError) {
        try connection.hold("UPDATE gateway SET \(Self.renewal) WHERE name = ?", [.text(name)])
        try connection.flush()
    }

    /// Gives the lease back, if it is still held, so that a standby need not wait until it runs out.
    func release(_ fence: PostgresFence?) throws(PostgresError) {
        try connection.hold("BEGIN")
        try connection.hold("SET LOCAL synchronous_commit = on")
        if let fence {
            try connection.hold(
                "UPDATE writer SET holder = '' WHERE id = 1 AND holder = ? AND fence = ?",
                [.text(fence.holder), .integer(fence.number)])
        }
        try connection.hold("UPDATE gateway SET until = clock_timestamp() WHERE name = ?", [.text(name)])
        try connection.hold("COMMIT")
        try connection.flush()
    }

    private static let renewal = """
        until = clock_timestamp() + interval '\(LeaseState.term.components.seconds) s', server = \(server)
        """

    /// What tells the runs of a server apart, and a standby that was promoted from its primary: the timeline, and when
    /// the server was started.
    private static let server = """
        substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || ' ' \
        || CAST(extract(epoch FROM pg_postmaster_start_time()) AS text)
        """
}
