import Bounds
import ChatModel
import ChatStore
import Formats
import GatewaySupport
import HTTPRouting
import MicroHTTP
import TestSupport
import Testing

@testable import Gateway

/// One feed in every form: random histories, which a client reads in any form, and goes on with in another.
@Suite struct FeedFormTests {
    /// A way to read.
    private enum Form: CaseIterable {
        case serverSentEvents, lines, page, waitingPage

        var framing: EventFraming { self == .lines ? .line : .serverSent }
    }

    /// What a client reads, and where it is.
    private struct Client {
        let scope: StreamScope
        let types: String?
        var cursor = "e1-0"
        var items: [FeedItem] = []
    }

    private static let scopes = [
        StreamScope(kind: .session, sessions: [.init(id: "a", account: 1)], hasDesk: false),
        StreamScope(kind: .desk, sessions: [], hasDesk: true),
        StreamScope(
            kind: .combined, sessions: [.init(id: "a", account: 1), .init(id: "b", account: 2)], hasDesk: true),
    ]
    private static let types: [EventType] = [.messageCreated, .messageRemoved, .threadInfo]

    @Test(arguments: 0..<24) func everyFormAndEveryChangeOfFormTellsTheSame(seed: Int) async throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let world = StreamWorld(deskMembers: "\"channel\":\"multi\"")
        let scope = Self.scopes[seed % 3]
        let types = seed.isMultiple(of: 2) ? nil : "message.created,thread.info"
        // One client for each form alone, and one that changes.
        var clients = (0...Form.allCases.count).map { _ in Client(scope: scope, types: types) }
        var logged: [(type: EventType, audiences: [Audience], text: String)] = []
        for _ in 0..<30 {
            for _ in 0..<Int.random(in: 0...6, using: &random) {
                let audiences = [Audience.account(1), .account(2), .account(3), .desk].filter { _ in
                    Bool.random(using: &random)
                }
                let type = Self.types.randomElement(using: &random) ?? .threadInfo
                let text = "\(logged.count)" + String(repeating: "x", count: Int.random(in: 0...400, using: &random))
                world.log(text, audiences, type: type)
                logged.append((type, audiences, text))
                if Int.random(in: 0..<5, using: &random) == 0 { world.say("typing", to: audiences) }
            }
            if Bool.random(using: &random) { world.loop.turn() }
            if Int.random(in: 0..<4, using: &random) == 0 {
                world.feed.dropRing(below: Int64.random(in: 0...world.feed.head, using: &random))
            }
            for index in clients.indices where Bool.random(using: &random) {
                let form =
                    index < Form.allCases.count ? Form.allCases[index] : Form.allCases.randomElement(using: &random)
                try await read(form ?? .page, &clients[index], world, &random)
            }
        }
        // The rest, to the end.
        for index in clients.indices {
            let form = index < Form.allCases.count ? Form.allCases[index] : .lines
            var before = ""
            while before != clients[index].cursor {
                before = clients[index].cursor
                try await read(form, &clients[index], world, &random, isWhole: true)
            }
        }
        let filter = try EventFilter(types.map { [$0] } ?? [])
        let wanted = logged.enumerated().filter { _, event in
            filter.contains(event.type) && event.audiences.contains(where: scope.audiences.contains)
        }
        #expect(wanted.count > 10)
        for client in clients {
            #expect(client.items.map(\.id) == wanted.map { "e1-\($0.offset + 1)" })
            #expect(client.items.map { $0.data["n"]?.string } == wanted.map(\.element.text))
            #expect(client.items == clients[0].items)
        }
    }

    /// Reads a part in one form, and goes on from the last id or the page's cursor.
    private func read(
        _ form: Form, _ client: inout Client, _ world: StreamWorld, _ random: inout SeededGenerator,
        isWhole: Bool = false
    ) async throws {
        switch form {
        case .serverSentEvents, .lines:
            let limit = Int.random(in: 100...2_000, using: &random)
            let source = EventStreamSource(
                hub: world.hub, scope: client.scope, filter: try EventFilter(client.types.map { [$0] } ?? []),
                start: StreamStart(client.cursor, log: world.feed), since: Timestamp(milliseconds: 0),
                framing: form.framing)
            let reader = Reader(source, loop: world.loop, limit: limit)
            if isWhole || Bool.random(using: &random) {
                await reader.pumpThroughDatabase()
            } else {
                // The connection breaks after a few buffers.
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    reader.fill()
                    if source.isFetching {
                        await world.loop.job()
                        world.loop.turn()
                    }
                }
            }
            if Bool.random(using: &random) { reader.heartbeat() }
            reader.close()
            for item in try FeedItem.all(of: reader.text, as: form.framing) {
                client.cursor = item.id ?? client.cursor
                if item.data["n"] != nil, item.id != nil { client.items.append(item) }
            }
        case .page, .waitingPage:
            let reader = EventPageReader(
                log: world.feed, scope: client.scope, filter: try EventFilter(client.types.map { [$0] } ?? []),
                limit: Int.random(in: 1...20, using: &random))
            let clock = ManualClock()
            let (hub, cursor) = (world.hub, client.cursor)
            let page = Task {
                try await hub.page(
                    reader, from: .after(cursor), wait: form == .page ? .zero : .seconds(1), on: clock,
                    in: PlacePool(limit: 10), as: .root)
            }
            if form == .waitingPage {
                // If it waits, the time ends it.
                let isDone = Flag()
                Task {
                    _ = try? await page.value
                    isDone.raise()
                }
                #expect(await eventually { isDone.isRaised || clock.sleeperCount > 0 })
                clock.advance(by: .seconds(1))
            }
            let read = try FeedPage(try await page.value)
            #expect(read.reset == nil)
            client.items += read.items
            client.cursor = read.cursor
        }
    }

    @Test func aLineIsAnObjectOfItsOwn() throws {
        let world = StreamWorld()
        world.log("a")
        let scope = Self.scopes[0]
        let reader = Reader(
            EventStreamSource(
                hub: world.hub, scope: scope, filter: .all, start: .after(0), since: Timestamp(milliseconds: 0),
                framing: .line), loop: world.loop)
        reader.pump()
        world.say("t")
        reader.pump()
        reader.heartbeat()
        reader.drain()
        #expect(
            reader.text == """
                {"id":"e1-1","type":"message.created","data":{"n":"a"}}
                {"id":"e1-1","type":"ready","data":{"cursor":"e1-1","state":"ready","mode":"multithread"}}
                {"type":"typing","data":{"n":"t"}}
                {"id":"e1-1","type":"ping","data":{"cursor":"e1-1"}}

                """)
    }

    /// Streams at one place share encoded bytes, but not with those of another form.
    @Test func formsShareNoBytes() throws {
        let world = StreamWorld()
        let readers = [EventFraming.serverSent, .line].map { framing in
            Reader(
                EventStreamSource(
                    hub: world.hub, scope: Self.scopes[0], filter: .all, start: .now,
                    since: Timestamp(milliseconds: 0), framing: framing), loop: world.loop)
        }
        for reader in readers { reader.pump(); _ = reader.take() }
        world.log("a")
        for reader in readers { reader.pump() }
        #expect(readers.map { $0.text.prefix(4) } == ["id: ", "{\"id"])
    }
}
