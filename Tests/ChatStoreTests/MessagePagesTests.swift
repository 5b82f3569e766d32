import ChatModel
import Formats
import TestSupport
import Testing

@testable import ChatStore

@Suite struct MessagePagesTests {
    private func fill(_ room: Room, _ ids: Range<Int>, at time: Timestamp? = nil) async throws {
        try await room.unit { transaction, record in
            for index in ids { try Room.send("m\(index)", at: time, to: &record, in: transaction) }
        }
    }

    @Test func newestFirstAndEqualTimesInOrderOfArrival() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let time = TestEnvironment.start
            try await room.send("z", at: time.advanced(byMilliseconds: 2))
            try await room.send("y", at: time)
            try await room.send("a", at: time)
            try await room.send("x", at: time.advanced(byMilliseconds: 1))
            #expect(try room.page().ids == ["z", "x", "a", "y"])
        }
    }

    @Test(arguments: [1, 7, 50, 200]) func pagingBackSeesEachMessageOnceWhileNewOnesArrive(limit: Int) async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<230)  // All at one time: the arrival number alone orders them.
            var (seen, cursor, news): ([String], String?, Int) = ([], nil, 230)
            repeat {
                let page = try room.page(limit: limit, cursor: cursor)
                #expect(page.ids.count <= limit)
                seen += page.ids
                cursor = page.next
                if news < 260 {
                    try await fill(room, news..<(news + 1))
                    news += 1
                }
            } while cursor != nil
            #expect(seen == (0..<230).reversed().map { "m\($0)" })
        }
    }

    @Test func pagingForwardEndsAtTheNewestEvenIfItArrivedMeanwhile() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<230)
            var page = try room.page(limit: 20)
            #expect(page.prev == nil)
            while let next = page.next { page = try room.page(limit: 20, cursor: next) }
            var seen = page.ids
            try await fill(room, 230..<251)
            while let prev = page.prev {
                page = try room.page(limit: 20, cursor: prev)
                seen = page.ids + seen
            }
            #expect(seen == (0..<251).reversed().map { "m\($0)" })
        }
    }

    @Test func aRemovedMessageShiftsNothing() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await fill(room, 0..<30)
            let first = try room.page(limit: 10)
            #expect(first.ids.last == "m20")
            try await room.remove("m20")
            try await room.remove("m25")
            #expect(try room.page(limit: 10, cursor: first.next).ids == (10..<20).reversed().map { "m\($0)" })
        }
    }

    @Test func aFullLastPageHasNoNext() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            #expect(try room.page().ids == [])
            try await fill(room, 0..<20)
            #expect(try room.page(limit: 20).next == nil)
            let half = try room.page(limit: 10)
            #expect(half.next != nil)
            #expect(try room.page(limit: 10, cursor: half.next).next == nil)
        }
    }

    @Test(arguments: [
        "", "x", "o", "o1", "o1.", "o1.2.3", "p1.2", "o1.x", "o99999999999999999999.1", "o1.2 ",
        String(repeating: "o", count: 60),
    ])
    func aCursorThatIsNoneIsRefused(cursor: String) async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            try await room.send("m1")
            #expect(await refusal { try room.page(cursor: cursor) } == .invalidParameter)
            #expect(
                await refusal {
                    try await store.read {
                        try $0.threadPage(of: room.account.number, .all, PageRequest(limit: 5, cursor: cursor))
                    }
                } == .invalidParameter)
        }
    }

    @Test func anUnknownThreadIsRefused() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let other = try await Room.make(in: store, thread: "t2", customer: "c2")
            #expect(
                await refusal { try Room(store: store, account: room.account, thread: "t2").page() } == .unknownThread)
            #expect(await refusal { try other.page() } == nil)
        }
    }

    @Test func theVersionChangesWithWhatThePageShows() async throws {
        try await withStore { store in
            let room = try await Room.make(in: store)
            let other = try await Room.make(in: store, thread: "t2", customer: "c2")
            try await room.send("m1", "a", .toClient)
            var versions = [try room.page().version]
            try await other.send("m1")
            #expect(try room.page().version == versions[0])
            #expect(try room.page().offset == store.feed.head)
            try await room.edit("m1", to: "b")
            versions.append(try room.page().version)
            try await room.markRead()
            versions.append(try room.page().version)
            try await room.remove("m1")
            versions.append(try room.page().version)
            #expect(versions == versions.sorted() && Set(versions).count == 4)
        }
    }

    @Test func onlyTheSpellingThatWasGivenOutIsACursor() {
        let list = PageCursor.List.messages(thread: 1, .alsoInThread)
        let cursor = PageCursor.older(MessagePosition(createdAt: 5, number: 6))
        #expect(cursor.text(of: list) == "m1o5.6" && PageCursor("m1o5.6", of: list) == cursor)
        for text in ["m1o05.6", "m1o+5.6", "m1o5.06", "m1o5.+6", "m1o-0.6", "m1k5.6"] {
            #expect(PageCursor(text, of: list) == nil, "\(text)")
        }
    }

    @Test func aPlaceAmongThreadsHasOneSpelling() {
        let list = PageCursor.List.threads(account: 1)
        let key = ThreadQuery().key(of: ChatThread(id: "t1", createdAt: Timestamp(milliseconds: 5), members: []))
        #expect(PageCursor.behind(key).text(of: list) == "t1k5.dDE")
        #expect(PageCursor("t1k5.dDE", of: list) == .behind(key))
        let least = "t1k\(Int64.min).dDE"
        for text in ["t1k5.dDE=", "t1k05.dDE", "t1k5.!", "t1k5./w", "t1k5", "t1o5.6", "dk5.dDE", least] {
            #expect(PageCursor(text, of: list) == nil, "\(text)")
        }
        // At the desk an owner belongs to it.
        #expect(PageCursor("dk5.dDE", of: .deskThreads) == nil)
        let owned = PageCursor.behind(
            ThreadQuery().key(
                of: ChatThread(id: "t1", createdAt: Timestamp(milliseconds: 5), members: []),
                owner: ThreadOwner(channel: "multi", customer: "c1")))
        #expect(PageCursor(owned.text(of: .deskThreads), of: .deskThreads) == owned)
    }
}
