import ChatModel
import ChatStore

/// What a database says when it is opened.
struct PostgresIdentity {
    var epoch = ""
    var instance = ""
    /// A random text that the server draws at each opening. It tells processes of one gateway's name apart.
    var process = ""
    var head: Int64 = 0
    var floor: Int64 = 0
    /// The number of the last row of `committed`; 0 before the first.
    var lastCommit: Int64 = 0
}

/// Makes the tables of an empty database, and refuses a server that would lose what was acknowledged.
enum PostgresOpening {
    /// The version of the tables, and the oldest version whose gateways can use a database that this version has written.
    static let version: Int64 = 7
    private static let oldest: Int64 = 7
    /// PostgreSQL 14, in the server's own numbering.
    static let oldestServer = 140_000

    /// Throws ``PostgresRefusal`` with the sentence that helps, and ``PostgresError``.
    static func open(
        _ session: PostgresSession, _ options: PostgresOptions, _ environment: ModelEnvironment
    ) throws -> PostgresIdentity {
        try check(session, options)
        // Two gateways may start at the same time on an empty database. The number is the word "parley" in ASCII.
        try session.hold("BEGIN")
        try session.hold("SELECT pg_advisory_xact_lock(?)", [.integer(0x7061_726C_6579)])
        do {
            try prepare(session, environment)
            try checkRows(session)
            if let digest = options.keyDigest { try keepOrRefuse(digest, session) }
            let tokens = options.tokenDigests()
            if let present = tokens.first { try keepOrRefuse(tokens: tokens, present: present, session) }
            let identity = try read(session)
            try session.hold("COMMIT")
            try session.flush()
            return identity
        } catch {
            if session.connection.isOpen {
                try? session.hold("ROLLBACK")
                _ = try? session.flush()
            }
            throw (error as? PostgresError).flatMap(PostgresRefusal.init) ?? error
        }
    }

    private static func prepare(_ session: PostgresSession, _ environment: ModelEnvironment) throws {
        guard try !hasTables(session) else {
            try expand(session)
            return try checkVersion(session)
        }
        for statement in PostgresTables.all.split(separator: ";") {
            let sql = statement.trimmed
            if !sql.isEmpty { try session.hold(sql) }
        }
        try session.hold("CREATE TABLE schema (version bigint NOT NULL, oldest bigint NOT NULL)")
        try session.flush()
        try session.hold("INSERT INTO schema (version, oldest) VALUES (?, ?)", [.integer(version), .integer(oldest)])
        try session.hold(
            "INSERT INTO identity (epoch, instance) VALUES (?, ?)",
            [.text(digits(12, environment)), .text(digits(8, environment))])
        try session.hold("INSERT INTO meta (name, value) VALUES ('floor', 0)")
        try session.hold(PostgresWriter.noteServer)
    }

    /// Adds what the tables of an earlier version lack. A gateway of that version may serve the database meanwhile: what is
    /// new does not concern it. ``noteWriter(_:)`` refuses it when this version has written.
    private static func expand(_ session: PostgresSession) throws {
        let found = try session.first("SELECT version FROM schema")
        guard found < version else { return }
        for step in PostgresTables.expansions[Int(clamping: found - 1)...] {
            for statement in step.split(separator: ";") where !statement.trimmed.isEmpty {
                try session.hold(statement.trimmed)
            }
        }
        try session.hold("UPDATE schema SET version = ?", [.integer(version)])
        try session.flush()
    }

    /// This gateway is about to write, under its fence. From now on gateways that cannot read what it writes are refused, and
    /// what they have left out is filled in.
    static func noteWriter(_ session: PostgresSession) throws {
        let found = try session.first("SELECT oldest FROM schema")
        guard found < oldest else { return }
        try session.hold("BEGIN")
        try session.hold("UPDATE schema SET oldest = ?", [.integer(oldest)])
        try PostgresFilling.run(session, since: found)
        try session.hold("COMMIT")
        try session.flush()
    }

