import Bounds
import CSQLite
import ChatModel
import TestSupport
import Testing

@testable import Chat
@testable import ChatStore

/// Unsent messages of a customer are bounded in bytes, and one more costs as much as the first.
@Suite struct UnsentBytesTests {
    /// JSON writes six bytes for each of them.
    private static let great = String(repeating: "\u{1}", count: 64 << 10)

    @Test func theyAreBoundedInBytes() async throws {
        try await RemoteScene.run(policy: .automatic(attempts: 10)) { scene in
            scene.platform.makeThread("t2")
            try await scene.synchronize()
            try await scene.client.disconnect()
            var count = 0
            let limit = ByteBound.unsentMessages.bytes / (6 * Self.great.utf8.count)
            for _ in 0..<limit {
                _ = try await scene.send(Self.great, id: "m\(count)")
                count += 1
            }
            func refused(_ thread: String) async -> ChatError? {
                do {
                    _ = try await scene.client.send(MessageDraft(text: Self.great), to: thread, receipt: nil)
                    return nil
                } catch {
                    return error
                }
            }
            for thread in ["t", "t2"] {
                let error = await refused(thread)
                #expect(error?.code == .tooManyUnsent)
                #expect(error?.detail.contains("\(ByteBound.unsentMessages.bytes) bytes") == true)
            }
            _ = try await scene.send("a little one", id: "little")
            // What goes makes room, and what is sent.
            try await scene.client.remove("m0", in: "t", ifMatch: nil)
            _ = try await scene.send(Self.great, id: "m\(count)")
            #expect(await refused("t")?.code == .tooManyUnsent)
            try await scene.synchronize()
            #expect(try await eventually { try scene.outgoing().isEmpty })
            _ = try await scene.send(Self.great)
        }
    }

    /// Pages that the writer and the one reader of the store have looked at.
    private static func pages(_ store: ChatStore) async throws -> Int {
        @Sendable func looked(_ db: SQLiteConnection) -> Int {
            [SQLITE_DBSTATUS_CACHE_HIT, SQLITE_DBSTATUS_CACHE_MISS].reduce(0) { sum, kind in
                var (now, most): (Int32, Int32) = (0, 0)
                sqlite3_db_status(db.handle, kind, &now, &most, 0)
                return sum + Int(now)
            }
        }
        return try await store.sqlite.readers.reading { looked($0) } + store.onWriter { looked($0) }
    }

    @Test(.onSQLite("counts pages of SQLite's"), arguments: [ResendPolicy.automatic(attempts: 10), .manual])
    func aSendDoesNotReadWhatWaits(policy: ResendPolicy) async throws {
        var options = StoreOptions()
        options.readers = 1
        try await RemoteScene.run(policy: policy, options: options) { scene in
            try await scene.synchronize()
            try await scene.client.disconnect()
            let text = String(repeating: "x", count: 60_000)
            func cost() async throws -> Int {
                let before = try await Self.pages(scene.store)
                _ = try await scene.send(text)
                return try await Self.pages(scene.store) - before
            }
            for _ in 0..<3 { _ = try await scene.send(text) }
            let few = try await cost()
            // With the policy `manual` a thread keeps 20 of them.
            for _ in 0..<15 { _ = try await scene.send(text) }
            let many = try await cost()
            // A debug build also looks at the first page of each row, to compare what the writer has kept.
            #expect(many < few + 120, "\(few) pages with 3 that wait, \(many) with 19")
            // So many it takes to read them, which have 15 pages each.
            let before = try await Self.pages(scene.store)
            #expect(try await scene.store.read { try $0.outgoingMessages(of: scene.client.account).count } == 20)
            #expect(try await Self.pages(scene.store) - before > 250)
        }
    }
}
