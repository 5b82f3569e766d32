import Bounds
import ChatModel
import ChatStore
import HTTPRouting
import TestSupport
import Testing

@testable import Gateway

/// Pages that wait, on a log that a test writes and a clock that it moves.
@Suite(.timeLimit(.minutes(5))) struct PageWaitTests {
    /// A page that is being waited for.
    private struct Scene {
        let world = StreamWorld()
        let clock = ManualClock()
        let places = PlacePool(limit: 10)

        func begin(
            _ session: String = "s1", account: Int64 = 1, types: String? = nil, after: String? = nil, seconds: Int = 25,
            in places: PlacePool? = nil, as holder: Holder = .root
        ) throws -> Task<FeedPage, any Error> {
            let scope = StreamScope(kind: .session, sessions: [.init(id: session, account: account)], hasDesk: false)
            let reader = EventPageReader(
                log: world.feed, scope: scope, filter: try EventFilter(types.map { [$0] } ?? []), limit: 100)
            let places = places ?? self.places
            return Task { [world, clock] in
                try FeedPage(
                    try await world.hub.page(
                        reader, from: after.map { .after($0) } ?? .now, wait: .seconds(seconds), on: clock,
                        in: places, as: holder))
            }
        }

        /// Returns when so many pages have found nothing and wait.
        func waiting(_ count: Int = 1) async {
            #expect(await eventually { clock.sleeperCount == count && world.hub.waits.count == count })
        }

        /// Lets something happen, and then something else that another page waits for; that page goes the same way behind
        /// all that were woken before. Returns whether the page that was there waits on, and was not woken: a page that
        /// is woken reads the log.
        func waitsOn(_ happens: () -> Void) async throws -> Bool {
            let witness = try begin("witness", account: 99)
            await waiting(2)
            let reads = world.feed.readCount(for: .account(1))
            happens()
            world.log("witnessed", [.account(99)])
            world.loop.turn()
            #expect(try await witness.value.items.count == 1)
            return world.feed.readCount(for: .account(1)) == reads && world.hub.waits.count == 1
        }

        /// Nothing is left of pages that are answered.
        func isClean() async -> Bool {
            await eventually { clock.sleeperCount == 0 && world.hub.waits.count == 0 }
        }
    }

    private func texts(_ page: FeedPage) -> [String] { page.items.compactMap { $0.data["n"]?.string } }

    @Test func aPageThatHasSomethingDoesNotWait() async throws {
        let scene = Scene()
        scene.world.log("a")
        let page = try await scene.begin(after: "e1-0").value
        #expect(texts(page) == ["a"])
        let reset = try await scene.begin(after: "e2-0").value
        #expect(reset.reset == "foreignEpoch")
        #expect(await scene.isClean())
    }

    @Test func itWaitsForWhatItWants() async throws {
        let scene = Scene()
        scene.world.log("old")
        scene.world.loop.turn()
        let page = try scene.begin(types: "message.created")
        await scene.waiting()
        let waitsOn = try await scene.waitsOn {
            scene.world.log("another's", [.account(2)])
            scene.world.log("another type", type: .threadUpdated)
            scene.world.say("typing")
            scene.world.loop.turn()
        }
        #expect(waitsOn)
        scene.world.log("wanted")
        scene.world.loop.turn()
        let answer = try await page.value
        #expect(texts(answer) == ["wanted"] && answer.cursor == "e1-5" && !answer.hasMore)
        #expect(await scene.isClean())
    }

    @Test func theTimeEndsIt() async throws {
        let scene = Scene()
        let page = try scene.begin(types: "message.created")
        await scene.waiting()
        scene.world.log("another type", type: .threadUpdated)
        scene.world.loop.turn()
        scene.clock.advance(by: .milliseconds(24_999))
        #expect(scene.clock.sleeperCount == 1)
        scene.clock.advance(by: .milliseconds(1))
        let answer = try await page.value
        // The cursor moved past what is not wanted.
        #expect(answer.items.isEmpty && answer.cursor == "e1-1" && !answer.hasMore)
        #expect(await scene.isClean())
    }

    /// Committed and not yet delivered: the page finds it in the log, and the delivery wakes nobody for nothing.
    @Test func whatIsCommittedBeforeTheLogIsReadIsNotMissed() async throws {
        let scene = Scene()
        let first = try scene.begin(after: "e1-0")
        await scene.waiting()
        scene.world.log("a")
        #expect(texts(try await scene.begin("s2", after: "e1-0").value) == ["a"])
        scene.world.loop.turn()
        #expect(texts(try await first.value) == ["a"])
        let second = try scene.begin(after: "e1-1")
        await scene.waiting()
        #expect(try await scene.waitsOn { scene.world.loop.turn() })
        scene.world.log("b")
        scene.world.loop.turn()
        #expect(texts(try await second.value) == ["b"])
    }

    /// It comes after the page has looked, and before it waits.
    @Test func whatComesWhileTheLogIsReadIsNotMissed() async throws {
        let scene = Scene()
        scene.world.feed.afterRead { [world = scene.world] in
            world.log("a")
            world.loop.turn()
        }
        #expect(texts(try await scene.begin(after: "e1-0").value) == ["a"])
        #expect(await scene.isClean())
    }

    /// Nobody waits for the page any more.
    @Test func aCancelledTaskEndsIt() async throws {
        let scene = Scene()
        let page = try scene.begin()
        await scene.waiting()
        page.cancel()
        let answer = try await page.value
        #expect(answer.items.isEmpty && !answer.hasMore)
        #expect(await scene.isClean())
    }

    @Test func aDeletedSessionEndsIt() async throws {
        let scene = Scene()
        let (lost, other) = (try scene.begin("s1"), try scene.begin("s2"))
        await scene.waiting(2)
        scene.world.hub.sessionEnded("s1")
        #expect(try await lost.value.items.isEmpty)
        #expect(scene.world.hub.waits.count == 1)
        // One that was gone before the page was there.
        #expect(try await scene.begin("gone").value.items.isEmpty)
        scene.world.log("b")
        scene.world.loop.turn()
        #expect(texts(try await other.value) == ["b"])
    }

    @Test func aGatewayThatStopsEndsAll() async throws {
        let scene = Scene()
        let waiting = try scene.begin()
        await scene.waiting()
        scene.world.hub.waits.endAll()
        #expect(try await waiting.value.items.isEmpty)
        #expect(try await scene.begin().value.items.isEmpty)
        #expect(await scene.isClean())
    }

    @Test func tooManyAreRefused() async throws {
        let scene = Scene()
        let places = PlacePool(limit: 2)
        let two = [try scene.begin(in: places), try scene.begin(in: places)]
        await scene.waiting(2)
        let third = try scene.begin(in: places)
        let problem = await #expect(throws: Problem.self) { try await third.value }
        #expect(problem?.kind.code == "tooManyRequests" && problem?.retryAfter == 1)
        // A page that does not wait needs no place.
        #expect(try await scene.begin(seconds: 0, in: places).value.items.isEmpty)
        scene.clock.advance(by: .seconds(25))
        for page in two { #expect(try await page.value.items.isEmpty) }
        #expect(await scene.isClean())
        #expect(places.taken == 0)
    }

    @Test func pagesOfOneHolderLeavePlacesToOthers() async throws {
        let scene = Scene()
        let places = PlacePool(limit: 16)
        let own = [
            try scene.begin(in: places, as: .named("ann")), try scene.begin(in: places, as: .named("ann")),
        ]
        await scene.waiting(2)
        let third = try scene.begin(in: places, as: .named("ann"))
        let problem = await #expect(throws: Problem.self) { try await third.value }
        #expect(problem?.kind.code == "shareExceeded" && problem?.status == 429 && problem?.retryAfter == 1)
        let other = try scene.begin(in: places, as: .named("bo"))
        await scene.waiting(3)
        scene.clock.advance(by: .seconds(25))
        for page in own + [other] { #expect(try await page.value.items.isEmpty) }
        #expect(places.taken == 0)
    }

    @Test func aThousandWaitAndAllGetIt() async throws {
        let scene = Scene()
        let places = PlacePool(limit: 1000)
        let pages = try (0..<1000).map { try scene.begin("s\($0)", account: Int64($0 % 10), in: places) }
        await scene.waiting(1000)
        scene.world.log("three", [.account(3)])
        scene.world.loop.turn()
        for (number, page) in pages.enumerated() where number % 10 == 3 {
            #expect(texts(try await page.value) == ["three"])
        }
        await scene.waiting(900)
        scene.world.log("all", (0..<10).map { .account($0) })
        scene.world.loop.turn()
        for (number, page) in pages.enumerated() where number % 10 != 3 {
            #expect(texts(try await page.value) == ["all"])
        }
        #expect(await scene.isClean())
    }
}
