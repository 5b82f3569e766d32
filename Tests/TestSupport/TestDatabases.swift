import Foundation
import PostgresStore
import Synchronization
import Testing

/// The databases of tests on PostgreSQL: one for each folder, dropped with it.
///
/// With `PARLEY_TEST_STORE=postgres` the tests' stores are there. `Tests/with-postgres` starts a server for them.
public enum TestDatabases {
    private static let environment = ProcessInfo.processInfo.environment
    /// Whether this run's stores are in PostgreSQL.
    public static let isPostgres = environment["PARLEY_TEST_STORE"] == "postgres"
    /// The server that `Tests/with-postgres` has started; nil without.
    public static let server = environment["PARLEY_TEST_POSTGRES"]

    private static let names = Mutex<[String: String]>([:])

    /// The server of a run with these variables; nil for SQLite. Throws ``MissingServer``.
    package static func server(of environment: [String: String]) throws -> String? {
        guard environment["PARLEY_TEST_STORE"] == "postgres" else { return nil }
        guard let server = environment["PARLEY_TEST_POSTGRES"], !server.isEmpty else { throw MissingServer() }
        return server
    }

    /// How the store of a folder is opened; nil for SQLite.
    static func options(for folder: String) throws -> PostgresOptions? {
        guard let server = try server(of: environment) else { return nil }
        let name = names.withLock { names in
            if let known = names[folder] { return known }
            let made = "t_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
            names[folder] = made
            return made
        }
        var options = PostgresOptions(
            address: try PostgresDatabases.make(name, on: server), readers: 3, gateway: "test")
        options.allowsLoss = true
        options.readsOnCallersThread = true
        return options
    }

    /// Drops the databases of a folder and of those in it.
    static func drop(in folder: String) {
        guard isPostgres, let server else { return }
        let gone = names.withLock { names in
            let gone = names.filter { $0.key.hasPrefix(folder) }
            names = names.filter { !$0.key.hasPrefix(folder) }
            return gone
        }
        for name in gone.values { try? PostgresDatabases.drop(name, on: server) }
    }
}

/// A run wants its stores in PostgreSQL, and there is no server for them.
package struct MissingServer: Error, CustomStringConvertible {
    package var description: String {
        """
        PARLEY_TEST_STORE=postgres needs a server in PARLEY_TEST_POSTGRES, and there is none. Run the tests by \
        Tests/with-postgres, which starts one.
        """
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests of what only SQLite has, such as its file.
    public static func onSQLite(_ reason: Comment) -> Self { .disabled(if: TestDatabases.isPostgres, reason) }
}
