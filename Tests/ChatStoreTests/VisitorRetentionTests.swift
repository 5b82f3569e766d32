import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// Conversations that are kept no longer, and the customers who have nothing left.
struct VisitorRetentionTests {
    private static let day: Int64 = 86_400_000

    private func close(_ room: Room) async throws {
        try await room.unit { transaction, record in
            record.thread.state = .closed
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    private func threads(_ store: ChatStore) async throws -> [String] {
        try await store.read { transaction in
            try transaction.db.all("/* all */ SELECT id FROM thread ORDER BY number", []) { $0.text(0) }
        }
    }

    private func accounts(_ store: ChatStore) async throws -> [String] {
        try await store.read { transaction in
            try transaction.db.all("/* all */ SELECT customer FROM account WHERE service = 'local' ORDER BY number", [])
            {
                $0.text(0)
            }
        }
    }

    private func forsake(_ store: ChatStore) async throws -> Int {
        try await store.removeForsakenAccounts(ofService: "local", prefix: "visitor-")
    }

    private func addSession(_ id: String, of account: Int64, to store: ChatStore) async throws {
        try await store.write { transaction in
            try transaction.save(
                SessionRecord(
                    id: id, account: account, generation: 1, isConnected: false, createdAt: transaction.now))
        }
    }

    @Test func whatEndedLongAgoGoesWithAllThatItHas() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let old = try await Room.make(in: store, thread: "old", customer: "visitor-1")
            try await old.send("m1", "secretText")
            try await close(old)
            let open = try await Room.make(in: store, thread: "open", customer: "visitor-2")
            try await open.send("m2")
            environment.advance(milliseconds: 10 * Self.day)
            let recent = try await Room.make(in: store, thread: "recent", customer: "visitor-3")
            try await recent.send("m3")
            try await close(recent)
            let head = store.feed.head
            let line = environment.now.advanced(byMilliseconds: -5 * Self.day)
            let other = try await store.removeThreads(ofService: "another", channel: "multi", closedBefore: line)
            #expect(other == 0)
            #expect(try await store.removeThreads(ofService: "local", channel: "else", closedBefore: line) == 0)
            #expect(try await store.removeThreads(ofService: "local", channel: "multi", closedBefore: line) == 1)
            #expect(try await threads(store) == ["open", "recent"])
            let texts = try await store.read { try $0.loggedTexts() }
            #expect(!texts.contains { $0.contains("secretText") })
            let events = try await store.replay([old.audience], after: head, limit: 1 << 20).events
            #expect(events.map(\.type) == [.threadRemoved])
        }
    }

    @Test func moreThreadsThanAStepGo() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            for number in 0..<205 {
                try await close(Room.make(in: store, thread: "t\(number)", customer: "visitor-\(number)"))
            }
            environment.advance(milliseconds: Self.day)
            let count = try await store.removeThreads(
                ofService: "local", channel: "multi", closedBefore: environment.now)
            #expect(count == 205)
            #expect(try await threads(store).isEmpty)
            #expect(try await forsake(store) == 205)
        }
    }

    @Test func anAnonymousCustomerGoesWhoHasNothingLeft() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            for customer in ["visitor-gone", "visitor-session", "4711", "visito", "visitor.x"] {
                let account = try await store.write {
                    try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: customer))
                }
                if customer == "visitor-session" { try await addSession("s1", of: account.number, to: store) }
            }
            _ = try await Room.make(in: store, customer: "visitor-thread")
            let left = try await Room.make(in: store, thread: "t2", customer: "visitor-left")
            // Whoever has left a thread still owns it.
            try await store.write { transaction in
                try transaction.db.run("DELETE FROM member WHERE account = ?", [.integer(left.account.number)])
            }
            environment.advance(milliseconds: Self.day)
            #expect(try await forsake(store) == 1)
            let stay = ["visitor-session", "4711", "visito", "visitor.x", "visitor-thread", "visitor-left"]
            #expect(try await accounts(store) == stay)
            #expect(try await forsake(store) == 0)
            // The row goes when the log names it no more.
            try await store.write { try $0.setMeta("floor", $0.head) }
            await store.sweepFiles()
            let rows = try await store.read { transaction in
                try transaction.db.all("/* all */ SELECT number FROM account", []) { $0.integer(0) }
            }
            #expect(rows.count == stay.count)
            // A customer of this id who comes back is another one.
            let again = try await store.write {
                try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: "visitor-gone"))
            }
            #expect(again.customer == Customer(id: "visitor-gone"))
        }
    }

    /// What the sweep has seen before may be over when it removes.
    @Test func whoComesBackMeanwhileStays() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let account = try await store.write {
                try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: "visitor-1"))
            }
            environment.advance(milliseconds: Self.day)
            try await addSession("s1", of: account.number, to: store)
            let now = environment.now.milliseconds
            let removed = try await store.write {
                try $0.removeForsaken(account.number, ofService: "local", sessionsSince: now, after: 0)
            }
            #expect(!removed)
            try await store.write { _ = try $0.deleteSession("s1") }
            #expect(try await forsake(store) == 1)
        }
    }

    @Test func uploadsThatWereNeverSentGoWithTheirCustomer() async throws {
        let environment = TestEnvironment()
        try await withStore(environment: environment) { store in
            let account = try await store.write {
                try $0.openAccount(AccountKey(service: "local", channel: "multi", customer: "visitor-1"))
            }
            let file = try store.stageFile()
            try Array("bytes".utf8).withUnsafeBytes { try file.write($0) }
            try file.synchronize()
            let upload = Attachment(id: "f1", name: "a", mimeType: "text/plain", size: 5)
            try await store.storeFile(file, as: "f1") {
                try $0.insert(upload, uploader: .account(account.number), digest: [])
            }
            environment.advance(milliseconds: Self.day)
            #expect(try await forsake(store) == 1)
        }
    }
}
