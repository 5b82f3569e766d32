import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct DeliveryCountsTests {
    @Test func targetsAreCountedByStateAndDeliveriesInAll() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store, after: 0)
            try await store.write { transaction in
                _ = try transaction.insert(DeliveryRoom.draft("w2"))
                _ = try transaction.insert(DeliveryRoom.draft("w3"))
                _ = try transaction.setPaused(true, target: "w3")
            }
            let count = try await deliveries.take().deliveries.count
            let counts = try await store.read { try $0.deliveryCounts() }
            #expect(count > 1)
            #expect(
                counts.targets == [.webhook: ["active": 2, "paused": 1]] && counts.pending == [.webhook: Int64(count)])
        }
    }

    @Test func whatWaitsHoldsAPositionBack() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store, after: 0)
            func lowest() async throws -> Int64? { try await store.read { try $0.deliveryCounts().lowestPosition } }
            #expect(try await lowest() == 0)
            let taken = try await deliveries.take().deliveries
            #expect(try await lowest() == (try #require(taken.first)).offset - 1)
            for delivery in taken { try await deliveries.end(delivery, .delivered) }
            #expect(try await lowest() == store.feed.head)
            // A target that is to get nothing is behind nothing.
            try await store.write { _ = try $0.setPaused(true, target: "w1") }
            #expect(try await lowest() == nil)
        }
    }
}
