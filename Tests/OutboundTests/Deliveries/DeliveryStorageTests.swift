import ChatModel
import TestSupport
import Testing

@testable import ChatStore
@testable import Outbound

/// What becomes of deliveries when the store fails, and when the gateway stops.
@Suite(.timeLimit(.minutes(5))) struct DeliveryStorageTests {
    private func breakAttempts(_ store: ChatStore) async throws {
        try await store.write { transaction in
            switch transaction.db {
            case .lite(let db):
                try db.run(
                    """
                    CREATE TRIGGER broken BEFORE INSERT ON attempt BEGIN SELECT RAISE(ABORT, 'on purpose'); END
                    """)
            case .engine(let db):
                try db.run(
                    """
                    CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'on purpose'; END $$
                    """, [])
                try db.run("CREATE TRIGGER broken BEFORE INSERT ON attempt EXECUTE FUNCTION fail()", [])
            }
        }
    }

    private func mendAttempts(_ store: ChatStore) async throws {
        try await store.write { transaction in
            switch transaction.db {
            case .lite(let db): try db.run("DROP TRIGGER broken")
            case .engine(let db): try db.run("DROP FUNCTION fail() CASCADE", [])
            }
        }
    }

    @Test func whatCannotBeStoredIsNotSentAgain() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { _ in nil }
            let offsets = [try await world.send("m1", in: "t1"), try await world.send("m1", in: "t2")]
            #expect(await eventually { world.sender.inFlight.count == 2 })
            try await breakAttempts(world.store)
            world.sender.end()
            var waits: [Duration] = []
            while waits.count < 12 || waits.last != .seconds(60), waits.count < 24 {
                #expect(await eventually { world.clock.nextWaking.map { $0 > .zero } == true })
                let wait = world.clock.nextWaking ?? .seconds(1)
                waits.append(wait)
                world.advance(wait)
            }
            #expect(Set(waits).isSuperset(of: [1, 2, 4, 8, 16, 32, 60].map { .seconds($0) }))
            #expect(waits.suffix(2) == [.seconds(60), .seconds(60)])
            #expect(await eventually { world.clock.nextWaking == .seconds(60) })
            #expect(world.sender.offsets == offsets)
            #expect(try await world.deliveries(.pending).count == 2)
            try await mendAttempts(world.store)
            world.advance(.seconds(60))
            #expect(try await world.isDelivered(2))
            #expect(world.sender.offsets == offsets)
        }
    }

    /// The rows still say that it waits: reading them anew must neither lose nor hasten it.
    @Test(arguments: [AttemptOutcome.targetFailed, .eventFailed])
    func whatFailedAndCouldNotBeStoredGoesOutAgainAfterARefresh(outcome: AttemptOutcome) async throws {
        try await DeliveryWorld.run { world in
            try await breakAttempts(world.store)
            world.sender.answer(outcome)
            let offset = try await world.send("m1")
            await world.rest()
            #expect(world.sender.offsets == [offset])
            #expect(await eventually { world.clock.nextWaking.map { $0 > .zero } == true })
            try await world.deliveries.refresh(world.target().number)
            world.sender.answer(.delivered)
            try await mendAttempts(world.store)
            for _ in 0..<100 where try await world.deliveries(.delivered).isEmpty {
                await world.rest()
                world.advance(.seconds(1))
            }
            #expect(try await world.isDelivered(1))
            #expect(world.sender.offsets == [offset, offset])
        }
    }

    /// The row says that the target works, while it is known here that it fails.
    @Test func aFailureThatIsNotStoredYetSurvivesARefresh() async throws {
        try await DeliveryWorld.run { world in
            try await breakAttempts(world.store)
            world.sender.answer(.targetFailed)
            let offset = try await world.send("m1")
            await world.rest()
            #expect(world.sender.offsets == [offset])
            #expect(await eventually { world.clock.nextWaking.map { $0 > .zero } == true })
            world.sender.answer(.delivered)
            try await world.deliveries.refresh(world.target().number)
            await world.rest()
            #expect(world.sender.offsets == [offset])
            try await mendAttempts(world.store)
            for _ in 0..<100 where try await world.deliveries(.delivered).isEmpty {
                await world.rest()
                world.advance(.seconds(1))
            }
            #expect(try await world.isDelivered(1))
            await world.rest()
            #expect(try await world.health() == TargetHealth(state: .active))
        }
    }

    @Test func aResumptionOutlivesAFailureThatIsNotStoredYet() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer(.targetFailed)
            let offset = try await world.send("m1")
            await world.rest()
            #expect(try await world.health().state == .failing)
            try await breakAttempts(world.store)
            await world.advanceToNextWaking()
            await world.rest()
            #expect(world.sender.offsets == [offset, offset])
            #expect(await eventually { world.clock.nextWaking == .seconds(1) })
            let resumed = try await world.store.write { try $0.setPaused(false, target: "w1") }
            world.sender.answer(.delivered)
            try await mendAttempts(world.store)
            try await world.deliveries.refresh(resumed.number)
            await world.rest()
            #expect(world.sender.offsets.count == 3)
            world.advance(.seconds(1))
            #expect(try await world.isDelivered(1))
            #expect(try await world.health() == TargetHealth(state: .active))
        }
    }

    /// Its line is read anew while the next deliveries are taken.
    @Test func aTargetThatIsChangedWhileDeliveriesAreTakenGetsThemInOrder() async throws {
        try await DeliveryWorld.run { world in
            let number = try await world.target().number
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for count in 0..<400 { try await world.send("m\(count)") } }
                for _ in 0..<4 {
                    group.addTask { for _ in 0..<200 { try await world.deliveries.refresh(number) } }
                }
                try await group.waitForAll()
            }
            #expect(try await world.isDelivered(400))
            #expect(world.sender.offsets == world.sender.offsets.sorted())
        }
    }

    /// The attempt that was under way ends after the replay, and must not take the new row's place.
    @Test func aReplayDuringAnAttemptDeliversItsEventOnce() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { _ in nil }
            let position = try await world.target().position
            let offset = try await world.send("m1")
            #expect(await eventually { world.sender.inFlight.map(\.offset) == [offset] })
            let replayed = try await world.store.write { try $0.replay(target: "w1", after: position) }
            try await world.deliveries.refresh(replayed.number)
            #expect(try await eventually { try await world.deliveries(.pending).count == 1 })
            await world.deliveries.settle()
            world.sender.answer(.delivered)
            world.sender.end(AttemptReport(.targetFailed))
            for _ in 0..<100 where try await world.deliveries(.delivered).isEmpty {
                await world.rest()
                world.advance(.seconds(1))
            }
            #expect(try await world.isDelivered(1))
            #expect(world.sender.offsets == [offset, offset])
            #expect(try await world.deliveries(.pending).isEmpty)
        }
    }

    @Test func linesAreReadAnewWhileOtherTargetsAreBusy() async throws {
        try await DeliveryWorld.run { world in
            try await world.makeTarget("w2")
            let (busy, other) = (try await world.target().number, try await world.target("w2").number)
            try await world.deliveries.refresh(other)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { for count in 0..<300 { try await world.send("m\(count)") } }
                for number in [busy, other, other, other] {
                    group.addTask { for _ in 0..<100 { try await world.deliveries.refresh(number) } }
                }
                group.addTask { for _ in 0..<100 { await world.deliveries.settle() } }
                try await group.waitForAll()
            }
            #expect(try await world.isDelivered(300))
            await world.rest()
            #expect(try await world.deliveries(.delivered, of: "w2").count == 300)
        }
    }

    @Test func whatWasTakenBeforeACrashIsSentAfterIt() async throws {
        try await DeliveryWorld.run(starts: false) { world in
            let offsets = [try await world.send("m1"), try await world.send("m2")]
            let number = try await world.target().number
            let taken = try await world.store.write {
                try $0.takeDeliveries(for: number) { $0.type == .messageCreated }
            }
            #expect(taken?.deliveries.count == 2)
            let third = try await world.send("m3")
            try await world.deliveries.start()
            #expect(try await world.isDelivered(3))
            #expect(world.sender.offsets == offsets + [third])
        }
    }

    @Test func whatIsInFlightAtTheStopIsSentAgain() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { _ in nil }
            let offset = try await world.send("m1")
            #expect(await eventually { world.sender.inFlight.count == 1 })
            let stopping = Task { await world.deliveries.stop() }
            #expect(await eventually { world.clock.nextWaking == .seconds(5) })
            world.advance(.seconds(5))
            await stopping.value
            #expect(try await world.deliveries(.pending).map(\.attemptCount) == [0])
            world.sender.answer(.delivered)
            let next = Deliveries(store: world.store, clock: world.clock, policies: [world.sender.policy])
            try await next.start()
            await next.rest()
            #expect(try await world.isDelivered(1))
            #expect(world.sender.offsets == [offset, offset])
            await next.stop()
        }
    }

    @Test func whatEndsDuringTheStopIsRecorded() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { _ in nil }
            try await world.send("m1")
            #expect(await eventually { world.sender.inFlight.count == 1 })
            let stopping = Task { await world.deliveries.stop() }
            #expect(await eventually { world.clock.nextWaking == .seconds(5) })
            world.sender.end()
            await stopping.value
            #expect(try await world.deliveries(.delivered).count == 1)
        }
    }

    @Test func aWaitGoesOnAfterARestart() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer(.targetFailed, retryAfter: .seconds(100))
            try await world.send("m1")
            await world.rest()
            #expect(try await world.health().state == .failing)
            await world.deliveries.stop()
            world.advance(.seconds(40))
            let next = Deliveries(store: world.store, clock: world.clock, policies: [world.sender.policy])
            world.sender.answer(.delivered)
            try await next.start()
            #expect(await eventually { world.clock.sleeperCount == 1 && world.clock.nextWaking == .seconds(60) })
            #expect(world.sender.begun.count == 1)
            world.advance(.seconds(60))
            await next.rest()
            #expect(try await world.isDelivered(1))
            await next.stop()
        }
    }

    /// A target that nothing happens for would be told of a gap one day that is none.
    @Test func thePositionOfAQuietTargetMovesOn() async throws {
        try await DeliveryWorld.run { world in
            try await world.store.write { transaction in
                _ = try transaction.insert(
                    TargetDraft(
                        id: "quiet", kind: .webhook, audience: .account(99), settings: Array("{}".utf8),
                        position: 0))
            }
            let quiet = try await world.target("quiet")
            try await world.deliveries.refresh(quiet.number)
            await world.rest()
            #expect(try await world.target("quiet").position == world.store.feed.head)
            try await world.send("m1")
            #expect(try await world.isDelivered(1))
            #expect(try await world.target("quiet").position < world.store.feed.head)
            await world.deliveries.maintain()
            await world.rest()
            #expect(try await world.target("quiet").position == world.store.feed.head)
        }
    }

    @Test func aTestGoesOutWithoutARow() async throws {
        try await DeliveryWorld.run { world in
            world.sender.answer { _ in AttemptReport(.eventFailed, status: 422, head: [1]) }
            let target = try await world.target()
            let attempt = await world.deliveries.test(target, .test(id: "test-1"))?.record
            #expect(attempt?.status == 422 && attempt?.head == [1])
            #expect(try await world.deliveries(nil).isEmpty)
        }
    }
}
