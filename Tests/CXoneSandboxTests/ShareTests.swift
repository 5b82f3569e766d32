import Bounds
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import Glibc
@testable import MicroHTTP
import NIOPosix
import Synchronization
import TestSupport
import Testing

/// What each client of the sandbox may have of what all have together.
@Suite struct ShareTests {
    private static let mebibyte = 1 << 20

    private func handshake(
        _ scene: Scene, _ authorization: SandboxAuthorization, visitor: String?, customer: String = "c"
    ) throws -> HTTPRequest {
        let face = try scene.face("multi", authorization)
        let key = AccountKey(service: "local", channel: face.channel, customer: customer)
        let token = authorization == .secured ? scene.sandbox.token(.transaction, key, face) : nil
        let query = SocketQuery(
            brandID: scene.sandbox.brandID, channelID: face.id, visitorID: visitor, sdkPlatform: "ios",
            sdkVersion: "3.3.1", transactionToken: token)
        return HTTPRequest(
            method: "GET", target: "/socket?\(query.query)",
            headers: [
                ("Host", "localhost"), ("Upgrade", "websocket"), ("Connection", "Upgrade"),
                ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Sec-WebSocket-Version", "13"),
            ])
    }

    /// Of 32 places a visitor gets 4, all unknown ones 8, and a customer with a token 4 others.
    @Test func socketsAreSharedByHolder() async throws {
        try await Scene.run(socketLimit: 32) { scene in
            // An answer has its place as long as it is there.
            var open: [HTTPResponse] = []
            func attempt(
                _ visitor: String?, _ authorization: SandboxAuthorization = .anonymous, _ customer: String = "c"
            ) async throws -> HTTPResponse {
                let request = try handshake(scene, authorization, visitor: visitor, customer: customer)
                let answer = await scene.sandbox.open(request)
                if answer.status == 101 { open.append(answer) }
                return answer
            }
            for _ in 0..<4 { #expect(try await attempt("a").status == 101) }
            let refused = try await attempt("a")
            #expect(refused.status == 429 && refused.headers.contains { $0 == ("Retry-After", "1") })
            guard case .bytes(let body) = refused.body else { throw Missing() }
            #expect(String(decoding: body, as: UTF8.self).contains("your share of the sandbox's sockets: 4 of 32"))
            for visitor in ["b", "c"] { for _ in 0..<2 { #expect(try await attempt(visitor).status == 101) } }
            for visitor in ["d", nil] { #expect(try await attempt(visitor).status == 429) }
            for _ in 0..<4 { #expect(try await attempt("a", .secured).status == 101) }
            #expect(try await attempt("a", .secured).status == 429)
            #expect(try await attempt("a", .secured, "other").status == 101)
            open.removeFirst()
            #expect(try await attempt("a").status == 101)
            open = []
            #expect(scene.sandbox.places.taken == 0)
        }
    }

    private struct Missing: Error {}

    @Test func bytesAreSharedByHolderBelowThoseOfTheProcess() {
        let process = ByteCounter(limit: 256 << 20), all = SandboxMemory(within: process)
        let before = all.used
        #expect(before == ByteBound.sandboxFrames.bytes && process.used == before)
        let one = all.socket(of: SocketHolder(visitor: "a")), two = all.socket(of: SocketHolder(visitor: "a"))
        #expect(one.reserve(5 * Self.mebibyte) && two.reserve(3 * Self.mebibyte), "an eighth for a visitor")
        #expect(!one.reserve(Self.mebibyte) && !two.reserve(SocketMemory.own))
        let other = all.socket(of: SocketHolder(visitor: "b"))
        #expect(other.reserve(8 * Self.mebibyte))
        for visitor in ["c", nil] {
            let late = all.socket(of: SocketHolder(visitor: visitor))
            #expect(!late.reserve(Self.mebibyte), "a quarter for all unknown ones")
            #expect(late.reserve(SocketMemory.own), "a short message goes on")
            #expect(!late.reserve(1))
        }
        let known = all.socket(of: SocketHolder(customer: "multi/c", visitor: "a"))
        #expect(known.reserve(8 * Self.mebibyte) && !known.reserve(1))
        #expect(process.used == before + 24 * Self.mebibyte)
        withExtendedLifetime((one, two, other)) {}
    }

    @Test func whatASocketHeldIsGivenBackWithIt() {
        let all = SandboxMemory(within: ByteCounter(limit: 256 << 20)), before = all.used
        for _ in 0..<100 { #expect(all.socket(of: SocketHolder(visitor: "a")).reserve(8 * Self.mebibyte)) }
        #expect(all.used == before)
    }

    // MARK: Large events

    @Test func largeEventsOfOneVisitorPushOutNobodyElses() throws {
        let all = SandboxMemory(within: ByteCounter(limit: 256 << 20)), before = all.used
        let events = LargeEvents(environment: TestEnvironment().environment, brand: 1)
        func keep(_ owner: Int, _ visitor: String, _ memory: SocketMemory) -> String? {
            let body = [UInt8](repeating: UInt8(owner), count: Self.mebibyte)
            return events.storeEvent(body, of: owner, SocketHolder(visitor: visitor), in: memory, base: "")
        }
        func isKept(_ url: String?) -> Bool {
            url.flatMap { events.body(String($0.split(separator: "/").last ?? "")) } != nil
        }
        let sockets = ["a", "b", "b"].map { all.socket(of: SocketHolder(visitor: $0)) }
        let other = keep(0, "a", sockets[0]), first = keep(1, "b", sockets[1])
        let urls = (0..<200).map { _ in keep(2, "b", sockets[2]) }
        #expect(urls.allSatisfy { $0 != nil } && isKept(urls[199]) && !isKept(urls[0]))
        #expect(isKept(other) && isKept(first), "a client's own are dropped first")
        #expect(events.byteCount == 9 * Self.mebibyte && all.used == before + events.byteCount)
        events.forget(2)
        #expect(events.byteCount == 2 * Self.mebibyte)
        // Where the unknown ones together have no room, the oldest of them gives way.
        let third = all.socket(of: SocketHolder(visitor: "c")), fourth = all.socket(of: SocketHolder(visitor: "d"))
        for _ in 0..<8 { #expect(isKept(keep(3, "c", third))) }
        for _ in 0..<7 { #expect(isKept(keep(4, "d", fourth))) }
        #expect(!isKept(other) && events.byteCount == 16 * Self.mebibyte)
        // And without any, there is no room.
        for owner in 0...4 { events.forget(owner) }
        #expect(fourth.reserve(8 * Self.mebibyte) && keep(4, "d", fourth) == nil)
    }

    // MARK: Sockets

    /// What a client does not read stands in its share, beside what its other sockets hold.
    @Test(.timeLimit(.minutes(5))) func aTextWithoutRoomClosesTheSocketWithAReason() async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        let near = ends[0]
        defer { close(near) }
        let share = ByteCounter(limit: 100_000), news = Journal<SocketNews>()
        #expect(share.reserve(90_000))
        AdoptedSocket.adopt(
            UpgradedSocket(descriptor: ends[1], early: [], peer: .unix(uid: 0)),
            on: MultiThreadedEventLoopGroup.singleton, memory: SocketMemory(within: share)
        ) { socket in
            socket.send(text: [UInt8](repeating: UInt8(ascii: "x"), count: 9000))
            socket.send(text: [UInt8](repeating: UInt8(ascii: "y"), count: 2000))
            socket.flush()
        } tell: {
            news.add($0)
        }
        #expect(
            await eventually {
                news.entries.contains { if case .closed(.refused(.tryAgainLater)) = $0 { true } else { false } }
            })
        let came = Mutex<[UInt8]>([])
        let isWhole = await eventually {
            var part = [UInt8](repeating: 0, count: 65536)
            let count = recv(near, &part, part.count, 0)
            let now = part.prefix(max(0, count))
            return came.withLock { bytes in
                bytes += now
                return bytes.count >= 4 + 9000 + 4
            }
        }
        #expect(isWhole)
        let bytes = came.withLock { $0 }
        #expect(Array(bytes.prefix(4)) == [0x81, 126, UInt8(9000 >> 8), UInt8(9000 & 255)])
        let end = bytes.dropFirst(4 + 9000)
        #expect(end.first == 0x88 && Array(end.dropFirst(2).prefix(2)) == [0x03, 0xF5])
        #expect(await eventually { share.used == 90_000 })
    }

    @Test func aLiveEventWithoutRoomIsLost() {
        let share = ByteCounter(limit: 10_000), inbox = SessionInbox(memory: SocketMemory(within: share))
        let origin = PushOrigin(brandID: 1, channelID: "c")
        let typing = PushEvent.senderTypingEnded(
            SenderTyping(origin: origin, thread: ThreadReference(id: "t", name: ""), agent: nil))
        for _ in 0..<10 { inbox.put(live: .push(typing, byteCount: 3000)) }
        #expect(share.used == 3 * 3256)
        inbox.took(.push(typing, byteCount: 3000))
        #expect(share.used == 2 * 3256)
    }

    // MARK: Turns

    private func upload(_ scene: Scene, of holder: Holder = .nobody, visitor: String? = nil) async throws -> Int {
        let face = try scene.face("multi")
        let file = AttachmentUpload(content: Array("content".utf8), fileName: "a.txt", mimeType: "text/plain")
        let request = HTTPRequest(
            method: "POST", target: "/chat/1.0/brand/1/channel/\(face.id)/attachment",
            headers: [("Host", "localhost")], body: file.encoded())
        return await scene.sandbox.upload(
            to: face.id, brand: "\(scene.sandbox.brandID)", request, of: holder, visitor: visitor
        ).status
    }

    @Test func oneVisitorsUploadsHoldUpNoOthers() async throws {
        try await Scene.run { scene in
            let line = scene.sandbox.visitorsFileLine
            try await line.enter(.named("a"))
            let waiting = (0..<7).map { _ in Task { try await self.upload(scene, visitor: "a") } }
            try #require(await eventually { line.counts.waiting == 7 })
            #expect(try await upload(scene, visitor: "b") == 200)
            line.leave(.named("a"))
            for one in waiting { #expect(try await one.value == 200) }
        }
    }

    /// However many names they invent.
    @Test func visitorsUploadsHoldUpNoKnownSender() async throws {
        try await Scene.run { scene in
            let (files, visitors) = (scene.sandbox.fileLine, scene.sandbox.visitorsFileLine)
            // The strangers' only place.
            try await files.enter(.nobody)
            let count = 20
            let waiting = (0..<count).map { visitor in
                Task { try await self.upload(scene, visitor: "\(visitor)") }
            }
            try #require(await eventually { visitors.counts.running + visitors.counts.waiting == count })
            try #require(await eventually { files.counts.waiting == visitors.counts.running })
            #expect(try await upload(scene, of: .named("customer:ada")) == 200)
            files.leave(.nobody)
            for one in waiting { #expect(try await one.value == 200) }
        }
    }

    /// A client that has many frames done takes turns with the others.
    @Test func framesAreDoneInTurns() async throws {
        try await Scene.run { scene in
            let line = scene.sandbox.frameLine, busy = Holder.named("visitor:v")
            let ada = try await scene.client("ada"), bob = try await scene.client("bob", visitor: "w")
            for _ in 0..<Sandbox.framesAtATime / 8 { try await line.enter(busy) }
            ada.say(#"{"action":"heartbeat"}"#)
            try #require(await eventually { line.counts.waiting == 1 })
            _ = try await bob.ask(bob.text("Hello", id: "m", in: "t"))
            #expect(line.counts.waiting == 1)
            for _ in 0..<Sandbox.framesAtATime / 8 { line.leave(busy) }
            #expect(await eventually { line.counts == (0, 0) })
        }
    }
}
