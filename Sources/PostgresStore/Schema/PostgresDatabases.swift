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
