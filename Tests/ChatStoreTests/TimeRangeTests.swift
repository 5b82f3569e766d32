import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// Lists between two times: from `since` on, and before `until`.
@Suite struct TimeRangeTests {
    private let environment = TestEnvironment()
    /// Times of rows, in milliseconds after ``start``; several have one time.
    private static let times: [Int64] = [0, 10, 10, 20, 30, 30, 40, 50]
    /// Ends of ranges: before, at, between and behind the rows.
    private static let ends: [Int64?] = [nil, -5, 0, 10, 15, 30, 50, 60]
    private var start: Timestamp { environment.now }

    private func range(_ since: Int64?, _ until: Int64?, from start: Timestamp) -> TimeRange {
        TimeRange(
            since: since.map(start.advanced(byMilliseconds:)), until: until.map(start.advanced(byMilliseconds:)))
    }

    /// The rows that a range has, by their index.
    private func expected(_ since: Int64?, _ until: Int64?) -> [Int] {
        Self.times.indices.filter { Self.times[$0] >= since ?? .min && Self.times[$0] < until ?? .max }
    }

    /// Each pair of ends that is a range, with the rows.
    private func eachRange(_ check: (TimeRange, [Int]) async throws -> Void, from start: Timestamp) async throws {
        for since in Self.ends {
            for until in Self.ends where since == nil || until == nil || since! <= until! {
                try await check(range(since, until, from: start), expected(since, until))
            }
        }
    }

    private func all(
        _ limit: Int, _ times: TimeRange, _ page: (PageRequest) throws -> PageBytes
    ) throws -> [String] {
        var (seen, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try Page(page(PageRequest(limit: limit, cursor: cursor, times: times)))
            seen += page.ids
            cursor = page.next
        } while cursor != nil
        return seen
    }

    @Test(arguments: [1, 3, 100]) func listsOfThreadsHaveThoseWhoseLatestActivityIsInTheRange(limit: Int) async throws {
        try await withStore(environment: environment) { store in
            let start = start
            let account = try await store.write { transaction in
                let account = try transaction.openAccount(
                    AccountKey(service: "local", channel: "multi", customer: "c1"))
                for (index, time) in Self.times.enumerated() {
                    var record = try transaction.insert(
                        ChatThread(
                            id: "t\(index)", createdAt: start.advanced(byMilliseconds: time),
                            members: [account.customer]), owner: account)
                    record.thread.state = index % 3 == 0 ? .closed : .ready
                    try transaction.announceToDesk(&record)
                    try transaction.save(&record, logging: .threadCreated, withDesk: true)
                }
                return account.number
            }
            try await eachRange(
                { times, rows in
                    for filter in ThreadFilter.allCases {
                        let wanted = rows.filter { filter == .all || (filter == .closed) == ($0 % 3 == 0) }
                            .sorted { (Self.times[$1], $0) < (Self.times[$0], $1) }.map { "t\($0)" }
                        let own = try all(limit, times) { request in
                            try store.readBlocking { try $0.threadPage(of: account, filter, request) }
                        }
                        #expect(own == wanted, "\(times)")
                        for query in [
                            ThreadQuery(state: filter), ThreadQuery(state: filter, channel: "multi"),
                            ThreadQuery(state: filter, members: ["c1"]),
                        ] {
                            let atDesk = try all(limit, times) { request in
                                try store.readBlocking { try $0.deskThreadPage(query, request) }
                            }
                            #expect(atDesk == wanted, "\(times)")
                        }
                    }
                }, from: start)
        }
    }

    @Test(arguments: [1, 3, 100]) func listsOfMessagesHaveThoseThatWereCreatedInTheRange(limit: Int) async throws {
        try await withStore(environment: environment) { store in
            let start = start
            let room = try await Room.make(in: store)
            for (index, time) in Self.times.enumerated() {
                try await room.send("m\(index)", "word", at: start.advanced(byMilliseconds: time))
            }
            try await store.catchUpSearch()
            try await eachRange(
                { times, rows in
                    let wanted = rows.reversed().map { "m\($0)" }
                    let listed = try all(limit, times) { request in
                        try blocking { try await store.messagePage(of: room.account.number, thread: "t1", request) }
                    }
                    #expect(listed == wanted, "\(times)")
                    for scope in [
                        SearchScope.thread("t1", of: room.account.number), .account(room.account.number),
                        .desk(service: "local"),
                    ] {
                        #expect(try await found(in: store, scope, times, limit) == wanted, "\(times)")
                    }
                }, from: start)
        }
    }

    /// From the oldest message on, as transcripts read.
    @Test func pagesThatBeginAtTheOldestBeginWithTheRange() async throws {
        try await withStore(environment: environment) { store in
            let start = start
            let room = try await Room.make(in: store)
            for (index, time) in Self.times.enumerated() {
                try await room.send("m\(index)", at: start.advanced(byMilliseconds: time))
            }
            let times = range(10, 40, from: start)
            let first = try Page(
                await store.messagePage(
                    of: room.account.number, thread: "t1",
                    PageRequest(limit: 3, cursor: nil, beginsAtOldest: true, times: times)))
            #expect(first.ids == ["m3", "m2", "m1"])
            let second = try Page(
                await store.messagePage(
                    of: room.account.number, thread: "t1", PageRequest(limit: 3, cursor: first.prev, times: times)))
            #expect(second.ids == ["m5", "m4"] && second.prev == nil)
        }
    }

    /// What is missing outside the range is no reason to ask the service for more.
    @Test func aHoleOutsideTheRangeBoundsNothing() {
        let times = range(10, 40, from: Timestamp(milliseconds: 0))
        func hole(_ time: Int64, isOlder: Bool) -> Int64? {
            times.hole(MessagePosition(createdAt: time, number: 5), isOlder: isOlder)?.createdAt
        }
        #expect([hole(9, isOlder: true), hole(10, isOlder: true), hole(41, isOlder: false)] == [nil, 10, nil])
        #expect([hole(25, isOlder: true), hole(25, isOlder: false), hole(40, isOlder: false)] == [25, 25, nil])
        #expect(TimeRange.all.hole(.start, isOlder: true) == .start)
    }

    private func found(
        in store: ChatStore, _ scope: SearchScope, _ times: TimeRange, _ limit: Int
    ) async throws -> [String] {
        var (ids, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await store.search(
                scope, for: "word", page: PageRequest(limit: limit, cursor: cursor, times: times))
            ids +=
                try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.compactMap {
                    $0[path: "message", "id"]?.string
                } ?? []
            cursor = page.next
        } while cursor != nil
        return ids
    }
}
