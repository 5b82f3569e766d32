import ChatModel
import TestSupport
import Testing

@testable import ChatStore

/// What another platform keeps beside a row.
struct ExtraTests {
    private func text(_ store: ChatStore, _ row: ExtraRow, _ key: String = "k") async throws -> String? {
        try await store.read { try $0.extra(key, of: row) }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func itIsKeptUnderItsKeyAndReplaced() async throws {
        try await withStore(environment: TestEnvironment()) { store in
            let room = try await Room.make(in: store)
            let row = ExtraRow.account(room.account.number)
            try await store.write { try $0.setExtra("k", of: row, to: Array("1".utf8)) }
            try await store.write { try $0.setExtra("k", of: row, to: Array("2".utf8)) }
            try await store.write { try $0.setExtra("other", of: row, to: Array("3".utf8)) }
            #expect(try await text(store, row) == "2")
            #expect(try await text(store, row, "other") == "3")
            #expect(try await text(store, .thread(room.account.number)) == nil, "another kind of row")
            try await store.write { try $0.setExtra("k", of: row, to: nil) }
            #expect(try await text(store, row) == nil)
            await #expect(throws: ChatError.self) {
                let bytes = [UInt8](repeating: 32, count: ExtraRow.maximumByteCount + 1)
                try await store.write { try $0.setExtra("k", of: row, to: bytes) }
            }
        }
    }

    @Test func itGoesWithItsRow() async throws {
        try await withStore(environment: TestEnvironment()) { store in
            let room = try await Room.make(in: store)
            let message = try await room.send("m1")
            let thread = try await room.unit { _, record in record.number }
            let rows = [ExtraRow.message(message), .thread(thread), .account(room.account.number)]
            for row in rows { try await store.write { try $0.setExtra("k", of: row, to: Array("{}".utf8)) } }
            try await room.remove("m1")
            #expect(try await text(store, rows[0]) == nil)
            #expect(try await text(store, rows[1]) == "{}")
            try await store.eraseThreads(ownedBy: room.account.number)
            #expect(try await text(store, rows[1]) == nil)
            #expect(try await text(store, rows[2]) == "{}")
            try await store.write { try $0.removeAccount(room.account.number) }
            #expect(try await text(store, rows[2]) == nil)
            #expect(try store.faults().filter { $0.check == "extras" } == [])
        }
    }
}
