import ChatModel
import Formats
import Testing

/// What an event names as changed is what a reader of the whole JSON finds.
@Suite struct ChangesTests {
    private static let time = Timestamp(milliseconds: 1_772_442_904_512)
    private static let later = Timestamp(milliseconds: 1_772_442_904_513)

    /// The names of the members that differ between two objects, in their order.
    private func differences(_ old: [UInt8], _ new: [UInt8], besides: Set<String>) throws -> [String] {
        let (old, new) = (try JSONParser.parse(old), try JSONParser.parse(new))
        let names = (new.members ?? []).map(\.name) + (old.members ?? []).map(\.name).filter { new[$0] == nil }
        return names.filter { old[$0] != new[$0] && !besides.contains($0) }
    }

    @Test func everyMemberOfAThreadIsNamed() throws {
        let old = ChatThread(id: "t1", createdAt: Self.time, members: [])
        var new = old
        new.name = "Name"
        new.state = .closed
        new.updatedAt = Self.later
        new.deskUnreadCount = 2
        new.lastMessage = MessagePreview(
            Message(
                id: "m1", threadID: "t1", createdAt: Self.time, direction: .toAgent,
                author: Author(id: "c1", kind: .customer),
                text: "Hi", status: .sent))
        new.agent = Agent(id: "a1")
        new.previousAgent = Agent(id: "a2")
        new.members = [Customer(id: "c1")]
        new.customType = "vip"
        new.customFields = ["a": "b"]
        new.contactID = "7"
        new.contactClosedAt = Self.time
        new.queuePosition = 3
        new.inactivityPopup = InactivityPopup(
            title: "T", message: "M", startedAt: Self.time, numberOfSeconds: 60,
            refreshButton: .init(id: "1", text: "Yes", postback: "y"),
            expireButton: .init(id: "2", text: "No", postback: "n"))
        new.historyResetAt = Self.time
        new.waitingSince = Self.time
        let names = try differences(
            old.canonicalJSON, new.canonicalJSON, besides: ["updatedAt", "canAddMoreMessages"])
        #expect(new.changes(since: old) == names)
        #expect(names.count == 15)
        #expect(Set(old.changes(since: new)) == Set(names))
        #expect(new.changes(since: new).isEmpty)
    }

    @Test func everyMemberOfAMessageIsNamed() throws {
        let old = Message(
            id: "m1", threadID: "t1", createdAt: Self.time, direction: .toAgent,
            author: Author(id: "c1", kind: .customer), text: "caf\u{E9}", status: .pending)
        var new = old
        new.createdAt = Self.later
        new.updatedAt = Self.later
        new.editedAt = Self.later
        new.direction = .toClient
        new.author.name = "Ann"
        new.type = .quickReplies
        new.customType = "x"
        // The same characters in other bytes are another text.
        new.text = "cafe\u{301}"
        new.content = .quickReplies(QuickReplies(title: "Which?", buttons: []))
        new.postback = "p"
        new.attachments = [Attachment(id: "f1", name: "a.txt", mimeType: "text/plain", size: 1)]
        new.status = .failed
        new.failure = Failure(ChatError(.eventTimeout, "Too late."))
        new.seenAt = Self.later
        new.parentID = "m0"
        new.alsoInThread = true
        new.replyInfo = ReplyInfo(count: 1, mostReplies: [], lastRepliedAt: nil, updatedAt: Self.time)
        let names = try differences(old.canonicalJSON, new.canonicalJSON, besides: ["updatedAt", "text"])
        #expect(new.changes(since: old).filter { $0 != "text" } == names)
        #expect(new.changes(since: old).contains("text"))
        #expect(new.changes(since: new).isEmpty)
    }

    @Test func everyMemberOfAMembershipIsNamed() {
        let old = Membership(unreadCount: 0)
        let new = Membership(
            unreadCount: 1, lastReadAt: Self.time, state: .invited, isHidden: true, historyResetAt: Self.time)
        #expect(new.changes(since: old) == Membership.names)
        #expect(new.changes(since: new).isEmpty)
    }
}