    /// Keeps the digest of the first gateway's key, and refuses another.
    private static func keepOrRefuse(_ digest: [UInt8], _ session: PostgresSession) throws {
        try session.hold("UPDATE identity SET keyDigest = ? WHERE keyDigest IS NULL", [.blob(digest)])
        let isOurs = try session.first(
            "SELECT CAST(CASE WHEN keyDigest = ? THEN 1 ELSE 0 END AS bigint) FROM identity", [.blob(digest)])
        guard isOurs == 1 else { throw PostgresRefusal.otherKey }
    }

    /// Keeps the digest of the present token, and refuses a gateway that does not have the one before. It is a number
    /// of `meta`, and no column of its own, because older databases and gateways have none.
    private static func keepOrRefuse(tokens digests: [Int64], present: Int64, _ session: PostgresSession) throws {
        try session.hold(
            "INSERT INTO meta (name, value) VALUES ('token', ?) ON CONFLICT (name) DO NOTHING", [.integer(present)])
        let known = try session.first("SELECT value FROM meta WHERE name = 'token'")
        guard digests.contains(known) else { throw PostgresRefusal.otherToken }
        if known != present { try session.hold("UPDATE meta SET value = ? WHERE name = 'token'", [.integer(present)]) }
    }

    /// Whether the database has the store's tables, where the session would find them: another schema may have a table of
    /// the same name.
    static func hasTables(_ session: PostgresSession) throws -> Bool {
        try session.first(hasTable, [.text("committed")]) > 0
    }

    private static let hasTable = "SELECT CASE WHEN to_regclass(?) IS NULL THEN 0 ELSE 1 END"

    /// Throws ``PostgresRefusal`` when the tables are those of a newer version, and when one is missing.
    static func checkVersion(_ session: PostgresSession) throws {
        guard try session.first("SELECT oldest FROM schema") <= version else { throw PostgresRefusal.newerVersion }
        guard try session.first("SELECT version FROM schema") >= version else {
            throw PostgresRefusal.store(
                "has tables of an earlier version. Start a gateway of this version on it first.")
        }
        var missing: [String] = []
        for name in PostgresTables.names where try session.first(hasTable, [.text(name)]) == 0 { missing.append(name) }
        guard missing.isEmpty else { throw PostgresRefusal.store("lacks a table of Parley: \(missing[0]). \(restore)") }
    }

    private static let restore = "Restore it from a backup, or name another one."

    /// Throws ``PostgresRefusal`` unless each table that has one row has it.
    private static func checkRows(_ session: PostgresSession) throws {
        let rows = try session.first(
            """
            SELECT CASE WHEN (SELECT count(*) FROM identity) = 1 AND (SELECT count(*) FROM writer) = 1 \
            AND (SELECT fence FROM writer) BETWEEN 0 AND \(largest) \
            AND coalesce((SELECT max(place) FROM committed), 0) BETWEEN 0 AND \(largest) \
            AND coalesce((SELECT max(number) FROM committed), 0) BETWEEN 0 AND \(largest) \
            AND coalesce((SELECT max(high) FROM lost), 0) BETWEEN 0 AND \(largest) \
            AND (SELECT value FROM meta WHERE name = 'floor') BETWEEN 0 AND \(largest) THEN 1 ELSE 0 END
            """)
        guard rows == 1 else {
            throw PostgresRefusal.store(
                """
                was changed by another program: the rows of identity, writer, committed, lost or meta are not those of Parley. \
                \(restore)
                """)
        }
    }

    /// No number of Parley's comes so far.
    private static let largest = Int64.max / 2

    /// Reads what there is once. In the transaction that keeps other writers out, it is exact.
    static func read(_ session: PostgresSession) throws -> PostgresIdentity {
        var identity = PostgresIdentity()
        try session.query(
            """
            SELECT epoch, instance, coalesce((SELECT value FROM meta WHERE name = 'floor'), 0), \
            coalesce((SELECT place FROM committed ORDER BY number DESC LIMIT 1), 0), \
            coalesce((SELECT max(number) FROM committed), 0), CAST(gen_random_uuid() AS text) FROM identity
            """, []
        ) { row in
            identity = PostgresIdentity(
                epoch: row.text(0), instance: row.text(1), process: row.text(5), head: row.integer(3),
                floor: row.integer(2), lastCommit: row.integer(4))
            return false
        }
        return identity
    }

