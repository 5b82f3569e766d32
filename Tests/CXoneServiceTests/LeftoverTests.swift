import Bounds
@testable import Chat
import ChatModel
import ChatStore
@testable import CXoneService
import CXoneWire
import Formats
import Synchronization
import TestSupport
import Testing

/// What an account, a connection or a thread leaves behind in memory: nothing.
@Suite struct LeftoverTests {
    private static let fields = ["color": "red"]

    @Test("What was kept of an account leaves with its last session") func anAccountLeavesNothing() async throws {
        try await withCXone(.multithread) { cxone in
            for round in 0..<5 {
                cxone.platform.add("hello \(round)", to: "t1")
                let first = try await cxone.session().id, second = try await cxone.session().id
                do {
                    let client = try #require(cxone.sessions.client(first))
                    _ = try await client.ask { try await $0.load("t1", receipt: nil) }
                    _ = try await client.ask { try await $0.rename("t1", to: "Name \(round)", ifMatch: nil) }
                    _ = try await client.ask { try await $0.setCustomFields(Self.fields, of: "t1") }
                    _ = try await client.ask { try await $0.setCustomerCustomFields(Self.fields) }
                    _ = try await cxone.messages("t1", of: client)
                    try await client.record(.pageViewed(.init(title: "Start", url: "https://example.com")))
                }
                #expect(cxone.sessions.remote.count == 1)
                let leaving = LastHolder(cxone.sessions.client(first))
                try await cxone.sessions.delete(first)
                // What goes with a client goes while it is let go of.
                #expect(await eventually { leaving.isLast })
                leaving.letGo()
                #expect(cxone.sessions.remote.count == 1, "the second session uses it")
                #expect(cxone.service.vault.count == 1)
                try await cxone.sessions.delete(second)
                #expect(await eventually { cxone.service.vault.count == 0 && cxone.service.pages.count == 0 })
                #expect(cxone.sessions.remote.count == 0)
                #expect(cxone.service.fieldTimes.count == 0)
                #expect(cxone.service.ownNames.count == 0)
                #expect(cxone.service.histories.count == 0)
            }
        }
    }

    /// Holds a session's client until nobody else does, so that it goes when a test lets it go.
    private final class LastHolder: Sendable {
        private let client: Mutex<ChatClient?>

        init(_ client: ChatClient?) { self.client = Mutex(client) }

        var isLast: Bool { client.withLock { isKnownUniquelyReferenced(&$0) } }
        func letGo() { client.withLock { $0 = nil } }
    }

    @Test("Ending a contact leaves nothing behind when it cannot be told") func endingAContactLeavesNothing()
        async throws
    {
        try await withCXone(.liveChat) { cxone in
            let client = try await cxone.session()
            let thread = try await client.createThread(ThreadDraft(), receipt: nil).id
            try await cxone.platform.heard()
            #expect(try cxone.thread(thread, of: client)?.contactID != nil)
            let account = try await cxone.store.read { try $0.account(client.account) }
            let opened = try await cxone.service.connect(account, channel: client.channel) {}
            let connection = try #require(opened as? CXoneConnection)
            // The socket goes before the platform is told.
            try await connection.account.link.close()
            #expect(await refusal { try await connection.endContact(thread, receipt: nil) } == .notConnected)
            #expect(connection.receiver.waitingCount == 0)
        }
    }

    @Test("Pages that were read on connecting wait in a bounded number") func freshPagesAreBounded() {
        var fresh = FreshPages()
        for number in 0..<1000 { fresh.keep(ScrollPage(messages: [], oldest: nil, token: ""), of: "t\(number)") }
        #expect(fresh.pages.count == FreshPages.limit)
        #expect(fresh.pages.keysByUse.last == "t999")
        let great = Self.mark(1, textBytes: ByteBound.freshPage.bytes).edge
        fresh.keep(ScrollPage(messages: great, oldest: 1, token: ""), of: "great")
        #expect(fresh.pages.keysByUse.last == "t999", "a great page is read again")
    }

    @Test("Marks of a long history are thinned out, and still lead everywhere") func marksAreBounded() {
        let marks = ScrollMarks()
        for number in (0..<10_000).reversed() {
            marks.add(ScrollMark(token: "\(number)", oldest: Int64(number), edge: []))
        }
        #expect(marks.count <= ScrollMarks.limit)
        for time in [0, 1, 77, 5000, 9998] as [Int64] {
            let above = marks.above(time)
            #expect(above.map { $0.oldest >= time } == true)
        }
        #expect(marks.above(0)?.oldest == 0)
        #expect(marks.above(9999)?.oldest == 9999)
    }

    private static func mark(_ number: Int, textBytes: Int) -> ScrollMark {
        let time = Timestamp(milliseconds: Int64(number))
        let message = Message(
            id: "m\(number)", threadID: "t", createdAt: time, direction: .toClient,
            author: Author(id: "a", kind: .agent), type: .text, text: String(repeating: "x", count: textBytes),
            status: .sent)
        return ScrollMark(token: "\(number)", oldest: time.milliseconds, edge: [RemoteMessage(message)])
    }

    @Test("Marks hold a bounded number of bytes, however great the messages are") func marksAreBoundedInBytes() {
        let marks = ScrollMarks()
        for number in (0..<600).reversed() { marks.add(Self.mark(number, textBytes: 20_000)) }
        #expect(marks.byteCount <= ByteBound.threadMarks.bytes && marks.count > 5)
        #expect(marks.above(0)?.oldest == 0 && marks.above(599)?.oldest == 599)
        marks.add(Self.mark(700, textBytes: ScrollMarks.markLimit))
        #expect(marks.above(700) == nil, "its page is read again")
    }

    @Test func marksOfOneAccountTakeAnEighthAndGiveItBack() {
        let histories = ScrollHistories()
        for thread in 0..<20 {
            let marks = histories.marks(of: "t\(thread)", account: 1)
            for number in (0..<60).reversed() { marks.add(Self.mark(number, textBytes: 20_000)) }
        }
        #expect(histories.byteCount <= ByteBound.marks.bytes / 8 && histories.byteCount > 1 << 20)
        let other = histories.marks(of: "t", account: 2)
        for number in (0..<60).reversed() { other.add(Self.mark(number, textBytes: 5_000)) }
        #expect(other.count == 60, "one account leaves room for others")
        histories.forget(account: 1)
        #expect(histories.byteCount == other.byteCount)
    }

    @Test("A platform that brings the same under ever fresh tokens is not followed for ever")
    func pagesThatLeadNowhereEnd() async {
        let asked = Journal<String>()
        let history = ScrollHistory(
            marks: ScrollMarks(),
            newest: { () throws(ChatError) -> ScrollPage in ScrollPage(messages: [], oldest: 1000, token: "0") },
            more: { (mark: ScrollMark) throws(ChatError) -> ScrollPage in
                asked.add(mark.token)
                return ScrollPage(messages: [], oldest: 1000, token: mark.token + "0")
            })
        let time = Timestamp(milliseconds: 500)
        for query in [HistoryQuery.before(time, limit: 10), HistoryQuery.after(time, limit: 10)] {
            let before = asked.entries.count
            #expect(await refusal { try await history.page(query) } == .serverError)
            #expect(asked.entries.count - before == ScrollHistory.idlePageLimit)
        }
    }

    @Test func historiesOfAnAccountAreBounded() {
        let histories = ScrollHistories()
        for number in 0..<2 * ScrollHistories.limit { _ = histories.marks(of: "t\(number)", account: 1) }
        #expect(histories.threadCount(of: 1) == ScrollHistories.limit)
    }
}
