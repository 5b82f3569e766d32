import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct DeliveryTakingTests {
    @Test func eachEventOfTheAudienceIsTakenOnce() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            let hidden = try await Room.make(in: store, thread: "t2", customer: "c2", withDesk: false)
            try await store.write { _ = try $0.insert(DeliveryRoom.draft("w2", hidden.audience)) }
            try await deliveries.room.send("m1")
            let taken = try await deliveries.take()
            #expect(taken.deliveries.map(\.type) == [.messageCreated, .threadUpdated])
            #expect(taken.target.position == store.feed.head && !taken.hasMore)
            #expect(try await deliveries.take().deliveries.isEmpty)
            #expect(try await deliveries.pending() == taken.deliveries)
            #expect(try await deliveries.take("w2").deliveries.isEmpty)
        }
    }

    @Test func whatIsNotWantedIsPassed() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1")
            let taken = try await deliveries.take("w1", .messageCreated)
            #expect(taken.deliveries.map(\.type) == [.messageCreated] && taken.target.position == store.feed.head)
        }
    }

    @Test func eventsOfAThreadShareALaneAlsoWhenItIsGone() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            let other = try await Room.make(in: store, thread: "t1", customer: "c2")
            try await deliveries.room.send("m1")
            try await other.send("m1")
            try await deliveries.room.remove("m1")
            let taken = try await deliveries.take().deliveries
            let lanes = Dictionary(grouping: taken, by: \.lane)
            #expect(lanes.count == 2 && lanes[0] == nil, "threads of one id are of different customers")
            #expect(LogEvent(cursor: nil, type: .typing, data: Array("{\"a\":1}".utf8), members: []).lane == 0)
            func lane(_ data: String) -> Int64 {
                LogEvent(cursor: nil, type: .typing, data: Array(data.utf8), members: []).lane
            }
            #expect(lane(#"{"threadId":"a\"b","x":1}"#) == lane(#"{"thread":{"id":"a\"b"}}"#))
            #expect(lane(#"{"threadId":"a"}"#) != lane(#"{"threadId":"b"}"#))
            let cause = #""actor":{"id":"x","name":"\"thread\":{\"id\":\"b\"","kind":"agent"},"changed":["name"]"#
            #expect(lane("{\(cause),\"thread\":{\"id\":\"a\"}}") == lane(#"{"threadId":"a"}"#))
        }
    }

    @Test func aTargetThatTakesNothingCosts256Rows() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            for number in 0..<300 { try await deliveries.room.send("m\(number)") }
            var taken = try await deliveries.take()
            while taken.hasMore { taken = try await deliveries.take() }
            let pending = try await deliveries.pending()
            #expect(pending.count == 256)
            #expect(try await deliveries.take().target.position == pending.last?.offset)

            for delivery in pending.prefix(10) { try await deliveries.end(delivery, .delivered) }
            let more = try await deliveries.take().deliveries
            #expect(more.count == 10 && more.first?.offset == (pending.last?.offset ?? 0) + 1)
        }
    }

    @Test func nothingIsTakenWhileItIsPaused() async throws {
        try await withStore { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            try await store.write { _ = try $0.setPaused(true, target: "w1") }
            try await deliveries.room.send("m1")
            #expect(try await deliveries.take().deliveries.isEmpty)
            try await store.write { _ = try $0.setPaused(false, target: "w1") }
            #expect(try await deliveries.take().deliveries.count == 2)
        }
    }

    @Test func whatWaitsIsThereAfterACrash() async throws {
        try await withFolder { folder in
            let environment = TestEnvironment().environment
            var store = try openStore(folder: folder, environment: environment)
            var deliveries = try await DeliveryRoom.make(in: store)
            try await deliveries.room.send("m1")
            let taken = try await deliveries.take()
            await store.close()

            store = try openStore(folder: folder, environment: environment)
            deliveries = DeliveryRoom(room: Room(store: store, account: deliveries.room.account, thread: "t1"))
            #expect(try await deliveries.pending() == taken.deliveries)
            #expect(try await deliveries.target() == taken.target)
            #expect(try await deliveries.take().deliveries.isEmpty)
            let offsets = taken.deliveries.map(\.offset), epoch = store.feed.epoch
            let events = try await store.read { try $0.deliveryEvents(at: offsets, epoch: epoch) }
            let logged = try await store.replay([.desk], after: 0, limit: 1 << 20).events
            #expect(
                offsets.allSatisfy { offset in
                    events[offset]?.event.data(for: .desk) == logged.first { $0.offset == offset }?.data(for: .desk)
                })
            await store.close()
        }
    }

    @Test func belowTheFloorWhatWaitsExpiresAndTheGapIsNoted() async throws {
        var options = StoreOptions()
        options.retention = Retention(maximumAgeInMilliseconds: 1000, maximumCount: 1_000_000)
        let environment = TestEnvironment()
        try await withStore(options: options, environment: environment) { store in
            let deliveries = try await DeliveryRoom.make(in: store)
            let start = try await deliveries.target().position
            try await deliveries.room.send("m1")
            let taken = try await deliveries.take().deliveries
            try await deliveries.room.send("m2")
            environment.advance(milliseconds: 2000)
            let last = store.feed.head
            await store.trim()
            #expect(await eventually { store.feed.floor == last })
            try await deliveries.room.send("m3")

            let after = try await deliveries.take()
            #expect(after.floor == last && !taken.isEmpty && taken.allSatisfy { $0.offset <= last })
            #expect(after.target.gap == LogGap(from: start, to: last))
            #expect(after.deliveries.map(\.offset) == [last + 1, last + 2])
            #expect(try await deliveries.detail(try #require(taken.first)).delivery.state == .expired)

            // It is told once.
            let health = TargetHealth(state: .active), number = after.target.number
            try await store.write {
                _ = try $0.record(
                    [], targets: [TargetResult(target: number, health: health, replaces: [], toldGapTo: last - 1)])
            }
            #expect(try await deliveries.target().gap != nil)
            try await store.write {
                _ = try $0.record(
                    [], targets: [TargetResult(target: number, health: health, replaces: [], toldGapTo: last)])
            }
            #expect(try await deliveries.target().gap == nil)
        }
    }
}
