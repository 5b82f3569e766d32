import ChatModel
import Foundation
import TestSupport

@testable import ChatStore
@testable import PostgresStore

/// A database of a test's own on the server that `Tests/with-postgres` has started.
struct TestDatabase: Sendable {
    let address: String
    let folder: String

    static func run(
        isolation: isolated (any Actor)? = #isolation, _ body: (TestDatabase) async throws -> Void
    ) async throws {
        guard let server = TestServer.address else { return }
        try await withFolder { folder in
            let name = "p_" + UUID().uuidString.replacing("-", with: "").lowercased()
            let address = try PostgresDatabases.make(name, on: server)
            defer { try? PostgresDatabases.drop(name, on: server) }
            try await body(TestDatabase(address: address, folder: folder))
        }
    }

    /// Opens a store, and closes it after the body.
    func open(
        _ gateway: String = "g1", through address: String? = nil, options: StoreOptions = StoreOptions(),
        environment: TestEnvironment = TestEnvironment(), isolation: isolated (any Actor)? = #isolation,
        _ body: (ChatStore) async throws -> Void
    ) async throws {
        var postgres = try PostgresOptions(address: address ?? self.address, readers: 2, gateway: gateway)
        postgres.allowsLoss = true
        let folder = folder + "/" + gateway
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let store = try ChatStore.open(
            postgres: postgres, folder: folder, options: options, environment: environment.environment)
        do {
            try await body(store)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    /// The first column of a query's rows, as text.
    func column(_ sql: String) throws -> [String] {
        let connection = try PostgresConnection(address)
        defer { connection.close() }
        var texts: [String] = []
        try connection.query(sql) { row in
            texts.append(row.text(0))
            return true
        }
        return texts
    }

    func number(_ sql: String) throws -> Int64 {
        let connection = try PostgresConnection(address)
        defer { connection.close() }
        return try connection.first(sql) ?? 0
    }
}

extension ChatStore {
    /// Has units wait together, so that they are one group. Returns what came of each.
    func group(_ units: [@Sendable (WriteTransaction) throws -> Void]) async throws -> [ChatError?] {
        try await together(units.map { unit in { try await self.write(unit) } })
    }

    /// The same for calls of which each writes one unit.
    func together(_ calls: [@Sendable () async throws -> Void]) async throws -> [ChatError?] {
        let (gate, isHeld) = (DispatchSemaphore(value: 0), Flag())
        let holding = Task {
            try await write { _ in
                isHeld.raise()
                gate.wait()
                // Open from now on: a unit may run twice.
                gate.signal()
            }
        }
        _ = await eventually { isHeld.isRaised }
        var tasks: [Task<ChatError?, Never>] = []
        for (index, call) in calls.enumerated() {
            tasks.append(
                Task {
                    do {
                        try await call()
                        return nil
                    } catch {
                        return ChatError(storage: error)
                    }
                })
            _ = await eventually { self.writer.waitingUnitCount == index + 1 }
        }
        gate.signal()
        try await holding.value
        var failures: [ChatError?] = []
        for task in tasks { failures.append(await task.value) }
        return failures
    }

    var counters: PostgresCounters? { (backend as? PostgresBackend)?.counters }
}
