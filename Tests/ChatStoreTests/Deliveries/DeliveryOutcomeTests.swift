import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct DeliveryOutcomeTests {
    @Test func eachEndIsKeptWithItsAttempt() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            for number in 1...2 { try await deliveries.room.send("m\(number)") }
            let taken = try await deliveries.take().deliveries
            let later = TestEnvironment.start.advanced(bySeconds: 5)
            try await deliveries.end(taken[0], .delivered, head: "ok")
            try await deliveries.end(taken[1], .refused(nextAt: later))
            try await deliveries.end(taken[2], .waiting)
            try await deliveries.end(taken[3], .dead(reason: "refused"))
            var found: [DeliveryDetail] = []
            for delivery in taken { found.append(try await deliveries.detail(delivery)) }
            #expect(found.map(\.delivery.state) == [.delivered, .pending, .pending, .dead])
            #expect(found.map(\.delivery.refusalCount) == [0, 1, 0, 1])
            #expect(found.map(\.delivery.nextAt) == [nil, later, nil, nil])
            #expect(found.map(\.delivery.attemptCount) == [1, 1, 1, 1])
            #expect(found.map { $0.delivery.doneAt != nil } == [true, false, false, true])
            #expect(found[3].delivery.reason == "refused")
            #expect(
                found[0].attempts == [
                    AttemptRecord(at: TestEnvironment.start, status: 200, milliseconds: 3, head: Array("ok".utf8))
                ])
        }
    }

    @Test func theNewestAttemptsAreKept() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1")
            let first = try #require(try await deliveries.take().deliveries.first)
            for _ in 1...25 { try await deliveries.end(first, .waiting, head: String(repeating: "x", count: 5000)) }
            let found = try await deliveries.detail(first)
            #expect(found.delivery.attemptCount == 25 && found.attempts.count == AttemptRecord.maximumCount)
            #expect(found.attempts.allSatisfy { $0.head?.count == AttemptRecord.maximumHead })
        }
    }

    @Test func theListShowsTheNewestFirstByState() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            for number in 1...3 { try await deliveries.room.send("m\(number)") }
            let taken = try await deliveries.take().deliveries
            for delivery in taken.prefix(4) { try await deliveries.end(delivery, .delivered) }
            func offsets(_ state: DeliveryState?) async throws -> [Int64] {
                var offsets: [Int64] = []
                var cursor: String?
                repeat {
                    let request = PageRequest(limit: 3, cursor: cursor)
                    let page = try await store.read { try $0.deliveryPage(of: taken[0].target, state: state, request) }
                    offsets += page.items.map(\.delivery.offset)
                    cursor = page.next
                } while cursor != nil
                return offsets
            }
            #expect(try await offsets(nil) == taken.map(\.offset).reversed())
            #expect(try await offsets(.delivered) == taken.prefix(4).map(\.offset).reversed())
            #expect(try await offsets(.pending) == taken.suffix(2).map(\.offset).reversed())
            #expect(try await offsets(.dead) == [])
        }
    }

    @Test func whatIsDoneIsKeptForAWhile() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1")
            let old = try await deliveries.take().deliveries
            try await deliveries.end(old[0], .delivered, head: "ok")
            environment.advance(milliseconds: 8 * 86_400_000)
            let number = old[0].target
            for index in 0..<510 { try await deliveries.room.send("n\(index)") }
            while case let taken = try await deliveries.take().deliveries, !taken.isEmpty {
                for delivery in taken { try await deliveries.end(delivery, .delivered) }
            }
            while try await store.write(inBackground: true, { try $0.tidyDeliveries(of: number) }) {}
            let left = try await store.numbers(
                "SELECT place FROM delivery WHERE doneAt IS NOT NULL ORDER BY place")
            #expect(left.count == 1000 && left.last == store.feed.head && !left.contains(old[0].offset))
        }
    }

    @Test func aDeadDeliveryIsSentAgain() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            for number in 1...2 { try await deliveries.room.send("m\(number)") }
            let taken = try await deliveries.take().deliveries
            for delivery in taken { try await deliveries.end(delivery, .dead(reason: "refused")) }
            let again = try await store.write { try $0.redeliver(taken[1].number, ofTarget: "w1") }
            #expect(again.state == .pending && again.refusalCount == 0 && again.number == taken[1].number)
            #expect(try await store.write { try $0.redeliverDead(ofTarget: "w1") } == 3)
            #expect(try await deliveries.pending().map(\.number) == taken.map(\.number))
            #expect(
                await refusal { try await store.write { try $0.redeliver(99, ofTarget: "w1").number } }
                    == .unknownDelivery)

            try await deliveries.end(taken[0], .delivered)
            try await deliveries.room.remove("m1")
            #expect(
                await refusal { try await store.write { try $0.redeliver(taken[0].number, ofTarget: "w1").number } }
                    == .deliveryExpired)
        }
    }

    @Test func aReplayGoesInTheOrderOfTheLogAndReusesTheRows() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            let start = try await deliveries.target().position
            for number in 1...2 { try await deliveries.room.send("m\(number)") }
            let taken = try await deliveries.take().deliveries
            for delivery in taken.prefix(2) { try await deliveries.end(delivery, .delivered) }
            let target = try await store.write { try $0.replay(target: "w1", after: start) }
            #expect(target.position == start)
            let again = try await deliveries.take().deliveries
            #expect(again.map(\.offset) == taken.map(\.offset))
            #expect(again.prefix(2).map(\.number) == taken.prefix(2).map(\.number))
            // The answer to an attempt that was on its way is of no interest any more.
            try await deliveries.end(taken[3], .dead(reason: "refused"))
            #expect(try await deliveries.pending().count == 4)
        }
    }

    @Test func aPlaceInTheLogIsFoundByTime() async throws {
        let environment = TestEnvironment()
        var options = StoreOptions()
        options.retention = Retention(maximumAgeInMilliseconds: 60_000, maximumCount: 1_000_000)
        try await withStore(options: options, environment: environment) { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            var heads: [Int64] = []
            for number in 0..<20 {
                environment.advance(milliseconds: 1000)
                heads.append(store.feed.head)
                try await deliveries.room.send("m\(number)")
            }
            for number in 0..<20 {
                for shift in [0, -999] as [Int64] {
                    let time = TestEnvironment.start.advanced(byMilliseconds: Int64(number + 1) * 1000 + shift)
                    #expect(try await store.read { try $0.logPosition(since: time) } == heads[number])
                }
            }
            let late = environment.now.advanced(bySeconds: 1)
            #expect(try await store.read { try $0.logPosition(since: late) } == store.feed.head)
            let early = TestEnvironment.start.advanced(bySeconds: -10)
            #expect(try await store.read { try $0.logPosition(since: early) } == 0)

            environment.advance(milliseconds: 55_000)
            await store.trim()
            #expect(await eventually { store.feed.floor > 0 })
            #expect(await refusal { try await store.read { try $0.logPosition(since: early) } } == .cursorExpired)
            let floor = store.feed.floor, epoch = store.feed.epoch
            let cursors = [
                Cursor(epoch: epoch, offset: floor - 1), Cursor(epoch: "other", offset: floor),
                Cursor(epoch: epoch, offset: .max),
            ]
            for cursor in cursors {
                #expect(
                    await refusal { try await store.read { try $0.logPosition(after: cursor, epoch: epoch) } }
                        == .cursorExpired)
            }
            let valid = Cursor(epoch: epoch, offset: floor)
            #expect(try await store.read { try $0.logPosition(after: valid, epoch: epoch) } == floor)
        }
    }
}
