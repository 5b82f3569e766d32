import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// A standby keeps its search index current, and the store that takes over goes on with it.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct StandbySearchTests {
    private static let key = AccountKey(service: "local", channel: "multi", customer: "c1")

    /// Writes a message with this text, which is also its id.
    private static func say(_ text: String, in store: ChatStore) async throws {
        try await store.write { transaction in
            let account = try transaction.openAccount(key)
            var record: ThreadRecord
            if let known = try transaction.thread("t1", of: account.number) {
                record = known
            } else {
                record = try transaction.insert(
                    ChatThread(id: "t1", createdAt: transaction.now, members: [account.customer]), owner: account)
            }
            let message = Message(
                id: text, threadID: "t1", createdAt: transaction.now, direction: .toAgent,
                author: Author(account.customer), text: text, status: .delivered)
            _ = try transaction.insert(message, into: &record, withDesk: true)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    /// What a search finds that waits for nothing.
    private static func found(_ text: String, in store: ChatStore) async throws -> [String] {
        let account = try await store.write { try $0.openAccount(key) }
        let page = try await store.search(
            .thread("t1", of: account.number), for: text, page: PageRequest(limit: 10, cursor: nil))
        let json = try JSONParser.parse(page.body + Array("}".utf8))
        return (json["items"]?.array ?? []).compactMap { $0[path: "message", "id"]?.string }
    }

    /// A standby beside the store `g2`, through this address.
    private static func standby(_ database: TestDatabase, through address: String? = nil) throws -> StandbySearch {
        var options = try PostgresOptions(address: address ?? database.address, readers: 1, gateway: "g2")
        options.allowsLoss = true
        return StandbySearch(options, folder: database.folder + "/g2")
    }

    /// Makes the folder of `g2`.
    private static func makeFolder(_ database: TestDatabase) async throws { try await database.open("g2") { _ in } }

    @Test func aStoreThatTakesOverFindsAllAtOnce() async throws {
        try await TestDatabase.run { database in
            try await Self.makeFolder(database)
            let standby = try Self.standby(database)
            defer { standby.close() }
            var place: Int64 = 0
            try await database.open("g1") { store in
                try await Self.say("before", in: store)
                standby.start()
                #expect(await eventually { standby.indexedTo == store.feed.head })
                try await Self.say("after", in: store)
                #expect(await eventually { standby.indexedTo == store.feed.head })
                place = store.feed.head
            }
            standby.close()
            try await database.open("g2") { store in
                // An index that was built anew would begin at 0.
                store.startSearch()
                #expect(store.search.indexedTo == place)
                for text in ["before", "after"] {
                    let found = try await Self.found(text, in: store)
                    #expect(found == [text])
                }
            }
        }
    }

    /// What was committed while the standby was cut off is read when it is back.
    @Test func anOutageIsCaughtUp() async throws {
        try await TestDatabase.run { database in
            try await Self.makeFolder(database)
            let proxy = try PostgresProxy(to: database.address)
            defer { proxy.close() }
            let standby = try Self.standby(database, through: proxy.address)
            defer { standby.close() }
            try await database.open("g1") { store in
                try await Self.say("before", in: store)
                standby.start()
                #expect(await eventually { standby.indexedTo == store.feed.head })
                for text in ["one", "two"] {
                    proxy.cut()
                    try await Self.say(text, in: store)
                }
                #expect(await eventually { standby.indexedTo == store.feed.head })
            }
        }
    }

    /// It can be closed while nothing can be reached: it has not opened yet, or waits for an answer that does not come.
    @Test func itEndsWithoutADatabase() async throws {
        try await TestDatabase.run { database in
            try await Self.makeFolder(database)
            let nowhere = try Self.standby(database, through: "postgresql://nobody@/none?host=/nowhere")
            nowhere.start()
            nowhere.close()
            let proxy = try PostgresProxy(to: database.address)
            defer { proxy.close() }
            let cutOff = try Self.standby(database, through: proxy.address)
            try await database.open("g1") { store in
                try await Self.say("before", in: store)
                cutOff.start()
                #expect(await eventually { cutOff.indexedTo == store.feed.head })
                proxy.stop(.answers)
                try await Self.say("after", in: store)
                #expect(await eventually { proxy.hasStopped })
                cutOff.close()
            }
            // The store goes on beside what still waits.
            try await database.open("g2") { store in
                store.startSearch()
                let found = try await Self.found("before", in: store)
                #expect(found == ["before"])
            }
        }
    }

    /// What an asynchronous standby of the server did not have is not found any more.
    @Test func lostCommitsLeaveTheIndex() async throws {
        try await TestDatabase.run { database in
            try await Self.makeFolder(database)
            let standby = try Self.standby(database)
            defer { standby.close() }
            try await database.open("g1") { store in
                try await Self.say("kept", in: store)
                let survived = store.feed.head
                standby.start()
                try await Self.say("lost", in: store)
                #expect(await eventually { standby.indexedTo == store.feed.head })
                // In one transaction: the standby looks at any moment.
                _ = try database.column(
                    """
                    WITH a AS (DELETE FROM committed WHERE place > \(survived)), \
                    b AS (DELETE FROM log WHERE place > \(survived)), \
                    c AS (DELETE FROM audience WHERE place > \(survived)), \
                    d AS (DELETE FROM message WHERE id = 'lost') SELECT ''
                    """)
                try await Self.say("new", in: store)
                #expect(store.feed.head > PostgresWriter.leap)
                #expect(await eventually { standby.indexedTo == store.feed.head })
            }
            standby.close()
            try await database.open("g2") { store in
                store.startSearch()
                for (text, ids) in [("kept", ["kept"]), ("lost", []), ("new", ["new"])] {
                    let found = try await Self.found(text, in: store)
                    #expect(found == ids)
                }
                let isForgotten = try await store.search.opened().read { db, rows in
                    let account = try rows.account(AccountKey(service: "local", channel: "multi", customer: "c1"))
                    let thread = try account.flatMap { try rows.thread("t1", of: $0.number) }?.number ?? 0
                    return try db.first(
                        "SELECT place FROM entry WHERE thread = ? AND id = 'lost'", [.integer(thread)], { _ in true })
                        == nil
                }
                #expect(isForgotten)
            }
        }
    }
}
