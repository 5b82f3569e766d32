import ChatModel
import ChatStore
@testable import SendbirdService
import SendbirdWire
import TestSupport
import Testing

/// Whose reading makes which messages seen, where a channel tells how far its members have read.
@Suite struct SeenTests {
    /// The account's customer writes at 1, bob at 2, cy at 3, and an agent at 4.
    @Test(
        arguments: [
            ("{}", []), (#"{"ada":9}"#, []), (#"{"bob":9}"#, [1, 3]), (#"{"desk-2":9}"#, [1, 2, 3]),
            (#"{"desk-2":2}"#, [1, 2]), (#"{"bob":9,"desk-2":2}"#, [1, 2, 3]), (#"{"bob":9,"desk-2":1}"#, [1, 3]),
            (#"{"bob":9,"cy":9}"#, [1, 2, 3]), (#"{"ada":9,"bob":2,"cy":1}"#, [1]),
        ] as [(String, [Int64])])
    func messagesAreSeen(receipts: String, seen: [Int64]) async throws {
        try await withStore { store in
            let text = #"{"channel_url":"c_1","created_at":0,"read_receipt":\#(receipts)}"#
            let channel = try SendbirdChannel(answer: Array(text.utf8))
            let messages = try ["ada", "bob", "cy", "desk-2"].enumerated().map { index, user in
                let text = """
                    {"message_id":\(index + 1),"type":"MESG","message":"x","created_at":\(index + 1),
                     "user":{"user_id":"\(user)"}}
                    """
                return try SendbirdMessage(answer: Array(text.utf8))
            }
            let found = try await store.write { transaction -> [Message] in
                let key = AccountKey(service: "sendbird", channel: "support", customer: "ada")
                let account = try transaction.openAccount(key)
                let reader = MessageReader(account: account, agents: ["desk-2"])
                let thread = channel.thread(for: reader, knowing: nil)
                var record = try transaction.merge(thread, of: account.number, isNew: true)
                try transaction.merge(messages.compactMap { reader.read($0, in: "c_1") }, by: .live, into: &record)
                let marks = AccountMarks(marks: DeedMarks(), account: account.number)
                try transaction.merge(channel, for: reader, marks, askedAt: marks.ask())
                return try transaction.messages(
                    in: record, around: .latest, previous: 10, next: 0, simultaneous: 0, replies: .all
                ).map(\.message)
            }
            #expect(found.count == 4)
            let marked = found.filter { $0.status == .seen && $0.direction == .toAgent }
            #expect(marked.map(\.createdAt.milliseconds) == seen)
            #expect(marked.allSatisfy { $0.seenAt != nil })
        }
    }
}
