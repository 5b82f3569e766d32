import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Messages that are kept for some time only.
@Suite struct MessageRetentionTests {
    private static let day: Int64 = 86_400_000

    private func removeOlder(_ local: Local, than days: Int64) async throws -> Int {
        let time = local.environment.now.advanced(byMilliseconds: -days * Self.day)
        return try await local.store.removeMessages(ofService: LocalService.serviceID, before: time)
    }

    @Test func whatIsOldGoesForAllAndWhatIsNewerStays() async throws {
        try await Local.run { local in
            let ann = try await local.person("ann")
            try await ann.create("t1")
            try await ann.create("t2")
            try await ann.send("m1", "old", to: "t1")
            _ = try await local.send("m2", "old", to: "t1")
            local.environment.advance(milliseconds: 3 * Self.day)
            try await ann.reply("r1", to: "m1", in: "t1", alsoInThread: true)
            _ = try await local.send("m3", "new", to: "t1")
            try await ann.send("n1", "new", to: "t2")
            _ = try local.log()
            #expect(try ann.thread("t1")["unreadCount"] == .integer(2))
            #expect(try await removeOlder(local, than: 1) == 1)
            // One event for the thread, and none for each message.
            #expect(try local.log() == ["thread.updated t1 cd"])
            #expect(try ann.messages("t1").compactMap { $0["id"]?.string } == ["m3", "r1"])
            #expect(await refusal { try await local.desk.message("m1", in: DeskThread(id: "t1")) } == .unknownMessage)
            let thread = try ann.thread("t1")
            #expect(thread["unreadCount"] == .integer(1) && thread["deskUnreadCount"] == .integer(1))
            #expect(thread[path: "lastMessage", "id"] == .string("m3"))
            let line = local.environment.now.advanced(byMilliseconds: -Self.day - 1)
            #expect(thread["historyResetAt"]?.string == line.rfc3339)
            #expect(try ann.thread("t2")["historyResetAt"] == nil)
            // The text is nowhere any more, and nothing is left to do.
            let replay = try await local.store.replay([.account(ann.account), .desk], after: 0, limit: 1 << 20)
            #expect(replay.events.allSatisfy { !String(decoding: $0.data, as: UTF8.self).contains("old") })
            #expect(try await !local.store.write { try $0.eraseHistory() })
            #expect(try await removeOlder(local, than: 1) == 0)
            #expect(try local.log() == [])
            #expect(try local.store.faults().isEmpty)
        }
    }

    @Test func aThreadWithNothingNewerIsEmpty() async throws {
        try await Local.run { local in
            let ann = try await local.person("ann")
            try await ann.create("t1")
            try await ann.send("first", "old", to: "t1")
            for index in 0..<450 { _ = try await local.send("m\(index)", "old", to: "t1") }
            local.environment.advance(milliseconds: 10 * Self.day)
            #expect(try await removeOlder(local, than: 10) == 0, "of that age, and not older")
            #expect(try await removeOlder(local, than: 9) == 1)
            #expect(try ann.messages("t1").isEmpty)
            let thread = try ann.thread("t1")
            #expect(thread["unreadCount"] == .integer(0) && thread["lastMessage"] == nil)
            try await ann.send("new", "new", to: "t1")
            #expect(try ann.messages("t1").count == 1)
            #expect(try local.store.faults().isEmpty)
        }
    }

    /// A remote service's rows are copies: what is old there is the service's affair.
    @Test func otherServicesKeepTheirs() async throws {
        try await Local.run { local in
            let ann = try await local.person("ann")
            try await ann.create("t1")
            try await ann.send("m1", "old", to: "t1")
            local.environment.advance(milliseconds: 10 * Self.day)
            #expect(try await local.store.removeMessages(ofService: "cxone", before: local.environment.now) == 0)
            #expect(try ann.messages("t1").count == 1)
        }
    }
}
