import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct TargetTests {
    @Test func aTargetBeginsAtTheHead() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            let target = try await deliveries.target()
            #expect(target.position == store.feed.head && target.audience == .desk && target.health.state == .active)
            #expect(target.generation == 1 && target.gap == nil)
            #expect(try await deliveries.take().deliveries.isEmpty)
        }
    }

    @Test func theReceiptIsWrittenWithIt() async throws {
        try await withStore { store in
            try await store.write {
                _ = try $0.insert(DeliveryRoom.draft("w1"), receipt: Receipt(scope: "s", fingerprint: "f"))
            }
            let receipt = try #require(try await store.receipt(scope: "s"))
            #expect(receipt.outcome.kind == .created && receipt.outcome.id == "w1" && receipt.outcome.body.isEmpty)
        }
    }

    @Test func theSameTargetAgainIsTheSameAndAnotherIsRefused() async throws {
        try await withStore { store in
            let first = try await store.write { try $0.insert(DeliveryRoom.draft("w1")) }
            let again = try await store.write { try $0.insert(DeliveryRoom.draft("w1")) }
            #expect(first.isNew && !again.isNew && first.target == again.target)
            let room = try await Room.make(in: store)
            #expect(
                await refusal { try await store.write { _ = try $0.insert(DeliveryRoom.draft("w1", room.audience)) } }
                    == .webhookExists)
        }
    }

    @Test func thereAreOnlySoMany() async throws {
        try await withStore { store in
            try await store.write { transaction in
                for number in 1...TargetDraft.maximumCount {
                    _ = try transaction.insert(DeliveryRoom.draft("w\(number)"))
                }
            }
            #expect(
                await refusal { try await store.write { _ = try $0.insert(DeliveryRoom.draft("more")) } }
                    == .tooManyWebhooks)
        }
    }

    @Test func theListGoesOnWhereAPageEnds() async throws {
        try await withStore { store in
            try await store.write { for number in 1...5 { _ = try $0.insert(DeliveryRoom.draft("w\(number)")) } }
            var ids: [String] = []
            var cursor: String?
            repeat {
                let request = PageRequest(limit: 2, cursor: cursor)
                let page = try await store.read { try $0.targetPage(of: .webhook, request) }
                ids += page.items.map(\.id)
                cursor = page.next
            } while cursor != nil
            #expect(ids == ["w1", "w2", "w3", "w4", "w5"])
            let request = PageRequest(limit: 2, cursor: "w-1")
            #expect(
                await refusal { try await store.read { try $0.targetPage(of: .webhook, request).items.count } }
                    == .invalidParameter)
        }
    }

    @Test func itsSettingsSecretAndStateChange() async throws {
        try await withStore { store in
            _ = try await DeliveryRoom.make(in: store)
            let until = TestEnvironment.start.advanced(bySeconds: 60)
            let changed = try await store.write { try $0.setSettings(Array("{}".utf8), ofTarget: "w1") }
            #expect(changed.settings == Array("{}".utf8) && changed.version == 2)
            let rotated = try await store.write { try $0.rotateSecret(ofTarget: "w1", previousUntil: until) }
            #expect(rotated.generation == 2 && rotated.previousUntil == until && rotated.version == 3)
            let paused = try await store.write { try $0.setPaused(true, target: "w1") }
            #expect(paused.health.state == .paused && paused.version == 4)
            #expect(try await store.write { try $0.setPaused(true, target: "w1") }.version == 4)
            #expect(
                try await store.write { try $0.setPaused(false, target: "w1") }.health == TargetHealth(state: .active))
            #expect(
                await refusal { try await store.write { try $0.setPaused(true, target: "no").version } }
                    == .unknownWebhook)
        }
    }

    @Test func nothingOfADeletedTargetIsLeft() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1")
            let taken = try await deliveries.take().deliveries
            try await deliveries.end(try #require(taken.first), .delivered, head: "ok")
            #expect(try await store.write { try $0.deleteTarget("w1") }?.id == "w1")
            #expect(try await store.write { try $0.deleteTarget("w1") } == nil)
            for table in ["target", "delivery", "attempt"] { #expect(try await store.count(of: table) == 0) }
            #expect(try await store.write { try $0.insert(DeliveryRoom.draft("w1")) }.target.number == 2)
        }
    }

    @Test func whatItsOwnerDidDuringAnAttemptStays() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1")
            let first = try #require(try await deliveries.take().deliveries.first)
            try await store.write { _ = try $0.setPaused(true, target: "w1") }
            let failing = TargetHealth(
                state: .failing, failingSince: TestEnvironment.start, failures: 1, nextAt: TestEnvironment.start)
            let after = try await deliveries.end(first, .waiting, health: failing)
            #expect(after.map(\.health) == [TargetHealth(state: .paused)])
        }
    }

    @Test func theLagIsWhatWaitsAndWhatWasNotTaken() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            func lag(limit: Int64 = 10_000) async throws -> Int64 {
                let target = try await deliveries.target()
                return try await store.read { try $0.lag(of: target, limit: limit) }
            }
            #expect(try await lag() == 0)
            try await deliveries.room.send("m1")
            #expect(try await lag() == 2)
            let first = try #require(try await deliveries.take().deliveries.first)
            #expect(try await lag() == 2)
            try await deliveries.end(first, .delivered)
            try await deliveries.room.send("m2")
            #expect(try await lag() == 3)
            #expect(try await lag(limit: 1) == 2)
        }
    }
}
