import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Outbound

@Suite(.timeLimit(.minutes(5))) struct LaneTests {
    @Test func oneAtATimeIsTheOrderOfTheLog() async throws {
        try await DeliveryWorld.run(concurrency: 1) { world in
            var offsets: [Int64] = []
            for number in 1...3 {
                for thread in ["t1", "t2", "t3"] { offsets.append(try await world.send("m\(number)", in: thread)) }
            }
            #expect(try await world.isDelivered(9))
            #expect(world.sender.offsets == offsets)
        }
    }

    @Test func aRedeliveryGoesOutAtOnce() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer(.eventRefused)
            try await world.send("m1")
            await world.rest()
            #expect(try await world.deliveries(.dead).count == 1)
            world.sender.answer(.delivered)
            let target = try await world.target()
            #expect(try await world.store.write { try $0.redeliverDead(ofTarget: "w1") } == 1)
            try await world.deliveries.refresh(target.number)
            #expect(try await world.isDelivered(1))
        }
    }

    /// The wait of a refused event is its own: what comes before it in its thread does not share it.
    @Test func aRedeliveryDoesNotWaitForALaterEventThatWasRefused() async throws {
        try await DeliveryWorld.run { world in
            let first = try await world.send("m1")
            world.sender.answer { AttemptReport($0.offset == first ? .eventRefused : .eventFailed) }
            let second = try await world.send("m2")
            await world.rest()
            #expect(world.sender.offsets == [first, second])
            await world.rest()
            #expect(try await world.deliveries(.dead).count == 1)
            #expect(await eventually { world.clock.sleeperCount == 1 })
            world.sender.answer(.delivered)
            let target = try await world.target()
            #expect(try await world.store.write { try $0.redeliverDead(ofTarget: "w1") } == 1)
            try await world.deliveries.refresh(target.number)
            #expect(try await world.isDelivered(1))
            await world.rest()
            #expect(world.sender.offsets == [first, second, first])
            await world.advanceToNextWaking()
            #expect(try await world.isDelivered(2))
        }
    }

    /// A timer from before must not end a wait that has begun since.
    @Test func aRedeliveryEndsTheWaitFromBefore() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer(.eventFailed)
            try await world.send("m1")
            #expect(await eventually { world.clock.sleeperCount == 1 })
            await world.deliveries.settle()
            let delivery = try #require(try await world.deliveries(.pending).first)
            world.sender.answer(.eventFailed, retryAfter: .seconds(600))
            _ = try await world.store.write { try $0.redeliver(delivery.number, ofTarget: "w1") }
            try await world.deliveries.refresh(delivery.target)
            #expect(await eventually { world.clock.nextWaking == .seconds(600) })
            #expect(world.clock.sleeperCount == 1 && world.sender.begun.count == 2)
            world.advance(.seconds(60))
            await world.rest()
            #expect(world.sender.begun.count == 2)
        }
    }

    /// However often a target is read anew, and when it is gone.
    @Test func oneTimerWaitsForAllAndNoneForNothing() async throws {
        try await DeliveryWorld.run { world in
            for (count, outcome) in [(1, AttemptOutcome.eventFailed), (2, .targetFailed)] {
                world.sender.answer(outcome)
                try await world.send("m\(outcome)", in: outcome == .eventFailed ? "t1" : "t2")
                #expect(
                    await eventually {
                        world.sender.begun.count == count && world.clock.sleeperCount == 1
                    })
            }
            await world.deliveries.settle()
            let target = try await world.target()
            for _ in 1...3 { try await world.deliveries.refresh(target.number) }
            await world.rest()
            #expect(await eventually { world.clock.sleeperCount == 1 })
            _ = try await world.store.write { try $0.deleteTarget("w1") }
            try await world.deliveries.refresh(target.number)
            #expect(await eventually { world.clock.sleeperCount == 0 })
        }
    }

    @Test func aReplayComesInTheOrderOfTheLog() async throws {
        try await DeliveryWorld.run { world in
            let start = try await world.target().position
            for number in 1...3 { try await world.send("m\(number)") }
            #expect(try await world.isDelivered(3))
            let before = world.sender.offsets
            let target = try await world.store.write { try $0.replay(target: "w1", after: start) }
            try await world.deliveries.refresh(target.number)
            await world.rest()
            #expect(world.sender.offsets == before + before)
            #expect(try await world.isDelivered(3))
        }
    }

    @Test func whatWasRemovedMeanwhileIsNotSent() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { _ in nil }
            let first = try await world.send("m1")
            try await world.send("m2")
            let third = try await world.send("m3")
            #expect(await eventually { world.sender.inFlight.count == 1 })
            #expect(try await eventually { try await world.deliveries(.pending).count == 3 })
            try await world.remove("m2")
            world.sender.answer(.delivered)
            world.sender.end()
            #expect(try await world.isDelivered(2))
            #expect(world.sender.offsets == [first, third])
            #expect(try await world.deliveries(.dropped).count == 1)
        }
    }
}
