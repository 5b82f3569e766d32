import ChatModel
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// Nothing of a removed message survives in what receivers answered.
@Suite struct RemovedDeliveryTests {
    private static let secret = "kaleidoscope-4711"

    private func filesWithSecret(_ folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).filter { file in
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: folder + "/" + file, isDirectory: &isFolder),
                !isFolder.boolValue
            else { return false }
            return try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file)).range(of: Data(Self.secret.utf8))
                != nil
        }
    }

    @Test func answersAndWhatWaitsAreGone() async throws {
        try await withFolder { folder in
            let store = try openStore(folder: folder, environment: TestEnvironment().environment)
            let deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1", Self.secret)
            let taken = try await deliveries.take().deliveries
            try await deliveries.end(taken[0], .delivered, head: "you said \(Self.secret)")
            let before = try await deliveries.detail(taken[0])
            #expect(before.attempts.first?.head != nil)

            try await deliveries.room.remove("m1")
            let after = try await deliveries.detail(taken[0])
            #expect(after.delivery.state == .delivered && after.attempts.first?.head == nil)
            let waiting = try await deliveries.detail(taken[1]).delivery
            #expect(waiting.state == .dropped && waiting.reason == "removed")
            // The removal itself is told.
            #expect(try await deliveries.take().deliveries.map(\.type) == [.messageRemoved, .threadUpdated])
            await store.close()
            #expect(try filesWithSecret(folder) == [])
        }
    }

    /// The answer comes after the removal: it may repeat what was sent before.
    @Test func anAnswerThatComesLaterIsNotKept() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            let other = try await Room.make(in: store, thread: "t9", customer: "c9")
            try await other.send("m0", Self.secret)
            let taken = try await deliveries.take().deliveries
            try await other.remove("m0")
            for delivery in taken { try await deliveries.end(delivery, .delivered, head: "you said \(Self.secret)") }
            for delivery in taken where delivery.message != nil {
                #expect(try await deliveries.detail(delivery).attempts.allSatisfy { $0.head == nil })
            }
        }
    }

    /// The creation of a thread stays in the log without its last message, so it is still delivered.
    @Test func theCreationOfAThreadStillWaits() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store, after: 0)
            let created = try await deliveries.take().deliveries.filter { $0.type == .threadCreated }
            #expect(created.count == 1)
            try await store.onTables { db in
                try db.run("UPDATE log SET message = 77 WHERE place = ?", [.integer(created[0].offset)])
                try db.run("UPDATE delivery SET message = 77 WHERE number = ?", [.integer(created[0].number)])
            }
            try await store.write { try $0.scrub(message: 77) }
            let found = try await deliveries.detail(created[0]).delivery
            #expect(found.state == .pending && found.message == nil)
            // An attempt that began before the removal may be answered with the text.
            let attempt = AttemptRecord(
                at: found.createdAt, status: 200, milliseconds: 1, head: Array(Self.secret.utf8))
            let result = DeliveryResult(delivery: found.number, message: 77, attempt: attempt, end: .delivered)
            try await store.write { _ = try $0.record([result], targets: []) }
            #expect(try await deliveries.detail(created[0]).attempts.map(\.head) == [nil])
        }
    }

    @Test func whatHasNoEventAnyMoreIsDropped() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1")
            let taken = try await deliveries.take().deliveries
            try await store.write { try $0.dropDeliveries(taken.map(\.number)) }
            #expect(try await deliveries.pending().isEmpty)
        }
    }
}
