import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// Positions by time and by number, beside a look at all rows.
@Suite struct LogPositionTests {
    private struct Row {
        var offset: Int64
        var at: Int64
        var type: EventType
        var audiences: [Audience]
    }

    private func rows(_ store: ChatStore) async throws -> [Row] {
        try await store.read { transaction in
            try transaction.db.all("/* all */ SELECT place, at, type, audience FROM log ORDER BY place") { row in
                Row(
                    offset: row.integer(0), at: row.integer(1), type: EventType(rawValue: row.text(2)) ?? .error,
                    audiences: [AudienceMember](packed: row.blob(3)).map(\.audience))
            }
        }
    }

    /// Two customers by turns, with pauses, some of them none.
    private func history(in store: ChatStore, _ environment: TestEnvironment, count: Int) async throws -> (Room, Room) {
        let first = try await Room.make(in: store, thread: "t1", customer: "c1")
        let second = try await Room.make(in: store, thread: "t2", customer: "c2")
        for index in 0..<count {
            environment.advance(milliseconds: Int64(index % 4) * 700)
            try await (index % 3 == 0 ? second : first).send("m\(index)")
        }
        return (first, second)
    }

    @Test func aTimeLeadsToItsFirstEvent() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            _ = try await history(in: store, environment, count: 40)
            let rows = try await rows(store)
            for at in Set(rows.map(\.at)) {
                for time in [at - 1, at, at + 1] {
                    let position = try await store.position(of: Timestamp(milliseconds: time))
                    #expect(
                        rows.filter { $0.offset > position }.map(\.offset)
                            == rows.filter { $0.at >= time }.map(\.offset))
                }
            }
            #expect(try await store.position(of: .earliest) == store.feed.floor)
            #expect(try await store.position(of: .latest) == store.feed.head)
        }
    }

    @Test func theLastEventsAreCountedAsTheFilterSaysIt() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            // More than one step backward.
            let (first, second) = try await history(in: store, environment, count: 800)
            let rows = try await rows(store)
            #expect(rows.filter { $0.audiences.contains(.desk) }.count > 1024)
            for audiences in [[first.audience], [second.audience, .desk], [.desk], [.account(99)]] {
                for types in [EventType.allCases, [.messageCreated], [.threadCreated], [.typing]] {
                    let wanted = rows.filter { row in
                        types.contains(row.type) && row.audiences.contains(where: audiences.contains)
                    }
                    for count in [1, 2, 500] {
                        let position = try await store.position(ofLast: count, for: audiences) { types.contains($0) }
                        #expect(
                            wanted.filter { $0.offset > position }.map(\.offset)
                                == wanted.suffix(count).map(\.offset))
                        if wanted.count < count { #expect(position == store.feed.floor) }
                    }
                }
            }
        }
    }

    @Test func aCutLogHasItsPositionsAboveTheFloor() async throws {
        let environment = TestEnvironment()
        var options = StoreOptions()
        options.retention.maximumCount = 10
        try await withStore(options: options, environment: environment) { store in
            let (first, _) = try await history(in: store, environment, count: 40)
            await store.trim()
            #expect(await eventually { store.feed.floor == store.feed.head - 10 })
            #expect(try await store.position(of: .earliest) == store.feed.floor)
            #expect(try await store.position(ofLast: 500, for: [first.audience]) { _ in true } == store.feed.floor)
            #expect(try await store.position(ofLast: 1, for: [first.audience]) { _ in true } >= store.feed.floor)
        }
    }
}
