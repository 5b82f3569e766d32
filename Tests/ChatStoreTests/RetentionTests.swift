import ChatModel
import GRDB
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

    private func logged(_ store: ChatStore) throws -> [Int64] {
        try store.onWriter { try Int64.fetchAll($0, sql: "SELECT place FROM log ORDER BY place") }
    }

    @Test(.onSQLite("looks into SQLite's tables")) func whatIsTooOldGoesAndItsCursorsExpire() async throws {
        try await withStore(options: options(), environment: environment) { store in
            let room = try await Room.make(in: store)
            try await room.send("old")
            let old = store.feed.head
            environment.advance(milliseconds: 1000)
            try await room.send("young")
            #expect(store.feed.floor == 0)
            environment.advance(milliseconds: 1)
            await store.trim()
            #expect(try logged(store) == [old + 1, old + 2])
            #expect(store.feed.floor == old)
            await #expect(throws: CursorExpired.self) {
                try await store.replay([room.audience], after: old - 1, limit: 1 << 20)
            }
            #expect(
                try await store.replay([room.audience], after: old, limit: 1 << 20).events.compactMap(\.offset) == [
                    old + 1, old + 2,
                ])
            let audience = try store.onWriter {
                try Int.fetchOne($0, sql: "SELECT count(*) FROM audience WHERE place <= \(old)")
            }
            #expect(audience == 0)
            // Only the log forgets.
            #expect(try room.page().ids == ["young", "old"])
        }
    }

    @Test(.onSQLite("looks into SQLite's tables")) func noMoreRowsAreKeptThanAreWanted() async throws {
        try await withStore(options: options(age: .max / 2, count: 10, batch: 3)) { store in
            let room = try await Room.make(in: store)
            for index in 0..<20 { try await room.send("m\(index)") }
            await store.trim()
            #expect(try logged(store) == Array((store.feed.head - 9)...store.feed.head))
            #expect(store.feed.floor == store.feed.head - 10)
        }
    }

    @Test(.onSQLite("looks into SQLite's tables")) func aBatchIsBoundedWhileOthersWait() async throws {
        try await withStore(options: options(batch: 5), environment: environment) { store in
            let room = try await Room.make(in: store)
            for index in 0..<20 { try await room.send("m\(index)") }
            // The writer trims after the last message, too; it must not find that message old.
            try store.onWriter { _ in }
            environment.advance(milliseconds: 5000)
            let trimmer = LogTrimmer(
                retention: options(batch: 5).retention, feed: store.feed, environment: environment.environment)
            #expect(try store.onWriter { try trimmer.trim(.lite($0), isAsked: false) { try $0() } })
            #expect(store.feed.floor == 5)
            #expect(try logged(store).first == 6)
            // Alone, the writer goes on until nothing is left.
            await store.trim()
            #expect(try logged(store).isEmpty)
            #expect(try store.onWriter { try trimmer.trim(.lite($0), isAsked: false) { try $0() } } == false)
        }
    }

    @Test(.onSQLite("looks into SQLite's tables")) func headAndFloorSurviveReopeningWhenAllRowsAreGone() async throws {
        try await withFolder { folder in
            let first = try openStore(folder: folder, options: options(), environment: environment.environment)
            let room = try await Room.make(in: first)
            try await room.send("m1")
            let head = first.feed.head
            environment.advance(milliseconds: 5000)
            await first.trim()
            #expect(try logged(first).isEmpty)
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

    @Test(.onSQLite("looks into SQLite's tables")) func theVersionOfAListNeverReturnsToAnEarlierOne() async throws {
        try await withStore(options: options(), environment: environment) { store in
            let room = try await Room.make(in: store)
            func versions() throws -> [Int64] {
                let request = PageRequest(limit: 10, cursor: nil)
                return try store.readNow {
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
                #expect(try logged(store).isEmpty)
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
