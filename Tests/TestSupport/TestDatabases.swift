import Foundation
import PostgresStore
import Synchronization
import Testing

/// The databases of tests on PostgreSQL: one for each folder. It is emptied when the folder goes, and used again, for to
/// make one takes as long as many a test.
///
/// With `PARLEY_TEST_STORE=postgres` the tests' stores are there; without, only those of tests of both engines. `Tests/with-postgres` starts a server for them.
public enum TestDatabases {
    private static let environment = ProcessInfo.processInfo.environment
    /// Whether this run's stores are in PostgreSQL.
    public static let isPostgres = environment["PARLEY_TEST_STORE"] == "postgres"
    /// The server that `Tests/with-postgres` has started; nil without.
    public static let server = try? server(of: environment)

    private struct State {
        /// By folder.
        var names: [String: String] = [:]
        /// Empty databases that no folder has.
        var idle: [String] = []
    }
    private static let state = Mutex(State())

    /// The server of a run with these variables. Throws ``MissingServer``.
    package static func server(of environment: [String: String]) throws -> String {
        guard let server = environment["PARLEY_TEST_POSTGRES"], !server.isEmpty else { throw MissingServer() }
        return server
    }

    /// How the store of a folder is opened. Throws ``MissingServer``.
    ///
    /// - Parameter readers: as many connections for reading as SQLite would have.
    static func options(for folder: String, readers: Int) throws -> PostgresOptions {
        let server = try server(of: environment)
        let name = state.withLock { state in
            if let known = state.names[folder] { return known }
            let name = state.idle.popLast() ?? newName()
            state.names[folder] = name
            return name
        }
        var options = try PostgresOptions(
            address: try PostgresDatabases.make(name, on: server), readers: readers, gateway: "test")
        options.allowsLoss = true
        return options
    }

    private static func newName() -> String {
        "t_" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    }

    /// Takes the databases of a folder and of those in it away. A store that still uses one finds it no more.
    public static func drop(in folder: String) {
        guard let server else { return }
        let gone = state.withLock { state in
            let gone = state.names.filter { $0.key.hasPrefix(folder) }
            state.names = state.names.filter { !$0.key.hasPrefix(folder) }
            return gone
        }
        for name in gone.values {
            let next = newName()
            do {
                try PostgresDatabases.empty(name, renamedTo: next, on: server)
                state.withLock { $0.idle.append(next) }
            } catch {
                for name in [name, next] { try? PostgresDatabases.drop(name, on: server) }
            }
        }
    }
}

/// A store is wanted in PostgreSQL, and there is no server for them.
package struct MissingServer: Error, CustomStringConvertible {
    package var description: String {
        """
        A store in PostgreSQL needs a server in PARLEY_TEST_POSTGRES, and there is none. Run the tests by \
        Tests/with-postgres, which starts one.
        """
    }
}

extension Trait where Self == ConditionTrait {
    /// For tests that need PostgreSQL, in whichever engine the run has its stores.
    public static var withPostgres: Self {
        .enabled(if: TestDatabases.server != nil, "no server: Tests/with-postgres starts one")
    }

    /// For tests of what only SQLite has, such as its file.
    public static func onSQLite(_ reason: Comment) -> Self { .disabled(if: TestDatabases.isPostgres, reason) }
}
