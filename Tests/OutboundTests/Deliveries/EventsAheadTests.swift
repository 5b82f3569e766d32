import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import Outbound

/// Events that were read before their own attempts.
@Suite(.timeLimit(.minutes(5))) struct EventsAheadTests {
    private static let time = Timestamp(milliseconds: 1_700_000_000_000)

    /// The events of messages that were just sent, by offset.
    private func events(_ world: DeliveryWorld, _ offsets: [Int64]) async throws -> [Int64: DeliveryEvent] {
        let epoch = world.store.feed.epoch
        return try await world.store.read { try $0.deliveryEvents(at: offsets, epoch: epoch) }
    }

    @Test func theyCountUntilAMessageIsRemoved() async throws {
        try await DeliveryWorld.run(starts: false) { world in
            let offsets = [try await world.send("m1"), try await world.send("m2")]
            let before = world.store.feed.removals
            let found = try await events(world, offsets)
            var ahead = EventsAhead()
            func taken() -> [Bool] {
                offsets.map { ahead.event(at: $0, removals: world.store.feed.removals, at: Self.time) != nil }
            }
            ahead.add(found, removals: before, at: Self.time)
            #expect(taken() == [true, true])
            ahead.add(found, removals: before, at: Self.time)
            try await world.remove("m1")
            #expect(world.store.feed.removals == before + 1)
            #expect(taken() == [false, false])
            ahead.add(try await events(world, offsets), removals: world.store.feed.removals, at: Self.time)
            #expect(taken() == [false, true])
            // Each is taken once.
            #expect(taken() == [false, false])
        }
    }

    /// What else is in them, such as a customer's name, may change as well.
    @Test func theyCountForSomeSeconds() async throws {
        try await DeliveryWorld.run(starts: false) { world in
            let offset = try await world.send("m1")
            let found = try await events(world, [offset])
            func isTaken(after milliseconds: Int64) -> Bool {
                var ahead = EventsAhead()
                ahead.add(found, removals: 0, at: Self.time)
                return ahead.event(at: offset, removals: 0, at: Self.time.advanced(byMilliseconds: milliseconds)) != nil
            }
            #expect([0, 4_999, 5_000, 3_600_000, -1].map(isTaken) == [true, true, false, false, false])
        }
    }

    @Test func olderOnesGoWhereThereIsNoRoom() async throws {
        try await DeliveryWorld.run(starts: false) { world in
            var ahead = EventsAhead()
            let first = try await world.send("m1", text: "first")
            ahead.add(try await events(world, [first]), removals: 0, at: Self.time)
            let text = String(repeating: "x", count: 60_000)
            var sent: [Int64] = []
            for number in 0..<80 { sent.append(try await world.send("long\(number)", text: text)) }
            ahead.add(try await events(world, Array(sent.prefix(60))), removals: 0, at: Self.time)
            #expect(ahead.event(at: sent[0], removals: 0, at: Self.time) != nil)
            ahead.add(try await events(world, Array(sent.suffix(20))), removals: 0, at: Self.time)
            #expect(ahead.event(at: first, removals: 0, at: Self.time) == nil)
            #expect(ahead.event(at: sent[79], removals: 0, at: Self.time) != nil)
        }
    }

    /// The whole way: nothing of a message that was read ahead goes out after it was removed.
    @Test func whatWasReadAheadAndThenRemovedIsNotSent() async throws {
        try await DeliveryWorld.run(concurrency: 1) { world in
            world.sender.answer { _ in nil }
            let first = try await world.send("m1")
            #expect(await eventually { world.sender.inFlight.count == 1 })
            let second = try await world.send("m2")
            let third = try await world.send("m3")
            #expect(try await eventually { try await world.deliveries(.pending).count == 3 })
            world.sender.end()
            // The read for the second has found the third as well.
            #expect(await eventually { world.sender.inFlight.map(\.offset) == [second] })
            try await world.remove("m3")
            world.sender.answer(.delivered)
            world.sender.end()
            await world.rest()
            #expect(try await world.deliveries(.pending).isEmpty)
            #expect(world.sender.offsets == [first, second])
            #expect(!world.sender.offsets.contains(third))
        }
    }
}
