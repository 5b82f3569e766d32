import ChatModel
import TestSupport
import Testing

@testable import ChatStore

/// What counts for an account's quotas, and what gives it back.
@Suite struct UsageTests {
    private static func run(_ body: (ChatStore, Room) async throws -> Void) async throws {
        try await withStore { store in
            try await body(store, try await Room.make(in: store))
            #expect(try store.faults() == [])
        }
    }

    private static func usage(_ room: Room) async throws -> AccountUsage {
        let account = room.account.number
        let stored = try await room.store.read { try $0.usage(of: account) }
        // What the writer has kept.
        #expect(try await room.store.write { try $0.usage(of: account) } == stored)
        return stored
    }

    /// A message that counts for the room's account. Returns the bytes of its row.
    @discardableResult
    private static func write(
        _ id: String, _ text: String = "text", in room: Room, with files: [String] = [], failing: ChatError? = nil
    ) async throws -> Int64 {
        try await room.unit { transaction, record in
            var message = Message(
                id: id, threadID: room.thread, createdAt: transaction.now, direction: .toAgent,
                author: Author(record.owner.customer), type: .text, text: text, status: .delivered)
            message.attachments = try transaction.uploads(files, of: room.audience)
            let payer = room.account.number
            guard let sent = try transaction.insert(message, into: &record, withDesk: true, countedFor: payer) else {
                return 0
            }
            try transaction.bind(message.attachments, to: sent.number, in: record)
            record.thread.deskUnreadCount += 1
            transaction.setLastMessage(sent, of: &record)
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            if let failing { throw failing }
            return Int64(sent.json.count)
        }
    }

    private static func attach(_ id: String, _ size: Int64, in room: Room, quota: Int64? = 100) async throws {
        let file = try room.store.stageFile()
        try [UInt8](repeating: 7, count: Int(size)).withUnsafeBytes { try file.write($0) }
        try file.synchronize()
        let attachment = Attachment(id: id, name: "a", mimeType: "text/plain", size: size)
        var allowance = UploadAllowance.account
        allowance.quota = quota
        try await room.store.storeFile(file, as: id) { [allowance] in
            try $0.insert(attachment, uploader: room.audience, digest: [], within: allowance)
        }
    }

    /// A service counts what it removes.
    private static func remove(_ id: String, in room: Room) async throws {
        try await room.remove(id)
        try await room.unit { transaction, record in
            record.thread.deskUnreadCount -= 1
            try transaction.save(&record, logging: .threadUpdated, withDesk: true)
        }
    }

    @Test func messagesCountUntilTheyAreRemoved() async throws {
        try await Self.run { store, room in
            let other = try await Room.make(in: store, thread: "t2", customer: "c2")
            let first = try await Self.write("m1", in: room)
            let second = try await Self.write("m2", "a longer text", in: room)
            try await Self.write("m1", in: other)
            // It counts for nobody.
            try await room.send("free", "written by the gateway's token")
            #expect(try await Self.usage(room) == AccountUsage(texts: first + second))
            try await Self.remove("free", in: room)
            try await Self.remove("m1", in: room)
            #expect(try await Self.usage(room) == AccountUsage(texts: second))
            #expect(try await Self.usage(other).texts == first)
        }
    }

    @Test func aMessageThatIsThereAlreadyDoesNotCountTwice() async throws {
        try await Self.run { _, room in
            let bytes = try await Self.write("m1", in: room)
            #expect(try await Self.write("m1", in: room) == 0)
            #expect(try await Self.usage(room).texts == bytes)
        }
    }

    @Test func aUnitThatIsUndoneCountsNothing() async throws {
        try await Self.run { _, room in
            let bytes = try await Self.write("m1", in: room)
            let no = ChatError(.invalidParameter, "no")
            await #expect(throws: no) { try await Self.write("m2", in: room, failing: no) }
            #expect(try await Self.usage(room).texts == bytes)
        }
    }

    @Test func anEditCountsWhatItAdds() async throws {
        try await Self.run { _, room in
            var bytes = try await Self.write("m1", "short", in: room)
            func edit(_ text: String, quota: Int64 = 1 << 20) async throws {
                bytes = try await room.unit { transaction, record in
                    guard var message = try transaction.message("m1", in: record) else { return 0 }
                    let before = message.json
                    message.message.text = text
                    var quotas = AccountQuotas()
                    quotas.texts = quota
                    try transaction.countEdit(of: message, before: before, within: quotas)
                    try transaction.save(&message, in: &record, withDesk: true)
                    transaction.setLastMessage(message, of: &record)
                    try transaction.save(&record, logging: .threadUpdated, withDesk: true)
                    return Int64(message.json.count)
                }
            }
            try await edit("a much longer text than before")
            #expect(try await Self.usage(room).texts == bytes)
            let longer = "an even longer text than the one before"
            #expect(await refusal { try await edit(longer, quota: 1) } == .quotaExceeded)
            try await edit("s", quota: 1)
            #expect(try await Self.usage(room).texts == bytes)
        }
    }

    @Test func aRemovedThreadAndARedactedMessageGiveAllBack() async throws {
        try await Self.run { store, room in
            for index in 0..<250 { try await Self.write("m\(index)", in: room) }
            let before = try await Self.usage(room).texts
            try await room.unit { transaction, record in
                guard var message = try transaction.message("m0", in: record) else { return }
                try transaction.redact(&message, in: &record, withDesk: true)
                try transaction.save(&record, logging: .threadUpdated, withDesk: true)
            }
            #expect(try await Self.usage(room).texts < before)
            try await room.unit { transaction, record in _ = try transaction.remove(record) }
            while try await store.write({ try $0.eraseHistory() }) {}
            #expect(try await Self.usage(room) == AccountUsage())
        }
    }

    @Test func filesHaveAQuotaAndGiveTheirsBack() async throws {
        try await Self.run { store, room in
            try await Self.attach("a", 60, in: room)
            #expect(await refusal { try await Self.attach("b", 41, in: room) } == .quotaExceeded)
            // The gateway's own token is not refused, and counts for nobody.
            try await Self.attach("free", 1000, in: room, quota: nil)
            try await Self.attach("b", 40, in: room)
            let bytes = try await Self.write("m1", in: room, with: ["a", "free"])
            #expect(try await Self.usage(room) == AccountUsage(texts: bytes, files: 100))
            #expect(await refusal { try await Self.attach("c", 1, in: room) } == .quotaExceeded)
            try await Self.remove("m1", in: room)
            #expect(try await Self.usage(room) == AccountUsage(files: 40))
            try await store.write { try $0.discard(attachments: ["b"]) }
            #expect(try await Self.usage(room) == AccountUsage())
        }
    }

    @Test func anAccountThatIsGoneHasNoRow() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await Self.attach("a", 10, in: room)
            try await Self.attach("b", 10, in: room)
            try await store.write { transaction in
                try transaction.discard(attachments: ["a"])
                try transaction.removeAccount(room.account.number)
            }
            let rows = try await store.read { try $0.db.all("/* all */ SELECT account FROM usage") { $0.integer(0) } }
            #expect(rows == [])
        }
    }
}
