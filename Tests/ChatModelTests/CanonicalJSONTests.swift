import ChatModel
import Formats
import Testing

@Suite struct CanonicalJSONTests {
    private let time = Timestamp(milliseconds: 1_772_442_904_512)

    @Test func aMessageHasOneSpelling() throws {
        var message = Message(
            id: "m1", threadID: "t1", createdAt: time, direction: .toAgent,
            author: Author(id: "c1", name: "Ada", kind: .customer), text: "Hi", status: .delivered)
        #expect(
            String(decoding: message.canonicalJSON, as: UTF8.self) == """
                {"id":"m1","threadId":"t1","createdAt":"2026-03-02T09:15:04.512Z","updatedAt":"2026-03-02T09:15:04.512Z",\
                "direction":"toAgent","author":{"id":"c1","name":"Ada","kind":"customer"},"type":"text","text":"Hi",\
                "attachments":[],"status":"delivered"}
                """)
        message.seenAt = time.advanced(byMilliseconds: 1)
        message.status = .seen
        message.customType = "x"
        message.parentID = "m0"
        message.attachments = [Attachment(id: "a", name: "n", mimeType: "text/plain", size: 3)]
        #expect(try Message(canonicalJSON: message.canonicalJSON) == message)
    }

    @Test func aThreadReadsAsItWasWritten() throws {
        var thread = ChatThread(id: "t1", createdAt: time, members: [Customer(id: "c1", firstName: "Ada")])
        #expect(try ChatThread(canonicalJSON: thread.canonicalJSON) == thread)
        thread.name = "Order"
        thread.state = .closed
        thread.deskUnreadCount = 3
        thread.agent = Agent(id: "a", name: "Bob", isBot: true)
        thread.customFields = ["b": "2", "a": "1"]
        thread.contactID = "7"
        thread.queuePosition = 2
        thread.lastMessage = MessagePreview(
            Message(
                id: "m", threadID: "t1", createdAt: time, direction: .toClient, author: Author(id: "a", kind: .agent),
                text: String(repeating: "é", count: 300), status: .delivered))
        #expect(thread.lastMessage?.text?.count == 256)
        #expect(try ChatThread(canonicalJSON: thread.canonicalJSON) == thread)
        #expect(String(decoding: thread.canonicalJSON, as: UTF8.self).contains(#""canAddMoreMessages":false"#))
        #expect(String(decoding: thread.canonicalJSON, as: UTF8.self).contains(#""customFields":{"a":"1","b":"2"}"#))
    }

    @Test func aReadersOwnPartIsSplicedIn() throws {
        let thread = ChatThread(id: "t1", createdAt: time, members: [])
        let plain = Membership(unreadCount: 7).splice(into: thread.canonicalJSON)
        #expect(String(decoding: plain, as: UTF8.self).hasSuffix(",\"unreadCount\":7}"))
        #expect(try ChatThread(canonicalJSON: plain) == thread)
        let json = try JSONParser.parse(
            Membership(unreadCount: 0, state: .invited, isHidden: true).splice(into: thread.canonicalJSON))
        let read = try JSONParser.parse(Membership(unreadCount: 0, lastReadAt: time).splice(into: thread.canonicalJSON))
        #expect(read["lastReadAt"] == .string(time.rfc3339) && json["lastReadAt"] == nil)
        #expect(
            json["memberState"] == .string("invited") && json["hidden"] == .bool(true) && json["historyResetAt"] == nil)
    }

    @Test(arguments: ["e1-0", "abcDEF09-9223372036854775807"]) func cursorsAreReadAsWritten(text: String) {
        #expect(Cursor(text)?.description == text)
    }

    @Test(arguments: ["", "-1", "e1-", "e1", "e1-x", "e1--1", "é-1", "e 1-1", "e1-9223372036854775808", "e1-+1"])
    func cursorsOfAnotherFormAreRefused(text: String) {
        #expect(Cursor(text) == nil)
    }
}
