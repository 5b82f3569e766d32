import ChatModel
import ChatStore
import Formats
import Testing

@testable import Gateway

/// Pages of a log that a test writes.
@Suite struct EventPageTests {
    private func read(
        _ world: StreamWorld, after: String?, types: String? = nil, limit: Int = 100, scope: StreamScope? = nil
    ) async throws -> FeedPage {
        let one = StreamScope(kind: .session, sessions: [.init(id: "s1", account: 1)], hasDesk: false)
        let reader = EventPageReader(
            log: world.feed, scope: scope ?? one, filter: try EventFilter(types.map { [$0] } ?? []), limit: limit)
        return try FeedPage(try await reader.page(from: StreamStart(after, log: world.feed)))
    }

    private func texts(_ page: FeedPage) -> [String] { page.items.compactMap { $0.data["n"]?.string } }

    @Test func withoutABeginningAPageSaysWhereTheLogEnds() async throws {
        let world = StreamWorld()
        for number in 1...5 { world.log("\(number)") }
        let page = try await read(world, after: nil)
        #expect(page.items.isEmpty && page.cursor == "e1-5" && !page.hasMore && page.reset == nil)
    }

    @Test func pagesFollowOneAnotherFromRingAndDatabase() async throws {
        let world = StreamWorld()
        for number in 1...25 { world.log("\(number)", number.isMultiple(of: 5) ? [.account(2)] : [.account(1)]) }
        world.feed.dropRing(below: 12)
        var (cursor, all, sizes) = ("e1-0", [String](), [Int]())
        while true {
            let page = try await read(world, after: cursor, limit: 8)
            all += texts(page)
            sizes.append(page.items.count)
            cursor = page.cursor
            if !page.hasMore { break }
        }
        #expect(all == (1...25).filter { !$0.isMultiple(of: 5) }.map(String.init))
        #expect(sizes == [8, 8, 4])
        #expect(cursor == "e1-25")
        let last = try await read(world, after: cursor)
        #expect(last.items.isEmpty && last.cursor == "e1-25")
    }

    /// What is left is not wanted: the page knows that nothing follows.
    @Test func aFullPageThatReachesTheEndHasNoMore() async throws {
        let world = StreamWorld()
        for number in 1...4 { world.log("\(number)") }
        world.log("unwanted", type: .threadUpdated)
        let page = try await read(world, after: "e1-0", types: "message.created", limit: 4)
        #expect(page.items.count == 4 && !page.hasMore && page.cursor == "e1-5")
    }

    @Test func aPageHasAMegabyteAtMost() async throws {
        let world = StreamWorld()
        let text = String(repeating: "x", count: 400_000)
        for number in 1...5 { world.log("\(number)\(text)") }
        let page = try await read(world, after: "e1-0")
        #expect(page.items.count == 2 && page.hasMore && page.cursor == "e1-2")
        world.log(String(repeating: "x", count: 2_000_000))
        let large = try await read(world, after: "e1-5")
        #expect(large.items.count == 1 && !large.hasMore)
    }

    @Test func aNarrowFilterGetsAnEmptyPageAndGoesOn() async throws {
        let world = StreamWorld()
        let text = String(repeating: "x", count: 100_000)
        for _ in 1...60 { world.log(text) }
        world.log("wanted", type: .threadUpdated)
        let page = try await read(world, after: "e1-0", types: "thread.updated")
        #expect(page.items.isEmpty && page.hasMore && page.cursor != "e1-0")
        let next = try await read(world, after: page.cursor, types: "thread.updated")
        #expect(texts(next) == ["wanted"] && !next.hasMore)
    }

    @Test(arguments: [
        ("e2-1", "foreignEpoch"), ("e1-99", "ahead"), ("e1-1", "expired"), ("nonsense", "malformed"), ("", "malformed"),
    ])
    func aPositionOfNoUseIsReset(after: String, reason: String) async throws {
        let world = StreamWorld()
        for number in 1...5 { world.log("\(number)") }
        world.feed.expire(below: 3)
        let page = try await read(world, after: after)
        #expect(page.reset == reason && page.items.isEmpty && page.cursor == "e1-5" && !page.hasMore)
        world.log("live")
        #expect(texts(try await read(world, after: page.cursor)) == ["live"])
    }

    /// A page that was being read when the log was cut is whole up to its cursor; the next one says what happened.
    @Test func aCutUnderAPageIsSaidByTheNext() async throws {
        let world = StreamWorld()
        let text = String(repeating: "x", count: 200_000)
        for number in 1...4 { world.log("\(number)\(text)") }
        world.feed.dropRing(below: 4)
        world.feed.afterReplay { world.feed.expire(below: 3) }
        let page = try await read(world, after: "e1-0")
        #expect(page.cursor == "e1-1" && page.items.count == 1 && page.hasMore && page.reset == nil)
        #expect(try await read(world, after: page.cursor).reset == "expired")
    }

    @Test func ephemeralEventsAreOnNoPage() async throws {
        let world = StreamWorld()
        world.log("a")
        world.say("typing")
        #expect(texts(try await read(world, after: "e1-0")) == ["a"])
    }

    @Test func eachReaderGetsItsOwnCopies() async throws {
        let world = StreamWorld(deskMembers: "\"channel\":\"multi\"")
        world.feed.commit([(.threadUpdated, Array("{\"thread\":{\"id\":\"t\"}}".utf8), [.account(1), .desk], [1: 4])])
        let desk = StreamScope(kind: .desk, sessions: [], hasDesk: true)
        let both = StreamScope(kind: .combined, sessions: [.init(id: "s1", account: 1)], hasDesk: true)
        let data = [
            try await read(world, after: "e1-0"), try await read(world, after: "e1-0", scope: desk),
            try await read(world, after: "e1-0", scope: both),
        ].map { $0.items.first?.data }
        let expected = try [
            "{\"thread\":{\"id\":\"t\",\"unreadCount\":4}}", "{\"thread\":{\"id\":\"t\",\"channel\":\"multi\"}}",
            "{\"sessions\":[\"s1\"],\"desk\":true,\"thread\":{\"id\":\"t\",\"channel\":\"multi\",\"unreadCount\":4}}",
        ].map { try JSONParser.parse(Array($0.utf8)) }
        #expect(data == expected)
    }
}
