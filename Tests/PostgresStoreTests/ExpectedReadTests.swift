import ChatModel
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// Queries that are sent before they are asked for, so that they share a round trip.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct ExpectedReadTests {
    private func connect() throws -> PostgresSession {
        PostgresSession(try PostgresConnection(#require(TestServer.address)))
    }

    private func number(_ sql: String, _ values: [SQLValue] = [], in session: PostgresSession) throws -> Int64? {
        try DatabaseSession.engine(session).first(sql, values) { $0.integer(0) }
    }

    @Test func theyComeWithTheNextQuery() throws {
        let session = try connect()
        try session.hold("BEGIN")
        try session.expect("SELECT CAST(? AS bigint)", [.integer(7)])
        try session.expect("SELECT CAST(? AS bigint)", [.integer(8)])
        #expect(try number("SELECT CAST(2 AS bigint)", in: session) == 2)
        #expect(try number("SELECT CAST(? AS bigint)", [.integer(8)], in: session) == 8)
        #expect(try number("SELECT CAST(? AS bigint)", [.integer(7)], in: session) == 7)
        #expect(session.roundTrips == 1)
        // Each is asked for once.
        #expect(try number("SELECT CAST(? AS bigint)", [.integer(7)], in: session) == 7)
        #expect(session.roundTrips == 2)
        try session.expect("SELECT CAST(3 AS bigint)", [])
        #expect(try number("SELECT CAST(3 AS bigint)", in: session) == 3, "nothing else has sent it")
        #expect(session.roundTrips == 3)
    }

    @Test(arguments: [false, true]) func theyEndWithTheirTransaction(isSent: Bool) throws {
        let session = try connect()
        try session.hold("BEGIN")
        try session.expect("SELECT CAST(1 AS bigint)", [])
        if isSent { try session.flush() }
        try session.hold("COMMIT")
        try session.finish()
        try session.hold("BEGIN")
        try session.expect("SELECT CAST(2 AS bigint)", [])
        #expect(try number("SELECT CAST(1 AS bigint) + 4", in: session) == 5)
        #expect(try number("SELECT CAST(2 AS bigint)", in: session) == 2)
        #expect(session.roundTrips == (isSent ? 2 : 1))
        try session.expect("SELECT CAST(1 AS bigint) / 0", [])
        #expect(throws: PostgresError.self) { try number("SELECT CAST(6 AS bigint)", in: session) }
        try session.hold("ROLLBACK")
        try session.flush()
        session.forgetExpected()
        #expect(try number("SELECT CAST(6 AS bigint)", in: session) == 6)
    }

    /// The first page is asked for when its thread is known; a later page's cursor names the thread.
    @Test func aPageTakesOneRoundTripOrTwo() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let account = try await store.write { transaction in
                    let account = try transaction.openAccount(
                        AccountKey(service: "local", channel: "multi", customer: "ada"))
                    let thread = ChatThread(id: "t1", createdAt: transaction.now, members: [account.customer])
                    var record = try transaction.insert(thread, owner: account)
                    for number in 1...3 {
                        let message = Message(
                            id: "m\(number)", threadID: "t1", createdAt: transaction.now, direction: .toAgent,
                            author: Author(account.customer), text: "Hello", status: .delivered)
                        _ = try transaction.insert(message, into: &record, withDesk: false)
                        try transaction.save(&record, logging: .threadUpdated, withDesk: false)
                    }
                    return account.number
                }
                let options = try PostgresOptions(address: database.address, readers: 1, gateway: "g1")
                let reader = PostgresStoreReader(options, counters: PostgresCounters())
                defer { reader.close() }
                func page(_ request: PageRequest) throws -> (page: PageBytes, roundTrips: Int) {
                    try reader.reading { transaction in
                        guard case .engine(let engine) = transaction.db, let session = engine as? PostgresSession
                        else { throw ChatError(.storageFailed, "It is another engine's.") }
                        let before = session.roundTrips
                        try transaction.expectHead()
                        try transaction.expectMessages(.alsoInThread, request)
                        let thread = try #require(try transaction.thread("t1", of: account))
                        let page = try transaction.messagePage(of: thread, request)
                        return (page, session.roundTrips - before)
                    }
                }
                let first = try page(PageRequest(limit: 2, cursor: nil))
                #expect(first.roundTrips == 2 && first.page.count == 2)
                let second = try page(PageRequest(limit: 2, cursor: first.page.next))
                #expect(second.roundTrips == 1 && second.page.count == 1)
                #expect(second.page.offset == store.feed.head)
            }
        }
    }
}
