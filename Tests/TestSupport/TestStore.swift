import ChatModel
import ChatStore
import Foundation

/// Runs a test on a store in a folder of its own, which is removed afterwards.
public func withStore<T>(
    options: StoreOptions = StoreOptions(), environment: TestEnvironment = TestEnvironment(),
    isolation: isolated (any Actor)? = #isolation,
    _ body: (ChatStore) async throws -> T
) async throws -> T {
    try await withFolder { folder in
        let store = try ChatStore.open(folder: folder, options: options, environment: environment.environment)
        do {
            let result = try await body(store)
            await store.close()
            return result
        } catch {
            await store.close()
            throw error
        }
    }
}

/// Runs a test with an empty folder, which is removed afterwards.
public func withFolder<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: (String) async throws -> T
) async throws -> T {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("parley-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await body(folder.path)
}
