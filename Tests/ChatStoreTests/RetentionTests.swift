import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct RetentionTests {
    private let environment = TestEnvironment()

    private func options(age: Int64 = 1000, count: Int64 = 1_000_000, batch: Int64 = 256) -> StoreOptions {
        var options = StoreOptions()
        options.retention = Retention(maximumAgeInMilliseconds: age, maximumCount: count, batch: batch)
        return options
    }

    private func logged(_ store: ChatStore) async throws -> [Int64] {
        try await store.numbers("SELECT place FROM log WHERE place > 0 ORDER BY place")
    }

    /// Whether the log comes to hold just these events. A unit that looked would keep the writer from going on.
    private func keeps(_ offsets: [Int64], in store: ChatStore) async throws -> Bool {
        try await eventually {
            try await store.read { transaction in
                try transaction.db.all("/* all */ SELECT place FROM log WHERE place > 0 ORDER BY place") {
                    $0.integer(0)
                }
            } == offsets
        }
    }

    @Test func whatIsTooOldGoesAndItsCursorsExpire() async throws {
        try await withStore(options: options(), environment: environment) { store in
            let room = try await Room.make(in: store)
            try await room.send("old")
            let old = store.feed.head
            environment.advance(milliseconds: 1000)
            try await room.send("young")
            #expect(store.feed.floor == 0)
            environment.advance(milliseconds: 1)
            await store.trim()
            #expect(try await logged(store) == [old + 1, old + 2])
            #expect(store.feed.floor == old)
            await #expect(throws: CursorExpired.self) {
                try await store.replay([room.audience], after: old - 1, limit: 1 << 20)
            }
            #expect(
                try await store.replay([room.audience], after: old, limit: 1 << 20).events.compactMap(\.offset) == [
                    old + 1, old + 2,
                ])
            #expect(try await store.numbers("SELECT place FROM audience WHERE place <= \(old)").isEmpty)
            // Only the log forgets.
            #expect(try room.page().ids == ["young", "old"])
        }
    }

    @Test func noMoreRowsAreKeptThanAreWanted() async throws {
        try await withStore(options: options(age: .max / 2, count: 10, batch: 3)) { store in
            let room = try await Room.make(in: store)
            for index in 0..<20 { try await room.send("m\(index)") }
            await store.trim()
            #expect(try await keeps(Array((store.feed.head - 9)...store.feed.head), in: store))
            #expect(await eventually { store.feed.floor == store.feed.head - 10 })
        }
    }

    /// Great events go sooner than small ones; about a thousand at a time. What counts is what they take when packed.
    @Test func noMoreBytesAreKeptThanAreWanted() async throws {
        var options = options(age: .max / 2)
        options.retention.maximumBytes = 80 << 10
        try await withStore(options: options) { store in
            try store.skipDiskSync()
            let room = try await Room.make(in: store)
            // Two events each, of about 120 bytes together.
            for index in 0..<1600 { try await room.send("m\(index)", String(repeating: "x", count: 3000)) }
            await store.trim()
            let bytes = "SELECT sum(length(data)) FROM log"
            #expect(try await eventually { try await store.numbers(bytes)[0] <= 80 << 10 })
            #expect(try await logged(store).count >= 1000)
            #expect(store.feed.floor > 1000)
        }
    }

    @Test func theLogIsWeighedPieceByPiece() {
        var weight = LogWeight()
        for number in 1...3 {
            let isWhole = weight.add(LogWeight.Piece(count: 1000, last: Int64(number) * 1000, byteCount: 100))
            #expect(isWhole)
        }
        let isRest = !weight.add(LogWeight.Piece(count: 7, last: 3007, byteCount: 50))
        #expect(isRest)
        // Each event is measured once.
        #expect(weight.measured == 3007 && weight.room == 993)
        #expect(weight.surplus(beyond: 350) == nil)
        #expect(weight.surplus(beyond: 349) == 1000)
        #expect(weight.surplus(beyond: 151) == 2000)
        #expect(weight.surplus(beyond: 0) == 3000)
        weight.forget(through: 1999)
        #expect(weight.surplus(beyond: 249) == 2000)
        // The newest events have become a piece.
        let hasGrown = weight.add(LogWeight.Piece(count: 993, last: 4000, byteCount: 30))
        #expect(hasGrown)
        #expect(weight.surplus(beyond: 280) == nil)
        #expect(weight.measured == 4000 && weight.room == 1000)
        // Nothing is left of the log but what is to come.
        weight.forget(through: 5000)
        #expect(weight.measured == 5000 && weight.surplus(beyond: -1) == nil)
    }

    @Test func aBatchIsBoundedWhileOthersWait() async throws {
        try await withStore(options: options(batch: 5), rehearses: false, environment: environment) { store in
            let room = try await Room.make(in: store)
            for index in 0..<20 { try await room.send("m\(index)") }
            let trimmer = LogTrimmer(
                retention: options(batch: 5).retention, feed: store.feed, environment: environment.environment)
            let hasMore = try await store.onTables { [environment] db in
                // Not before: the writer trims after the last message, too, and must not find that message old.
                environment.advance(milliseconds: 5000)
                let hasMore = try trimmer.trim(db, isAsked: false) { try $0() }
                #expect(store.feed.floor == 5)
                #expect(try db.first("/* all */ SELECT min(place) FROM log") { $0.integer(0) } == 6)
                return hasMore
            }
            #expect(hasMore)
            // Alone, the writer goes on until nothing is left.
            await store.trim()
            #expect(try await keeps([], in: store))
            #expect(try await store.onTables { try trimmer.trim($0, isAsked: false) { try $0() } } == false)
        }
    }

    @Test func headAndFloorSurviveReopeningWhenAllRowsAreGone() async throws {
        try await withFolder { folder in
            let first = try openStore(folder: folder, options: options(), environment: environment.environment)
            let room = try await Room.make(in: first)
            try await room.send("m1")
            let head = first.feed.head
            environment.advance(milliseconds: 5000)
            await first.trim()
            #expect(try await logged(first).isEmpty)
            await first.close()

            let second = try openStore(folder: folder, options: options(), environment: environment.environment)
            #expect(second.feed.head == head && second.feed.floor == head)
            #expect(try await Room(store: second, account: room.account, thread: "t1").send("m2") == head + 1)
            await #expect(throws: CursorExpired.self) {
                try await second.replay([room.audience], after: head - 1, limit: 1)
            }
            await second.close()
        }
    }

    @Test func theVersionOfAListNeverReturnsToAnEarlierOne() async throws {
        try await withStore(options: options(), environment: environment) { store in
            let room = try await Room.make(in: store)
            func versions() throws -> [Int64] {
                let request = PageRequest(limit: 10, cursor: nil)
                return try store.readBlocking {
                    [
                        try $0.threadPage(of: room.account.number, .all, request).version,
                        try $0.deskThreadPage(ThreadQuery(state: .all, channel: nil), request).version,
                    ]
                }
            }
            var seen: [[Int64]] = []
            for index in 0..<3 {
                try await room.send("m\(index)")
                seen.append(try versions())
                environment.advance(milliseconds: 5000)
                await store.trim()
                #expect(try await logged(store).isEmpty)
                seen.append(try versions())
            }
            for column in 0..<2 {
                // Each change makes a version that was never there before, trimmed or not.
                let changes = stride(from: 0, to: 6, by: 2).map { seen[$0][column] }
                let trimmed = stride(from: 1, to: 6, by: 2).map { seen[$0][column] }
                #expect(changes == changes.sorted() && Set(changes).count == 3)
                #expect(zip(trimmed, trimmed.dropFirst()).allSatisfy { $0 < $1 })
            }
        }
    }
}