    private static func check(_ session: PostgresSession, _ options: PostgresOptions) throws {
        guard session.connection.serverVersion >= oldestServer else {
            throw PostgresRefusal.server("PostgreSQL 14 or newer is needed.")
        }
        var settings: [String: String] = [:]
        try session.query(
            """
            SELECT name, setting FROM pg_settings \
            WHERE name IN ('fsync', 'full_page_writes', 'server_encoding', 'transaction_read_only')
            """, []
        ) { row in
            settings[row.text(0)] = row.text(1)
            return true
        }
        guard settings["server_encoding"] == "UTF8" else {
            throw PostgresRefusal.server(
                "The database must have the encoding UTF8: CREATE DATABASE .. ENCODING 'UTF8'.")
        }
        guard settings["transaction_read_only"] == "off" else {
            throw PostgresRefusal.server(
                """
                The server only reads. If it is a standby, name its primary too, with target_session_attrs=read-write. \
                Otherwise set default_transaction_read_only = off.
                """)
        }
        for name in ["fsync", "full_page_writes"] where settings[name] == "off" && !options.allowsLoss {
            throw PostgresRefusal.server(
                "The server runs with \(name) = off, and would lose acknowledged messages. Set \(name) = on.")
        }
    }

    private static func digits(_ count: Int, _ environment: ModelEnvironment) -> String {
        let digits = Array("0123456789abcdef")
        return String((0..<count).map { _ in digits[min(15, Int(environment.random() * 16))] })
    }
}

extension PostgresSession {
    /// The number in the first column of the first row; 0 if there is none.
    func first(_ sql: String, _ values: [SQLValue] = []) throws -> Int64 {
        var number: Int64 = 0
        try query(sql, values) { row in
            number = row.integer(0)
            return false
        }
        return number
    }
}

extension Substring {
    fileprivate var trimmed: String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}

/// Makes and drops databases. For tests, each of which has one of its own.
package enum PostgresDatabases {
    /// Makes an empty database, unless there is one of this name. Returns its address.
    ///
    /// - Parameters:
    ///   - name: letters, digits and underscores.
    ///   - server: the address of another database of the server, as a URI.
    package static func make(_ name: String, on server: String) throws -> String {
        let session = PostgresSession(try PostgresConnection(server))
        let isThere = try session.first("SELECT count(*) FROM pg_database WHERE datname = ?", [.text(name)]) > 0
        if !isThere {
            try session.hold("CREATE DATABASE \(name)")
            try session.flush()
        }
        session.connection.close()
        return address(of: name, on: server)
    }

    /// Cuts the connections to a database, gives it another name, so that they are not made again, and drops all that is
    /// in it.
    package static func empty(_ name: String, renamedTo next: String, on server: String) throws {
        let session = PostgresSession(try PostgresConnection(server))
        defer { session.connection.close() }
        // Waits until they have ended, 5 s at most.
        _ = try session.first(
            "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE datname = ?", [.text(name)])
        try session.hold("ALTER DATABASE \(name) RENAME TO \(next)")
        try session.flush()
        let inside = PostgresSession(try PostgresConnection(address(of: next, on: server)))
        defer { inside.connection.close() }
        try inside.hold("DROP SCHEMA public CASCADE")
        try inside.hold("CREATE SCHEMA public")
        try inside.flush()
    }

    /// Drops a database, and cuts the connections to it.
    package static func drop(_ name: String, on server: String) throws {
        let session = PostgresSession(try PostgresConnection(server))
        try session.hold("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
        try session.flush()
        session.connection.close()
    }

    /// The address with another database: what stands between the host and the query.
    static func address(of name: String, on server: String) -> String {
        let parts = server.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let host = parts[0].lastIndex(of: "/").map { parts[0][...$0] } ?? parts[0]
        return host + name + (parts.count > 1 ? "?" + parts[1] : "")
    }
}
