import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct ReadReceiptsTests {
    private let environment = TestEnvironment()

    private func fill(_ room: Room, _ ids: Range<Int>, _ direction: MessageDirection = .toClient) async throws {
        try await room.unit { transaction, record in
            for index in ids { try Room.send("m\(index)", "text", direction, to: &record, in: transaction) }
        }
    }

    private func seen(_ room: Room) throws -> [String: JSONValue] {
        let items = try room.page(limit: 400).items.filter { $0["status"] == .string("seen") }
        return Dictionary(
            uniqueKeysWithValues: items.compactMap { item in
                item["id"]?.string.flatMap { id in item["seenAt"].map { (id, $0) } }
            })
    }

    @Test func manyAreReadAtTheCostOfAHundred() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<250)
            environment.advance(milliseconds: 1000)
            let recorder = EventRecorder(store.feed)
            let version = try room.page().version
            #expect(try await room.markRead())
            #expect(recorder.events.map(\.type) == Array(repeating: .messageUpdated, count: 100) + [.threadUpdated])
            let updated = try recorder.events.dropLast().compactMap {
                try $0.json(for: room.audience)[path: "message", "id"]?.string
            }
            #expect(updated == (150..<250).map { "m\($0)" })
            let time = JSONValue.string(environment.now.rfc3339)
            #expect(try seen(room) == Dictionary(uniqueKeysWithValues: (0..<250).map { ("m\($0)", time) }))
            #expect(try room.message("m0")?.message.status == .seen)
            #expect(try room.message("m0")?.message.seenAt == environment.now)
            #expect(try room.page().version > version)
            #expect(try room.record().members[0].unreadCount == 0)
            #expect(try room.record().thread.lastMessage?.status == .seen)
            #expect(try await room.markRead() == false)
        }
    }

    @Test func eachReadingKeepsItsOwnTime() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            var times: [JSONValue] = []
            for round in 0..<3 {
                try await fill(room, (round * 110)..<(round * 110 + 110))
                environment.advance(milliseconds: 1000)
                times.append(.string(environment.now.rfc3339))
                try await room.markRead()
            }
            let seen = try seen(room)
            #expect(seen.count == 330)
            #expect(seen.allSatisfy { id, time in times[(Int(id.dropFirst()) ?? 0) / 110] == time })
        }
    }

    @Test func onlyTheOtherSidesMessagesAreSeenAndOnlyThoseBefore() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<3, .toAgent)
            try await fill(room, 3..<200)
            try await fill(room, 200..<203, .toAgent)
            try await room.markRead()
            try await fill(room, 203..<204)
            #expect(Set(try seen(room).keys) == Set((3..<200).map { "m\($0)" }))
            #expect(try room.message("m203")?.message.status == .delivered)
        }
    }

    /// A member who joined later has never seen what came before, however much it reads at once.
    @Test func aReadingOfManyCoversNothingFromBeforeItsReader() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<2)
            let joined = try #require(try room.message("m1")).position
            try await fill(room, 2..<152)
            try await room.unit { transaction, record in
                var read = joined
                _ = try transaction.markSeen(.toClient, in: &record, read: &read, withDesk: true)
                record.members[0].read = read
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            #expect(Set(try seen(room).keys) == Set((2..<152).map { "m\($0)" }))
            #expect(try room.message("m1")?.message.status == .delivered)
        }
    }

    @Test func anOldMessageThatIsEditedStaysSeen() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<150)
            try await room.markRead()
            let time = environment.now
            environment.advance(milliseconds: 5000)
            try await room.edit("m0", to: "new")
            let message = try room.message("m0")?.message
            #expect(message?.text == "new" && message?.status == .seen && message?.seenAt == time)
        }
    }

    @Test func aMessageThatWasSeenHasAnotherVersionThanBefore() async throws {
        try await withStore(environment: environment) { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<150)
            let before = try (room.message("m0")?.version ?? 0, room.message("m149")?.version ?? 0)
            try await room.markRead()
            // The first is covered by the watermark, the last was rewritten: both read differently now.
            #expect(try room.message("m0")?.version ?? 0 > before.0)
            #expect(try room.message("m149")?.version ?? 0 > before.1)
        }
    }
}
