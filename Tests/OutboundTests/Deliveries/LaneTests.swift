import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Outbound

@Suite(.timeLimit(.minutes(2))) struct LaneTests {
    @Test func eventsOfAThreadGoOneAfterTheOther() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { _ in nil }
            var offsets: [Int64] = []
            for number in 1...3 { offsets.append(try await world.send("m\(number)")) }
            for (index, offset) in offsets.enumerated() {
                #expect(await eventually { world.sender.inFlight.map(\.offset) == [offset] })
                await letOthersRun()
                #expect(world.sender.begun.count == index + 1)
                world.sender.end()
            }
            #expect(try await world.isDelivered(3))
        }
    }

    @Test func threadsGoBesideEachOther() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { $0.thread == "t1" ? nil : AttemptReport(.delivered) }
            for thread in ["t1", "t2", "t3"] {
                for number in 1...2 { try await world.send("m\(number)", in: thread) }
            }
            #expect(try await world.isDelivered(4))
            #expect(await eventually { world.sender.inFlight.map(\.thread) == ["t1"] })
            #expect(world.sender.begun.count == 5)
        }
    }

    @Test func onlySoManyAreInFlight() async throws {
        try await DeliveryWorld.run(concurrency: 2) { world in
            world.sender.answer { _ in nil }
            for thread in ["t1", "t2", "t3"] { try await world.send("m1", in: thread) }
            #expect(await eventually { world.sender.inFlight.count == 2 })
            await letOthersRun()
            #expect(Set(world.sender.begun.compactMap(\.thread)) == ["t1", "t2"] && world.sender.begun.count == 2)
            world.sender.end { $0.thread == "t2" }
            #expect(await eventually { Set(world.sender.inFlight.compactMap(\.thread)) == ["t1", "t3"] })
        }
    }

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

    /// Also where the target takes others: an event that is refused holds those after it.
    @Test func oneAtATimeWaitsForARefusedEvent() async throws {
        try await DeliveryWorld.run(concurrency: 1) { world in
            world.sender.answer(.eventFailed)
            let first = try await world.send("m1", in: "t1")
            try await world.send("m1", in: "t2")
            #expect(await eventually { world.clock.sleeperCount == 1 })
            await letOthersRun()
            #expect(world.sender.offsets == [first])
            world.sender.answer(.delivered)
            await world.advanceToNextWaking()
            #expect(try await world.isDelivered(2))
        }
    }

    @Test func anEventThatIsRefusedHoldsItsThreadOnlyAndIsGivenUp() async throws {
        try await DeliveryWorld.run { world in
            let poison = try await world.send("m1", in: "t1")
            world.sender.answer { AttemptReport($0.offset == poison ? .eventFailed : .delivered, status: 422) }
            let next = try await world.send("m2", in: "t1")
            try await world.send("m1", in: "t2")
            #expect(try await world.isDelivered(1))
            for step in [5.0, 60, 300, 1800] {
                #expect(await eventually { world.clock.sleeperCount == 1 })
                let wait = await world.advanceToNextWaking() / .seconds(1)
                #expect((step * 0.75...step * 1.25).contains(wait))
            }
            #expect(try await world.isDelivered(2))
            #expect(world.sender.offsets.filter { $0 == poison }.count == 5)
            #expect(world.sender.offsets.last == next)
            let dead = try await world.deliveries(.dead)
            #expect(dead.map(\.offset) == [poison] && dead.first?.reason == "refused" && dead.first?.attemptCount == 5)
            #expect(try await world.health().state == .active)
        }
    }

    @Test func anAbortedEventIsGivenUpAtOnce() async throws {
        try await DeliveryWorld.run { world in
            let poison = try await world.send("m1")
            world.sender.answer { AttemptReport($0.offset == poison ? .eventRefused : .delivered) }
            try await world.send("m2")
            #expect(try await world.isDelivered(1))
            #expect(try await world.deliveries(.dead).map(\.offset) == [poison])
        }
    }

    @Test func aRedeliveryGoesOutAtOnce() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer(.eventRefused)
            try await world.send("m1")
            #expect(try await eventually { try await world.deliveries(.dead).count == 1 })
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
            #expect(await eventually { world.sender.offsets == [first, second] })
            #expect(try await eventually { try await world.deliveries(.dead).count == 1 })
            #expect(await eventually { world.clock.sleeperCount == 1 })
            world.sender.answer(.delivered)
            let target = try await world.target()
            #expect(try await world.store.write { try $0.redeliverDead(ofTarget: "w1") } == 1)
            try await world.deliveries.refresh(target.number)
            #expect(try await world.isDelivered(1))
            await letOthersRun()
            #expect(world.sender.offsets == [first, second, first])
            await world.advanceToNextWaking()
            #expect(try await world.isDelivered(2))
        }
    }

    /// It was made anew by its owner, so that this attempt is the first of its schedule.
    @Test func aRedeliveryInFlightHasAllItsTriesAhead() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer(.eventFailed)
            try await world.send("m1")
            for attempts in 1...4 {
                #expect(await eventually { world.sender.begun.count == attempts && world.clock.sleeperCount == 1 })
                if attempts == 4 { world.sender.answer { _ in nil } }
                await world.advanceToNextWaking()
            }
            #expect(await eventually { world.sender.inFlight.count == 1 })
            await world.deliveries.settle()
            let delivery = try #require(try await world.deliveries(.pending).first)
            _ = try await world.store.write { try $0.redeliver(delivery.number, ofTarget: "w1") }
            try await world.deliveries.refresh(delivery.target)
            world.sender.end(AttemptReport(.eventFailed, status: 422))
            #expect(await eventually { world.clock.sleeperCount == 1 })
            let wait = try #require(world.clock.nextWaking) / .seconds(1)
            #expect((3.75...6.25).contains(wait))
            await world.deliveries.settle()
            #expect(try await world.deliveries(.pending).map(\.refusalCount) == [1])
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
            await letOthersRun()
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
            await letOthersRun()
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
            #expect(await eventually { world.sender.offsets == before + before })
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
