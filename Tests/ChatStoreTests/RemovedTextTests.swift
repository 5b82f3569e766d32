import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

@Suite struct RemovedTextTests {
    private static let secret = "kaleidoscope-4711"

    /// Tables with a row that holds the text anywhere.
    private func tablesWithText(_ store: ChatStore) async throws -> [String] {
        try await store.onTables { db in
            try db.columns().filter { table, columns in
                let rows = try db.all("/* all */ SELECT \(columns.joined(separator: ", ")) FROM \(table)") { row in
                    columns.indices.map { Data(row.blob(Int32($0))) }
                }
                return rows.joined().contains { $0.range(of: Data(Self.secret.utf8)) != nil }
            }.map(\.key)
        }
    }

    private func ringHasText(_ store: ChatStore, _ audiences: [Audience]) -> Bool {
        guard case .events(let events, _) = store.feed.read(audiences, after: 0, limit: .max) else { return true }
        return events.contains { Data($0.data).range(of: Data(Self.secret.utf8)) != nil }
    }

    @Test func itIsNowhere() async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let room = try await Room.make(in: store)
            try await room.send("m1", "first", .toClient)
            try await room.send("m2", "\(Self.secret) said", .toClient, receipt: Receipt(scope: "s", fingerprint: "f"))
            try await room.edit("m2", to: "\(Self.secret) said again")
            try await room.markRead()
            #expect(Set(try await tablesWithText(store)) == ["message", "thread", "log", "receipt"])
            #expect(ringHasText(store, [room.audience, .desk]))

            try await room.remove("m2")
            #expect(try await tablesWithText(store) == [])
            #expect(!ringHasText(store, [room.audience, .desk]))
            #expect(try room.record().thread.lastMessage?.id == "m1")
            #expect(
                try await store.receipt(scope: "s")?.outcome.body == Array(#"{"threadId":"t1","messageId":"m2"}"#.utf8))
            let events = try await store.replay([room.audience], after: 0, limit: 1 << 20).events
            #expect(events.suffix(2).map(\.type) == [.messageRemoved, .threadUpdated])
            // SQLite: the WAL is folded in, and nothing of the text is left in free pages.
            await store.close()
            for file in try FileManager.default.subpathsOfDirectory(atPath: folder) {
                var isFolder: ObjCBool = false
                if FileManager.default.fileExists(atPath: folder + "/" + file, isDirectory: &isFolder),
                    isFolder.boolValue
                {
                    continue
                }
                let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
                #expect(bytes.range(of: Data(Self.secret.utf8)) == nil, "\(file)")
            }
        }
    }

    /// A thread that is removed takes all that was said and noted in it along, its name and its events. A stop between
    /// the steps changes nothing, and another thread that gets the id meanwhile keeps what is its own.
    @Test func ofARemovedThreadNothingIsLeft() async throws {
        try await withFolder { folder in
            var store = try openStore(folder: folder, environment: TestEnvironment().environment)
            var room = try await Room.make(in: store)
            let neighbour = try await Room.make(in: store, thread: "t2")
            try await neighbour.send("m1", "kept")
            try await room.unit { transaction, record in
                record.thread.name = Self.secret
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
                _ = try transaction.addNote(
                    Self.secret, by: Author(id: "a1", kind: .agent), to: record, receipt: nil)
                for number in 0..<450 { try Room.send("m\(number)", Self.secret, to: &record, in: transaction) }
            }
            let number = try room.record().number
            try await room.unit { transaction, record in
                transaction.actor = Author(id: "a1", kind: .agent)
                _ = try transaction.remove(record)
            }
            #expect(await refusal { try room.record() } == .unknownThread)
            #expect(
                try await store.read { try $0.deskThreads("t1", onService: nil, channel: nil, customer: nil) } == [])
            // One step, and a stop.
            #expect(try await store.write { try $0.eraseHistory() })
            await store.close()
            store = try openStore(folder: folder, environment: TestEnvironment().environment)
            room = try await Room.make(in: store)
            try await room.send("new", "kept")

            while try await store.write({ try $0.eraseHistory() }) {}
            #expect(try await tablesWithText(store) == [])
            #expect(try await store.read { try $0.thread(number: number) } == nil)
            let rows = try await store.onTables { db in
                try db.columns().filter { table, columns in
                    try columns.contains("thread")
                        && db.first("/* all */ SELECT 1 FROM \(table) WHERE CAST(thread AS text) = '\(number)'", []) {
                            _ in true
                        }
                            == true
                }.map(\.key)
            }
            #expect(rows == [])
            #expect(try room.page().ids == ["new"])
            #expect(try Room(store: store, account: room.account, thread: "t2").page().ids == ["m1"])
            let events = try await store.replay([.desk], after: 0, limit: 1 << 20).events
                .filter { $0.threadID == "t1" }
            #expect(events.first?.type == .threadRemoved)
            #expect(events.map(\.type).filter { $0 == .threadCreated }.count == 1, "of the other thread")
            #expect(events.last?.type == .threadUpdated)
            await store.close()
        }
    }

    @Test func theRingForgetsARemovedThread() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.unit { transaction, record in
                record.thread.name = Self.secret
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            try await room.send("m1", Self.secret)
            #expect(ringHasText(store, [room.audience, .desk]))
            try await room.unit { transaction, record in _ = try transaction.remove(record) }
            while try await store.write({ try $0.eraseHistory() }) {}
            #expect(!ringHasText(store, [room.audience, .desk]))
        }
    }

    @Test func aMessageCreatedAndRemovedInOneGroupIsNotInTheRing() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.unit { transaction, record in
                try Room.send("m1", Self.secret, to: &record, in: transaction)
                guard let message = try transaction.message("m1", in: record) else {
                    throw ChatError.unknownMessage("m1")
                }
                try transaction.remove(message, in: &record, withDesk: true)
                transaction.setLastMessage(nil, of: &record)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            #expect(!ringHasText(store, [room.audience, .desk]))
            #expect(try await tablesWithText(store) == [])
            #expect(try room.page().ids == [])
        }
    }

    @Test func aFailedRemovalLeavesEverythingInPlace() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1", Self.secret)
            let code = await refusal {
                try await room.unit { transaction, record in
                    guard let message = try transaction.message("m1", in: record) else {
                        throw ChatError.unknownMessage("m1")
                    }
                    try transaction.remove(message, in: &record, withDesk: true)
                    throw ChatError(.invalidData, "on purpose")
                }
            }
            #expect(code == .invalidData)
            #expect(ringHasText(store, [room.audience]))
            #expect(try room.message("m1")?.message.text == Self.secret)
        }
    }

    @Test func anIdThatIsGoneStaysGone() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1")
            try await room.remove("m1")
            #expect(await refusal { try await room.send("m1") } == .messageIdConflict)
            #expect(try room.page().ids == [])
            #expect(await refusal { try await room.remove("m1") } == .unknownMessage)
        }
    }
}
