import ChatModel
import ChatStore
import TestSupport
import Testing

@testable import Outbound

@Suite(.timeLimit(.minutes(5))) struct TargetFailureTests {
    @Test func whoIsGoneIsDisabledAndTheDeskIsTold() async throws {
        try await DeliveryWorld.run { world in
            let recorder = EventRecorder(world.store.feed)
            world.sender.answer(.targetGone(delivered: false))
            try await world.send("m1")
            await world.rest()
            #expect(try await world.health().state == .disabled)
            #expect(try await world.health().reason == "gone")
            #expect(await eventually { recorder.types(for: .desk).contains("webhook.updated") })
            try await world.send("m2")
            await world.rest()
            #expect(world.sender.begun.count == 1)
        }
    }

    @Test func anOutageOf70HoursLosesNothing() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer(.targetFailed)
            var sent: [String: [Int64]] = [:]
            var passed = Duration.zero
            var index = 0
            while passed < .seconds(70 * 3600) {
                for thread in ["t1", "t2", "t3"] {
                    sent[thread, default: []].append(try await world.send("m\(index)", in: thread))
                    index += 1
                }
                let attempts = world.sender.begun.count
                if attempts == 0 { await world.rest() }
                passed += await world.advanceToNextWaking()
                await world.rest()
                #expect(world.sender.begun.count > attempts)
            }
            for number in 0..<300 { sent["t1", default: []].append(try await world.send("n\(number)", in: "t1")) }
            #expect(try await world.deliveries(.pending).count <= 256)
            #expect(try await world.health().state == .failing)
            let failed = world.sender.begun.count
            world.sender.answer(.delivered)
            await world.advanceToNextWaking()
            let total = sent.values.reduce(0) { $0 + $1.count }
            await world.rest()
            #expect(world.sender.begun.count == failed + total)
            for (thread, offsets) in sent {
                #expect(
                    world.sender.begun.dropFirst(failed).filter { $0.thread == thread }.compactMap(\.offset) == offsets)
            }
            #expect(try await world.deliveries(.pending).isEmpty)
        }
    }

    @Test func belowTheFloorTheResetComesFirst() async throws {
        let retention = Retention(maximumAgeInMilliseconds: 3_600_000, maximumCount: 1_000_000)
        try await DeliveryWorld.run(retention: retention) { world in
            let start = try await world.target().position
            let paused = try await world.store.write { try $0.setPaused(true, target: "w1") }
            try await world.deliveries.refresh(paused.number)
            for number in 1...3 { try await world.send("m\(number)") }
            world.advance(.seconds(7200))
            let floor = world.store.feed.head
            await world.store.trim()
            #expect(await eventually { world.store.feed.floor == floor })
            let next = try await world.send("m4")
            world.sender.answer { $0.type.hasPrefix("reset") ? nil : AttemptReport(.delivered) }
            let resumed = try await world.store.write { try $0.setPaused(false, target: "w1") }
            try await world.deliveries.refresh(resumed.number)
            #expect(await eventually { world.sender.inFlight.map(\.type) == ["reset \(start) \(floor)"] })
            // The line is read once more, with what waits in it: nothing of that may begin.
            try await world.deliveries.refresh(resumed.number)
            await world.deliveries.settle()
            #expect(world.sender.begun.count == 1)
            // It must come through before anything else goes out.
            world.sender.end(AttemptReport(.targetFailed))
            await world.advanceToNextWaking()
            #expect(await eventually { world.sender.inFlight.count == 1 })
            world.sender.end()
            #expect(try await world.isDelivered(1))
            #expect(world.sender.offsets == [next])
            #expect(try await world.target().gap == nil)
        }
    }

    @Test func theResetComesFirstHoweverMuchWaits() async throws {
        let retention = Retention(maximumAgeInMilliseconds: 3_600_000, maximumCount: 1_000_000)
        try await DeliveryWorld.run(retention: retention) { world in
            world.sender.answer(.targetFailed)
            for number in 1...20 { try await world.send("lost\(number)", in: "t1") }
            await world.rest()
            let paused = try await world.store.write { try $0.setPaused(true, target: "w1") }
            try await world.deliveries.refresh(paused.number)
            world.advance(.seconds(1800))
            let floor = world.store.feed.head
            var kept: [Int64] = []
            for number in 1...180 { kept.append(try await world.send("kept\(number)", in: "t\(2 + number % 2)")) }
            // More waits than the log is looked at for while it does.
            let resumed = try await world.store.write { try $0.setPaused(false, target: "w1") }
            try await world.deliveries.refresh(resumed.number)
            await world.rest()
            let waiting = try await world.deliveries(.pending)
            #expect(waiting.count > 128)
            world.advance(.seconds(2700))
            await world.rest()
            await world.store.trim()
            #expect(await eventually { world.store.feed.floor == floor })
            let before = world.sender.begun.count
            world.sender.answer(.delivered)
            await world.advanceToNextWaking()
            #expect(try await world.isDelivered(180))
            let sent = world.sender.begun.dropFirst(before)
            #expect(sent.first?.type.hasPrefix("reset") == true && sent.first?.type.hasSuffix(" \(floor)") == true)
            #expect(sent.dropFirst().compactMap(\.offset).sorted() == kept)
        }
    }

    @Test func aPausedTargetGoesOnWhereItStopped() async throws {
        try await DeliveryWorld.run { world in
            let first = try await world.send("m1")
            #expect(try await world.isDelivered(1))
            let paused = try await world.store.write { try $0.setPaused(true, target: "w1") }
            try await world.deliveries.refresh(paused.number)
            let second = try await world.send("m2")
            await world.rest()
            #expect(world.sender.offsets == [first])
            let resumed = try await world.store.write { try $0.setPaused(false, target: "w1") }
            try await world.deliveries.refresh(resumed.number)
            #expect(try await world.isDelivered(2))
            #expect(world.sender.offsets == [first, second])
        }
    }

    @Test func oneThatFailsHoldsNoOther() async throws {
        try await DeliveryWorld.run { world in
            try await world.makeTarget("w2")
            let second = try await world.target("w2")
            try await world.deliveries.refresh(second.number)
            world.sender.answer { _ in nil }
            try await world.send("m1")
            #expect(await eventually { world.sender.inFlight.count == 2 })
            world.sender.end(AttemptReport(.targetFailed), of: "w1")
            world.sender.end(of: "w2")
            #expect(try await eventually { try await world.health().state == .failing })
            try await world.send("m2")
            #expect(await eventually { world.sender.inFlight.count == 1 })
            world.sender.end(of: "w2")
            #expect(try await eventually { try await world.deliveries(.delivered, of: "w2").count == 2 })
            #expect(try await world.deliveries(.delivered, of: "w1").isEmpty)
        }
    }
}
