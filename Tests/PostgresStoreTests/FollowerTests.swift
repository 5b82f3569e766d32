import ChatModel
import Formats
import Synchronization
import TestSupport
import Testing

@testable import ChatStore
@testable import PostgresStore

/// Two gateways on one database: each sees what the other commits.
@Suite(.enabled(if: TestServer.address != nil, "no server: Tests/with-postgres starts one"))
struct FollowerTests {
    private static let key = AccountKey(service: "local", channel: "multi", customer: "c1")

    /// The offsets that a feed tells, in its order.
    private final class Told: Sendable {
        private let offsets = Mutex<[Int64]>([])
        private let subscription: Mutex<Subscription?> = Mutex(nil)

        init(_ feed: EventFeed) {
            let told = feed.subscribe { [weak self] events in
                self?.offsets.withLock { $0 += events.compactMap(\.offset) }
            }
            subscription.withLock { $0 = told }
        }

        var all: [Int64] { offsets.withLock { $0 } }
    }

    /// A thread with a message, as a service makes it.
    private static func send(_ id: String, _ text: String, in store: ChatStore) async throws -> AccountRecord {
        try await store.write { transaction in
            let account = try transaction.openAccount(key)
            let thread = ChatThread(id: "t1", createdAt: transaction.now, members: [account.customer])
            var record = try transaction.thread("t1", of: account.number) ?? transaction.insert(thread, owner: account)
            let message = Message(
                id: id, threadID: "t1", createdAt: transaction.now, direction: .toAgent,
                author: Author(account.customer),
                text: text, status: .delivered)
            guard let sent = try transaction.insert(message, into: &record, withDesk: true) else {
                throw ChatError(.messageIdConflict, "twice")
            }
            transaction.setLastMessage(sent, of: &record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            return account
        }
    }

    /// What is kept in memory of a message leaves every gateway's when the message is removed.
    @Test func removedTextLeavesTheOtherGateway() async throws {
        try await TestDatabase.run { database in
            try await database.open("g1") { one in
                try await database.open("g2") { two in
                    let account = try await Self.send("m1", "secret", in: one)
                    #expect(await eventually { two.feed.head == one.feed.head })
                    func isInRing(_ text: String) -> Bool {
                        guard case .events(let events, _) = two.feed.read([.everyone], after: 0, limit: 1 << 20) else {
                            return false
                        }
                        return events.contains { String(decoding: $0.data, as: UTF8.self).contains(text) }
                    }
                    func page() async throws -> String {
                        let bytes = try await two.messagePage(
                            of: account.number, thread: "t1", PageRequest(limit: 10, cursor: nil))
                        return String(decoding: bytes.body, as: UTF8.self)
                    }
                    #expect(isInRing("secret"))
                    #expect(try await page().contains("secret"))
                    let removals = two.feed.removals
                    try await one.write { transaction in
                        guard var record = try transaction.thread("t1", of: account.number),
                            let message = try transaction.message("m1", in: record)
                        else { throw ChatError.unknownMessage("m1") }
                        try transaction.remove(message, in: &record, withDesk: true)
                        transaction.setLastMessage(try transaction.newestMessage(in: record), of: &record)
                        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
                    }
                    #expect(await eventually { two.feed.head == one.feed.head })
                    #expect(!isInRing("secret"))
                    #expect(try await !page().contains("secret"))
                    #expect(two.feed.removals == removals + 1)
                }
            }
        }
    }

    @Test func ordersAgreeAndNothingIsMissing() async throws {
        try await TestDatabase.run { database in
            try await database.open("g1") { one in
                try await database.open("g2") { two in
                    let told = [Told(one.feed), Told(two.feed)]
                    try await withThrowingTaskGroup { group in
                        for (name, store) in [("a", one), ("b", two)] {
                            for task in 0..<4 {
                                group.addTask {
                                    for number in 0..<15 {
                                        try await store.write { transaction in
                                            let account = try transaction.openAccount(Self.key)
                                            try transaction.append(
                                                ThreadRemovedEvent(threadID: "\(name)\(task)-\(number)", by: .unknown),
                                                owner: account,
                                                message: nil, members: [AudienceMember(.account(account.number))])
                                        }
                                    }
                                }
                            }
                        }
                        try await group.waitForAll()
                    }
                    let expected = Array(Int64(1)...120)
                    #expect(await eventually { told.allSatisfy { $0.all.count >= 120 } })
                    for one in told { #expect(one.all == expected) }
                    #expect(one.feed.head == 120 && two.feed.head == 120)
                    let logged = try database.column("SELECT CAST(place AS text) FROM log ORDER BY log.place")
                    #expect(logged == expected.map(String.init))
                    let numbers = try database.column(
                        "SELECT CAST(number AS text) FROM committed ORDER BY committed.number")
                    #expect(numbers == (1...numbers.count).map(String.init), "no gap")
                }
            }
        }
    }

    /// One look a second is all that a gateway does which is alone on its database.
    @Test func aFollowerDoesNotAskForCommitsOfItsOwnProcess() async throws {
        try await TestDatabase.run { database in
            try await database.open { store in
                let looks: @Sendable () -> Int = { store.counters?.figures.looks ?? 0 }
                #expect(await eventually { looks() > 0 })
                // The time that is counted has the one between the looks in it.
                let start = ContinuousClock.now, before = looks()
                for number in 0..<50 { try await store.write { try $0.markDone("\(number)") } }
                let made = looks() - before
                #expect(made <= 1 + Int(start.duration(to: .now) / LookSchedule.interval))
            }
        }
    }

    /// A gateway whose follower is late learns of the others under the lock, before its own units run.
    @Test func aWriterSeesWhatWasCommittedElsewhere() async throws {
        try await TestDatabase.run { database in
            try await database.open("g1") { one in
                try await database.open("g2") { two in
                    for number in 0..<10 {
                        let (store, name) = number % 2 == 0 ? (one, "even") : (two, "odd")
                        try await store.write { transaction in
                            let account = try transaction.openAccount(Self.key)
                            let count = try transaction.meta("count")
                            #expect(count == number, "\(name) reads what the other has written")
                            try transaction.setMeta("count", count + 1)
                            try transaction.append(
                                ThreadRemovedEvent(threadID: "\(number)", by: .unknown), owner: account, message: nil,
                                members: [AudienceMember(.account(account.number))])
                            #expect(transaction.head == number + 1)
                        }
                        #expect(store.feed.head == number + 1)
                    }
                }
            }
        }
    }

    /// Retention has deleted what a gateway has not read yet: it goes on at the head, and its streams read the database.
    @Test func aGatewayThatMissedDeletedRowsGoesOn() async throws {
        try await TestDatabase.run { database in
            try await database.open("g1") { one in
                let append: @Sendable (WriteTransaction) throws -> Void = { transaction in
                    let account = try transaction.openAccount(Self.key)
                    try transaction.append(
                        ThreadRemovedEvent(threadID: "t", by: .unknown), owner: account, message: nil,
                        members: [AudienceMember(.account(account.number))])
                }
                for _ in 0..<5 { try await one.write(append) }
                let feed = EventFeed(epoch: one.feed.epoch, head: 0, floor: 0, capacity: 1 << 20)
                let following = CommitFollowing(feed: feed, position: CommitPosition(number: 0, place: 0))
                let cleared = Mutex(0)
                following.start { if $0 == nil { cleared.withLock { $0 += 1 } } }
                let session = PostgresSession(try PostgresConnection(database.address))
                defer { session.connection.close() }
                try session.hold("DELETE FROM committed WHERE number < 3")
                try session.flush()
                #expect(try following.catchUp(session))
                #expect(feed.head == 5 && cleared.withLock { $0 } == 1)
                guard case .behind = feed.read([.everyone], after: 4, limit: 1000) else {
                    Issue.record("the ring begins at the head")
                    return
                }
                try await one.write(append)
                #expect(try following.catchUp(session))
                guard case .events(let events, let through) = feed.read([.everyone], after: 5, limit: 1000) else {
                    Issue.record("the ring has what came later")
                    return
                }
                #expect(events.map(\.offset) == [6] && through == 6)
            }
        }
    }
}
