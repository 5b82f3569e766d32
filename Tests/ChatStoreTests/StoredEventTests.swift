import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

extension ReadTransaction {
    /// All events of the log as readers see them.
    func loggedTexts() throws -> [String] {
        try db.all("/* all */ SELECT data, \(StoredEvent.base) FROM log ORDER BY place") {
            let (data, team) = try $0.event(0, base: 1)
            return String(decoding: data + team, as: UTF8.self)
        }
    }
}

/// The log keeps little of a message, and readers see each event as it was when it happened.
@Suite struct StoredEventTests {
    private let environment = TestEnvironment()

    /// What the ring has and what the database gives are the same bytes.
    private func expectSame(_ room: Room, after offset: Int64 = 0) async throws -> [LogEvent] {
        let audiences = [room.audience, .desk]
        guard case .events(let ring, _) = room.store.feed.read(audiences, after: offset, limit: 64 << 20) else {
            throw ChatError(.storageFailed, "not in the ring")
        }
        let log = try await room.store.replay(audiences, after: offset, limit: 64 << 20).events
        #expect(ring.map(\.id) == log.map(\.id))
        for (event, stored) in zip(ring, log) {
            for audience in audiences {
                let (shown, read) = (event.data(for: audience), stored.data(for: audience))
                #expect(String(decoding: shown, as: UTF8.self) == String(decoding: read, as: UTF8.self))
            }
        }
        return log
    }

    private func forms(_ store: ChatStore) async throws -> [PackedJSON.Form?] {
        try await store.read { transaction in
            try transaction.db.all("/* all */ SELECT data FROM log WHERE message > 0 ORDER BY place") { row in
                row.withBlob(0) { PackedJSON.form(of: $0) }
            }
        }
    }

    @Test func aMessageTakesLittleOfTheLog() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await room.send("m0")
            func bytes() async throws -> Int64 {
                try await store.read {
                    try $0.db.first("/* all */ SELECT sum(length(data)) FROM log") { $0.integer(0) } ?? 0
                }
            }
            let before = try await bytes()
            for number in 1...10 { try await room.send("m\(number)", "The parcel number \(number) has not come yet.") }
            let taken = try await bytes() - before
            #expect(taken < 10 * 250, "\(taken)")
            #expect(try await forms(store).allSatisfy { $0 == .based })
            #expect(try await expectSame(room).filter { $0.type == .messageCreated }.count == 11)
        }
    }

    /// An event shows the message as it was then, whatever has become of it.
    @Test func eventsShowWhatWasThen() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            for number in 1...4 {
                environment.advance(milliseconds: 5)
                try await room.send("m\(number)", "first text of \(number)")
            }
            try await room.edit("m2", to: "second text")
            try await room.edit("m2", to: "third text")
            try await room.unit { transaction, record in
                guard var parent = try transaction.message("m3", in: record) else {
                    throw ChatError.unknownMessage("m3")
                }
                var reply = Message(
                    id: "r1", threadID: record.thread.id, createdAt: transaction.now, direction: .toAgent,
                    author: Author(record.owner.customer), text: "a reply", status: .delivered)
                reply.parentID = "m3"
                guard let sent = try transaction.insert(reply, into: &record, withDesk: true) else { return }
                try transaction.count(sent, on: &parent, in: &record, withDesk: true)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            try await room.unit { transaction, record in
                guard var message = try transaction.message("m3", in: record) else { return }
                try transaction.redact(&message, in: &record, withDesk: true)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            try await room.remove("m4")
            let events = try await expectSame(room)
            let texts = events.filter { $0.type == .messageCreated || $0.type == .messageUpdated }.compactMap {
                try? JSONParser.parse($0.data)["message"]?["text"]?.string
            }
            #expect(texts == ["first text of 1", "first text of 2", "second text", "third text", "a reply", ""])
            #expect(try await forms(store).contains(.words))
            let faults = try store.faults()
            #expect(faults == [])
        }
    }

    /// One unit may add several messages, change the one that it has added, and fail after that.
    @Test func unitsWithSeveralMessages() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            for isFailing in [true, false] {
                try? await room.unit { transaction, record in
                    for number in 1...3 {
                        try Room.send("m\(number)", "text \(number)", to: &record, in: transaction)
                        guard var message = try transaction.message("m\(number)", in: record) else { return }
                        message.message.text = "changed \(number)"
                        try transaction.save(&message, in: &record, withDesk: true)
                        transaction.setLastMessage(message, of: &record)
                        try transaction.save(&record, logging: .threadUpdated, withDesk: true)
                    }
                    if isFailing { throw ChatError(.storageFailed, "on purpose") }
                }
            }
            let events = try await expectSame(room)
            #expect(events.filter { $0.type == .messageCreated }.count == 3)
            let faults = try store.faults()
            #expect(faults == [])
        }
    }

    /// The desk learns of a thread with its first message; both are in one unit.
    @Test func aThreadBeginsWithAMessageThatIsRemoved() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store, withDesk: false)
            try await room.unit { transaction, record in
                try Room.send("m1", "secret", to: &record, in: transaction)
                try transaction.announceToDesk(&record)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            #expect(try await store.read { try $0.loggedTexts() }.contains { $0.contains("secret") })
            try await room.remove("m1")
            let events = try await expectSame(room)
            #expect(events.contains { $0.type == .threadCreated && $0.members.contains { $0.audience == .desk } })
            #expect(try await !store.read { try $0.loggedTexts() }.contains { $0.contains("secret") })
            let faults = try store.faults().filter { $0.check == "log" }
            #expect(faults == [])
        }
    }

    /// A remote thread that is gone here leaves its messages to a later step, and its events to retention.
    @Test func eventsOutliveTheirMessages() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store, withDesk: false)
            for number in 1...5 { try await room.send("m\(number)", "text \(number)") }
            let before = try await store.replay([room.audience], after: 0, limit: 1 << 20).events.map(\.data)
            try await store.write { try $0.removeRemoteThread(room.thread, of: room.account.number) }
            while try await store.write({ try $0.collectOrphans(limit: 2) }) {}
            #expect(try await store.count(of: "message") == 0)
            let after = try await store.replay([room.audience], after: 0, limit: 1 << 20).events.map(\.data)
            #expect(Array(after.prefix(before.count)) == before)
            let faults = try store.faults()
            #expect(faults == [])
        }
    }
}
