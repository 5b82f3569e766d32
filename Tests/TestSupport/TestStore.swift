import ChatModel
import ChatStore
import Foundation

/// Runs a test on a store in a folder of its own, which is removed afterwards.
///
/// - Parameters:
///   - rehearses: for a test that counts how often a unit runs; else the run of the tests decides.
///   - onBothEngines: each unit runs on SQLite and on PostgreSQL. Throws ``EnginesDiffer`` when the two do not hold and
///     tell the same in the end.
public func withStore<T>(
    options: StoreOptions = StoreOptions(), rehearses: Bool? = nil, onBothEngines: Bool = false,
    environment: TestEnvironment = TestEnvironment(), isolation: isolated (any Actor)? = #isolation,
    _ body: (ChatStore) async throws -> T
) async throws -> T {
    try await withFolder { folder in
        let twin = onBothEngines ? try TwinStore(folder: folder, options, environment.environment) : nil
        let store =
            try twin?.store
            ?? openStore(folder: folder, options: options, rehearses: rehearses, environment: environment.environment)
        do {
            let result = try await body(store)
            await store.close()
            try twin?.check()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}

/// Opens a store as this run of the tests wants it: with `PARLEY_TEST_REHEARSE=1` in the environment, every unit runs
/// twice (``StoreOptions/rehearses``). With `PARLEY_TEST_STORE=postgres` it is in PostgreSQL (``TestDatabases``).
public func openStore(
    folder: String, options: StoreOptions = StoreOptions(), rehearses: Bool? = nil, environment: ModelEnvironment
) throws -> ChatStore {
    var options = options
    options.rehearses = rehearses ?? (ProcessInfo.processInfo.environment["PARLEY_TEST_REHEARSE"] == "1")
    if TestDatabases.isPostgres {
        let postgres = try TestDatabases.options(for: folder, readers: options.readers)
        return telling(
            try ChatStore.open(postgres: postgres, folder: folder, options: options, environment: environment))
    }
    return telling(try ChatStore.open(folder: folder, options: options, environment: environment))
}

/// The store, whose commits and ephemeral events wake those who wait for a condition (``Changes``).
private func telling(_ store: ChatStore) -> ChatStore {
    _ = store.feed.subscribe { _ in Changes.tell() }
    return store
}

/// Runs a test with an empty folder, which is removed afterwards.
public func withFolder<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> T
) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer {
        TestDatabases.drop(in: folder.path)
        try? FileManager.default.removeItem(at: folder)
    }
    return try await body(folder.path)
}
