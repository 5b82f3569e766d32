import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// Every list has an index that serves it.
///
/// Debug builds look at each statement's plan when it is first used; whatever any test of this process runs is looked
/// at, and refused where there is a complaint.
@Suite(.onSQLite("asks SQLite for its plans")) struct QueryPlanTests {
    @Test(arguments: [
        ("SELECT number FROM message", "SCAN message"),
        ("SELECT number FROM thread ORDER BY activity LIMIT 5", "SCAN thread"),
        ("SELECT id FROM attachment WHERE uploader = 1", "SCAN attachment"),
        ("UPDATE member SET unread = 0 WHERE unread > 0", "SCAN member"),
    ])
    func aStatementThatReadsAWholeTableIsComplainedOf(sql: String, step: String) async throws {
        try await withStore { store in
            let complaints = try store.onWriter { try QueryPlans.complaints(about: sql, in: $0) }
            #expect(complaints.first?.hasPrefix(step) == true)
        }
    }

    @Test func aStatementThatReadsAWholeTableIsRefusedEachTime() async throws {
        try await withStore { store in
            for _ in 1...2 {
                await #expect(throws: ChatError.self) {
                    try await store.read { try $0.db.all("SELECT number FROM message", []) { $0.integer(0) }.count }
                }
            }
        }
    }

    @Test func whatSortsAllThereIsIsComplainedOf() async throws {
        try await withStore { store in
            let sql = "SELECT id FROM message WHERE thread = 1 AND isInThread = 1 ORDER BY customType DESC, number"
            let complaints = try store.onWriter { try QueryPlans.complaints(about: sql, in: $0) }
            #expect(complaints == ["USE TEMP B-TREE FOR ORDER BY"])
        }
    }

    @Test(arguments: [
        "SELECT value FROM meta", "SELECT json FROM channel WHERE service = ? ORDER BY position",
        "SELECT number FROM message WHERE thread = ? AND isInThread = 1 ORDER BY createdAt DESC, number DESC LIMIT 5",
        "SELECT thread FROM member WHERE thread IN (?, ?)",
    ])
    func indexesAndSmallTablesAreWellEnough(sql: String) async throws {
        try await withStore { store in
            let complaints = try store.onWriter { try QueryPlans.complaints(about: sql, in: $0) }
            #expect(complaints.isEmpty)
        }
    }

    /// The lists that a gateway reads most, so that this suite says something by itself.
    @Test func theListsHaveIndexes() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1")
            let (account, desk) = (room.account.number, Queue(service: "local", channel: "live"))
            let first = PageRequest(limit: 5, cursor: nil)
            for channel in [nil, "multi"] {
                _ = try await store.read { transaction in
                    for filter in ThreadFilter.allCases {
                        _ = try transaction.deskThreadPage(ThreadQuery(state: filter, channel: channel), first)
                        _ = try transaction.threadPage(of: account, filter, first)
                    }
                    _ = try transaction.deskThreads(ThreadQuery(channel: channel), after: .first, limit: 5)
                    for customer in [nil, "c1"] {
                        _ = try transaction.deskThreads("t1", onService: "local", channel: channel, customer: customer)
                    }
                    for order in ThreadQuery.Order.allCases {
                        _ = try transaction.threads(of: account, ThreadQuery(order: order), after: .first, limit: 5)
                    }
                }
            }
            for replies in ReplyFilter.allCases {
                _ = try await store.messagePage(of: account, thread: "t1", replies: replies, first)
            }
            _ = try await store.read { transaction in
                _ = try transaction.openThreads(of: account, limit: 5)
                _ = try transaction.threadStandings(of: account, after: "t0", limit: 5)
                _ = try transaction.unreadTotal(of: account)
                _ = try transaction.hasOpenChunks(of: account)
                _ = try transaction.nextInactivity()
                _ = try transaction.dueForInactivity(at: Timestamp(milliseconds: 0), limit: 5)
                return try transaction.outgoingMessages(of: account).count
            }
            try await store.write { transaction in
                _ = try transaction.tellPositions(in: desk, behind: nil)
                try transaction.closeChunks(of: account)
                _ = try transaction.collectOrphans(limit: 5)
                _ = try transaction.eraseHistory()
            }
            await store.sweepFiles()
            await store.trim()
        }
    }

    @Test(arguments: ThreadFilter.allCases)
    func theDesksThreadsOfAChannelAreARangeOfTheChannelsIndex(filter: ThreadFilter) async throws {
        try await withStore { store in
            let first = PageRequest(limit: 5, cursor: nil)
            let plans = try store.onWriter { db in
                let lists = try Self.statements(in: db) { transaction in
                    _ = try transaction.deskThreadPage(ThreadQuery(state: filter, channel: "multi"), first)
                    _ = try transaction.deskThreads(ThreadQuery(channel: "multi"), after: .first, limit: 5)
                }.filter { $0.contains("FROM thread ") }
                return try lists.map { sql in try db.all("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) } }
            }
            #expect(plans.count >= 2)
            for plan in plans {
                #expect(plan.contains { $0.contains("thread_desk_channel (channel=?") }, "\(plan)")
            }
        }
    }

    /// Both ends of the times are ends of the range in the index that is read.
    @Test func listsBetweenTwoTimesReadARangeOfAnIndex() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let times = TimeRange(since: Timestamp(milliseconds: 1), until: Timestamp(milliseconds: 9))
            let first = PageRequest(limit: 5, cursor: nil, times: times)
            let plans = try store.onWriter { db in
                try Self.statements(in: db) { transaction in
                    _ = try transaction.deskThreadPage(ThreadQuery(), first)
                    _ = try transaction.deskThreadPage(ThreadQuery(channel: "multi"), first)
                    _ = try transaction.threadPage(of: room.account.number, ThreadQuery(), first)
                    if let thread = try transaction.thread("t1", of: room.account.number) {
                        _ = try transaction.messagePage(of: thread, first)
                    }
                }.filter { $0.contains("ORDER BY") }.map { sql in
                    try db.all("EXPLAIN QUERY PLAN \(sql)") { $0.text(3) }.joined(separator: "\n")
                }.filter { plan in
                    ["thread_desk", "member_order", "message_order"].contains(where: plan.contains)
                }
            }
            #expect(plans.count >= 4)
            for plan in plans {
                #expect(
                    plan.contains("activity>? AND activity<?") || plan.contains("createdAt>? AND createdAt<?")
                        || plan.contains("(createdAt,number)"), "\(plan)")
            }
        }
    }

    @Test func theStatesOfManyThreadsAreReadByAsManyStatementsAsThatOfOne() async throws {
        try await withStore { store in
            var counts: [Int] = []
            for (customer, threads) in [("c1", 1), ("c2", 20)] {
                let account = try await store.write { transaction in
                    let account = try transaction.openAccount(
                        AccountKey(service: "local", channel: "multi", customer: customer))
                    for index in 0..<threads {
                        var record = try transaction.insert(
                            ChatThread(id: "t\(index)", createdAt: transaction.now, members: [account.customer]),
                            owner: account)
                        try transaction.save(&record, logging: .threadCreated, withDesk: true)
                    }
                    return account.number
                }
                let statements = try store.onWriter { db in
                    try Self.statements(in: db) { transaction in
                        let standings = try transaction.threadStandings(of: account, limit: 100)
                        #expect(standings.count == threads)
                    }
                }
                counts.append(statements.count)
            }
            #expect(counts[0] > 0 && counts[1] == counts[0])
        }
    }

    /// The statements that a reading runs, in their order, without those that look at plans.
    private static func statements(
        in db: SQLiteConnection, of reading: (ReadTransaction) throws -> Void
    ) throws -> [String] {
        let seen = Journal<String>()
        db.trace { seen.add($0) }
        defer { db.trace(nil) }
        try reading(ReadTransaction(db: .lite(db)))
        return seen.entries.filter { !$0.hasPrefix("EXPLAIN") }
    }

    @Test func severalThreadsAreReadByAsManyStatementsAsOne() async throws {
        try await withStore { store in
            var numbers: [Int64] = []
            for index in 0..<20 {
                let room = try await Room.make(in: store, thread: "t\(index)", customer: "c\(index)")
                numbers.append(try room.record().number)
            }
            let order = Array(numbers.reversed())
            let threads = try await store.read { try $0.threads(numbered: order) }
            #expect(threads.map(\.number) == order)
            for thread in threads {
                let alone = try await store.read { try $0.thread(number: thread.number) }
                #expect(thread.thread == alone?.thread)
                #expect(thread.members.map(\.account) == alone?.members.map(\.account))
                #expect(thread.owner.key == alone?.owner.key)
            }
        }
    }
}
