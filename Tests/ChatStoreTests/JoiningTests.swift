import ChatModel
import Formats
import Foundation
import TestSupport
import Testing

@testable import ChatStore

/// What a joining leaves in the tables: search, quotas, erasure, export.
struct JoiningTests {
    private static let key = AccountKey(service: "local", channel: "multi", customer: "ada")

    @discardableResult
    private static func join(_ room: Room) async throws -> Room {
        let account = try await room.store.write { transaction in
            var account = try transaction.openAccount(key)
            account.customer.isVerified = true
            _ = try transaction.join(transaction.account(room.account.number), to: &account)
            return account
        }
        return Room(store: room.store, account: account, thread: room.thread)
    }

    private static func hits(_ store: ChatStore, _ scope: SearchScope) async throws -> [String] {
        try await store.catchUpSearch()
        let page = try await store.search(
            scope, for: "word", where: SearchFilter(), page: PageRequest(limit: 50, cursor: nil))
        return try JSONParser.parse(page.body + Array("}".utf8))["items"]?.array?.compactMap {
            $0[path: "message", "id"]?.string
        } ?? []
    }

    @Test(arguments: [false, true]) func theSearchFindsWhatCameAlong(isIndexed: Bool) async throws {
        try await withStore { store in
            let anonymous = try await Room.make(in: store, customer: "visitor-1")
            let left = try await Room.make(in: store, thread: "t2", customer: "visitor-1")
            for id in ["m1", "m2"] { try await anonymous.send(id, "a word") }
            try await left.send("other", "a word")
            if isIndexed { #expect(try await Self.hits(store, anonymous.account.number).count == 3) }
            // It has a thread of this id.
            let own = try await Room.make(in: store, thread: "t2", customer: "ada")
            try await own.send("own", "a word")
            let ada = try await Self.join(anonymous)
            try await ada.send("m3", "a word")
            #expect(try await Set(Self.hits(store, ada.account.number)) == ["m1", "m2", "m3", "own"])
            #expect(try await Self.hits(store, anonymous.account.number) == ["other"])
            // What is removed leaves the index.
            try await ada.remove("m1")
            try await store.write { transaction in
                guard let record = try transaction.thread("t1", of: ada.account.number) else { return }
                _ = try transaction.remove(record)
            }
            while try await store.write({ try $0.eraseHistory() }) {}
            #expect(try await Self.hits(store, ada.account.number) == ["own"])
            let index = try store.search.opened()
            let texts = try await index.readers.reading { db in
                try db.all("/* all */ SELECT body FROM words", []) { $0.text(0) }
            }
            #expect(texts.count == 2)
        }
    }

    private static func hits(_ store: ChatStore, _ account: Int64) async throws -> [String] {
        try await hits(store, .account(account))
    }

    /// A message was removed, the index has not heard of it, and then its thread came along.
    @Test func whatWasRemovedBeforeLeavesTheIndex() async throws {
        try await withStore { store in
            let anonymous = try await Room.make(in: store, customer: "visitor-1")
            try await anonymous.send("m1", "a word")
            try await store.catchUpSearch()
            try await anonymous.remove("m1")
            try await Self.join(anonymous)
            try await store.catchUpSearch()
            let index = try store.search.opened()
            let texts = try await index.readers.reading { db in
                try db.all("/* all */ SELECT body FROM words", []) { $0.text(0) }
            }
            #expect(texts.isEmpty)
        }
    }

    /// Who was away is told the same as who was there.
    @Test func aReplayTellsTheSame() async throws {
        try await withStore { store in
            let anonymous = try await Room.make(in: store, customer: "visitor-1")
            try await anonymous.send("m1")
            let recorder = EventRecorder(store.feed)
            let head = store.feed.head
            let ada = try await Self.join(anonymous)
            let live = recorder.take()
            for audience in [Audience.desk, .account(anonymous.account.number), .account(ada.account.number)] {
                let replayed = try await store.replay([audience], after: head, limit: 1 << 20).events
                let told = live.filter { $0.audiences.contains(audience) }
                #expect(replayed.map { $0.data(for: audience) } == told.map { $0.data(for: audience) })
                #expect(!told.isEmpty)
            }
        }
    }

    @Test func uploadsThatWaitChangeHandsWithWhatTheyCount() async throws {
        try await withStore { store in
            let anonymous = try await Room.make(in: store, customer: "visitor-1")
            let file = try store.stageFile()
            try Array("bytes".utf8).withUnsafeBytes { try file.write($0) }
            try file.synchronize()
            let upload = Attachment(id: "f1", name: "a", mimeType: "text/plain", size: 5)
            var allowance = UploadAllowance.account
            allowance.quota = 100
            try await store.storeFile(file, as: "f1") { [allowance] in
                try $0.insert(upload, uploader: anonymous.audience, digest: [], within: allowance)
            }
            let counted = try await store.read { try $0.usage(of: anonymous.account.number) }
            #expect(counted.files > 0)
            let ada = try await Self.join(anonymous)
            #expect(try await store.read { try $0.usage(of: ada.account.number) } == counted)
            #expect(try await store.read { try $0.usage(of: anonymous.account.number).files } == 0)
            #expect(try await store.write { try $0.uploads(["f1"], of: ada.audience) } == [upload])
            #expect(try store.faults() == [])
        }
    }

    /// With the customer goes what they wrote before, also in threads that did not come along and in those of others.
    @Test func theErasureGoesBackToTheAnonymousTime() async throws {
        try await withStore { store in
            let anonymous = try await Room.make(in: store, customer: "visitor-1")
            let left = try await Room.make(in: store, thread: "t2", customer: "visitor-1")
            let other = try await Room.make(in: store, thread: "t3", customer: "c3")
            for room in [anonymous, left] { try await room.send("m1", "secret") }
            try await other.send("m1", "kept")
            _ = try await Room.make(in: store, thread: "t2", customer: "ada")
            let ada = try await Self.join(anonymous)
            try await ada.send("m2", "secret")
            let accounts = try await store.read {
                try $0.accounts(ofCustomer: "ada", of: "local", on: ["multi"]).map(\.key.customer)
            }
            #expect(accounts == ["ada", "visitor-1"], "the export has both")
            _ = try await store.write { try $0.beginErasure(of: Self.key) }
            let erasing = try await store.read { try $0.erasingAccounts() }
            #expect(Set(erasing.map(\.key.customer)) == ["ada", "visitor-1"])
            for account in erasing {
                repeat {
                    try await store.eraseThreads(ownedBy: account.number)
                } while try await !store.eraseRows(of: account)
            }
            let texts = try await store.read { transaction in
                try ["SELECT json FROM message", "SELECT json FROM account"].flatMap { sql in
                    try transaction.db.all("/* all */ \(sql)", []) { row in
                        row.withBlob(0) { String(decoding: $0, as: UTF8.self) }
                    }
                } + transaction.loggedTexts()
            }
            #expect(!texts.contains { $0.contains("secret") || $0.contains("former") || $0.contains("joinedTo") })
            #expect(texts.contains { $0.contains("kept") })
            #expect(try store.faults() == [])
        }
    }

    /// The log forgets a thread that is removed, also what was logged before it came along.
    @Test func aRemovedThreadLeavesNoEventsUnderEitherOwner() async throws {
        try await withStore { store in
            let anonymous = try await Room.make(in: store, customer: "visitor-1")
            try await anonymous.send("m1")
            let ada = try await Self.join(anonymous)
            try await ada.unit { transaction, record in _ = try transaction.remove(record) }
            while try await store.write({ try $0.eraseHistory() }) {}
            let types = try await store.read { transaction in
                try transaction.db.all("/* all */ SELECT type FROM log", []) { $0.text(0) }
            }
            #expect(Set(types) == ["thread.removed"])
            #expect(try store.faults() == [])
        }
    }

    /// An erased customer does not come back, and a joined account is joined once.
    @Test func anErasedAccountIsNotJoined() async throws {
        try await withStore { store in
            let anonymous = try await Room.make(in: store, customer: "visitor-1")
            _ = try await store.write { try $0.beginErasure(of: anonymous.account.key) }
            await #expect(throws: ChatError.self) { try await Self.join(anonymous) }
            let second = try await Room.make(in: store, customer: "visitor-2")
            try await Self.join(second)
            await #expect(throws: ChatError.self) { try await Self.join(second) }
        }
    }
}
