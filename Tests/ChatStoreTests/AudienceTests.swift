import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct AudienceTests {
    @Test(arguments: [
        [],
        [AudienceMember(.desk)],
        [AudienceMember(.account(1), unreadCount: 0)],
        [
            AudienceMember(.account(127), unreadCount: 126), AudienceMember(.account(128), unreadCount: 127),
            AudienceMember(.desk),
        ],
        [AudienceMember(.account(1 << 40), unreadCount: 1_000_000), AudienceMember(.account(16_384))],
        [
            AudienceMember(.account(1), Membership(unreadCount: 3, isHidden: true)), AudienceMember(.desk),
            AudienceMember(
                .account(2),
                Membership(unreadCount: 0, state: .invited, historyResetAt: Timestamp(milliseconds: 1_777_000_000_123))),
            AudienceMember(.account(3), Membership(unreadCount: 1, historyResetAt: Timestamp(milliseconds: 0))),
        ],
        [
            AudienceMember(.account(1), Membership(unreadCount: 3, lastReadAt: Timestamp(milliseconds: 0))),
            AudienceMember(.desk),
            AudienceMember(
                .account(2),
                Membership(unreadCount: 0, lastReadAt: Timestamp(milliseconds: 1_777_000_000_123), isHidden: true)),
            AudienceMember(.account(3), unreadCount: 0),
        ],
    ])
    func membersAreReadAsTheyWerePacked(members: [AudienceMember]) {
        #expect([AudienceMember](packed: members.packed) == members)
    }

    @Test func sessionsAreNotKept() {
        #expect([AudienceMember(.session("s")), AudienceMember(.desk)].packed == [0, 0])
    }

    @Test func eachAccountReadsItsOwnUnreadCount() throws {
        let event = LogEvent(
            cursor: Cursor(epoch: "e", offset: 7), type: .threadUpdated, data: Array(#"{"thread":{"id":"t"}}"#.utf8),
            members: [
                AudienceMember(.account(1), unreadCount: 3), AudienceMember(.account(2), unreadCount: 0),
                AudienceMember(.desk),
            ],
            deskMembers: Array(#""channel":"multi""#.utf8))
        #expect(try event.json(for: .account(1))[path: "thread", "unreadCount"] == .integer(3))
        #expect(try event.json(for: .account(2))[path: "thread", "unreadCount"] == .integer(0))
        #expect(try event.json(for: .desk)[path: "thread", "unreadCount"] == nil)
        #expect(try event.json(for: .desk)[path: "thread", "channel"] == .string("multi"))
        #expect(String(decoding: event.id, as: UTF8.self) == "e-7")
    }

    @Test func whoHasResetHisHistoryReadsNoLastMessageFromBefore() throws {
        var thread = ChatThread(id: "t", createdAt: Timestamp(milliseconds: 1000), members: [])
        thread.lastMessage = MessagePreview(
            Message(
                id: "m", threadID: "t", createdAt: Timestamp(milliseconds: 2000), direction: .toAgent,
                author: Author(id: "c", kind: .customer), text: "secret", status: .delivered))
        func event(_ line: Int64) -> LogEvent {
            LogEvent(
                cursor: nil, type: .threadUpdated,
                data: Array("{\"thread\":".utf8) + thread.canonicalJSON + Array("}".utf8),
                members: [
                    AudienceMember(
                        .account(1), Membership(unreadCount: 0, historyResetAt: Timestamp(milliseconds: line))),
                    AudienceMember(.account(2), Membership(unreadCount: 5)),
                ])
        }
        let own = try event(2000).json(for: .account(1))
        #expect(own[path: "thread", "lastMessage"] == nil && own[path: "thread", "unreadCount"] == .integer(0))
        #expect(own[path: "thread", "historyResetAt"] == .string(Timestamp(milliseconds: 2000).rfc3339))
        #expect(try event(1999).json(for: .account(1))[path: "thread", "lastMessage", "text"] == .string("secret"))
        let other = try event(2000).json(for: .account(2))
        #expect(
            other[path: "thread", "lastMessage", "text"] == .string("secret")
                && other[path: "thread", "historyResetAt"] == nil)
    }

    @Test func theDesksCopyOfAMessageNamesChannelAndCustomer() throws {
        let event = LogEvent(
            cursor: nil, type: .messageCreated, data: Array(#"{"threadId":"t"}"#.utf8),
            members: [AudienceMember(.desk)],
            deskMembers: Array(#""channel":"multi""#.utf8))
        #expect(String(decoding: event.data(for: .desk), as: UTF8.self) == #"{"channel":"multi","threadId":"t"}"#)
        #expect(event.data(for: .account(1)) == event.data)
        #expect(event.id.isEmpty && event.offset == nil)
    }
}
