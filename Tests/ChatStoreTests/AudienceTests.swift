import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct AudienceTests {
    @Test(arguments: [
        [],
        [AudienceMember(.desk)],
        [AudienceMember(.account(1), unreadCount: 0)],
        [AudienceMember(.account(127), unreadCount: 126), AudienceMember(.account(128), unreadCount: 127), AudienceMember(.desk)],
        [AudienceMember(.account(1 << 40), unreadCount: 1_000_000), AudienceMember(.account(16_384))],
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
            members: [AudienceMember(.account(1), unreadCount: 3), AudienceMember(.account(2), unreadCount: 0), AudienceMember(.desk)],
            deskMembers: Array(#""channel":"multi""#.utf8))
        #expect(try event.json(for: .account(1))[path: "thread", "unreadCount"] == .integer(3))
        #expect(try event.json(for: .account(2))[path: "thread", "unreadCount"] == .integer(0))
        #expect(try event.json(for: .desk)[path: "thread", "unreadCount"] == nil)
        #expect(try event.json(for: .desk)[path: "thread", "channel"] == .string("multi"))
        #expect(String(decoding: event.id, as: UTF8.self) == "e-7")
    }

    @Test func theDesksCopyOfAMessageNamesChannelAndCustomer() throws {
        let event = LogEvent(
            cursor: nil, type: .messageCreated, data: Array(#"{"threadId":"t"}"#.utf8), members: [AudienceMember(.desk)],
            deskMembers: Array(#""channel":"multi""#.utf8))
        #expect(String(decoding: event.data(for: .desk), as: UTF8.self) == #"{"channel":"multi","threadId":"t"}"#)
        #expect(event.data(for: .account(1)) == event.data)
        #expect(event.id.isEmpty && event.offset == nil)
    }
}
