import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

/// Great custom fields are written once, and readers see them in every thread and event.
@Suite struct GreatFieldsTests {
    private let environment = TestEnvironment()
    /// 64 KiB. JSON writes six bytes for each of these characters.
    private let great = Dictionary(
        uniqueKeysWithValues: (0..<16).map { ("field \($0)", String(repeating: "\u{1}", count: 4080)) })

    private func set(_ fields: [String: String], in room: Room) async throws {
        environment.advance(milliseconds: 1)
        try await room.unit { transaction, record in
            record.thread.customFields = fields
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    /// What the store has of threads and log, in bytes.
    private func stored(_ store: ChatStore) async throws -> (log: Int64, threads: Int64) {
        try await store.read { transaction in
            func sum(_ sql: String) throws -> Int64 { try transaction.db.first(sql) { $0.integer(0) } ?? 0 }
            return (
                try sum("/* test */ SELECT sum(length(data)) FROM log"),
                try sum("/* test */ SELECT sum(length(json)) FROM thread")
            )
        }
    }

    /// All events in memory, and the same from the database.
    private func events(_ room: Room, after offset: Int64 = 0) async throws -> (ring: [[UInt8]], log: [[UInt8]]) {
        let audience = room.audience
        guard case .events(let ring, _) = room.store.feed.read([audience], after: offset, limit: 64 << 20) else {
            throw ChatError(.storageFailed, "not in the ring")
        }
        let epoch = room.store.feed.epoch
        let log = try await room.store.read {
            try $0.replay([audience], after: offset, limit: 64 << 20, epoch: epoch)
        }
        return (ring.map { $0.data(for: audience) }, log.events.map { $0.data(for: audience) })
    }

    @Test func aSmallMessageWritesLittle() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await set(great, in: room)
            let before = try await stored(store)
            #expect(before.threads < 4096)
            try await room.send("m1", "x")
            let after = try await stored(store)
            #expect(after.log - before.log < 4096)
            #expect(after.threads < 4096)
        }
    }

    @Test func readersSeeAllFields() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            let begin = store.feed.head
            try await set(great, in: room)
            try await room.send("m1", "x")
            #expect(try room.record().thread.customFields == great)
            let events = try await events(room, after: begin)
            #expect(events.ring == events.log && events.ring.count == 3)
            let last = try JSONParser.parse(try #require(events.log.last))
            #expect(last["thread"]?["customFields"]?["field 3"]?.string == great["field 3"])
            let account = room.account.number
            let request = PageRequest(limit: 5, cursor: nil)
            let pages = try await store.read {
                [try $0.threadPage(of: account, .all, request), try $0.deskThreadPage(ThreadQuery(), request)]
            }
            for page in pages {
                let fields = try Page(page).items.first?["customFields"]
                #expect(fields?["field 15"]?.string == great["field 15"])
            }
        }
    }

    /// Once they were great, they stay in their row: events of the log refer to it.
    @Test func fieldsThatBecomeSmallOrNone() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await set(great, in: room)
            for fields in [["a": "b"], [:], great, ["customFields": "{\"customFields\":7}"]] {
                let begin = store.feed.head
                try await set(fields, in: room)
                #expect(try room.record().thread.customFields == fields)
                let events = try await events(room, after: begin)
                #expect(events.ring == events.log && events.log.count == 1)
            }
        }
    }

    /// What people write is not taken for a reference.
    @Test func textsThatLookLikeAReference() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            let begin = store.feed.head
            try await set(["a": "\"customFields\":1,"], in: room)
            try await room.send("m1", "\"customFields\":1}")
            let events = try await events(room, after: begin)
            #expect(events.ring == events.log && events.log.count == 3)
        }
    }

    /// The creation of a thread outlives a removed message, with its fields.
    @Test func aRemovedMessageLeavesTheFields() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await set(great, in: room)
            try await room.send("m1", "secret")
            let begin = store.feed.head
            try await room.unit { transaction, record in
                let fields = try transaction.storeGreatFields(of: &record)
                try transaction.append(
                    ThreadCreatedEvent(Encoded(record.thread), by: .unknown), of: record,
                    to: record.audience(withDesk: true),
                    without: fields)
            }
            try await room.remove("m1")
            let events = try await events(room, after: begin)
            #expect(events.ring == events.log)
            let created = try JSONParser.parse(try #require(events.log.first))["thread"]
            #expect(created?["customFields"]?["field 3"]?.string == great["field 3"])
            #expect(created?["lastMessage"] == nil)
        }
    }

    @Test func theyGoWithTheirThread() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await set(great, in: room)
            let account = room.account.number
            _ = try await store.write { try $0.removeOldestThread(of: account) }
            while try await store.write({ try $0.eraseHistory() }) {}
            let count = try await store.read { transaction in
                try transaction.db.first("/* test */ SELECT count(*) FROM fields") { $0.integer(0) }
            }
            #expect(count == 0)
            // The events that are left can still be read.
            let epoch = store.feed.epoch
            _ = try await store.read { try $0.replay([.account(account)], after: 0, limit: 64 << 20, epoch: epoch) }
        }
    }
}
