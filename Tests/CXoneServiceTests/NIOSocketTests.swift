@testable import CXoneService
import HTTPClientPort
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import TestSupport
import Testing

/// The WebSocket over real sockets, on this machine.
@Suite(.timeLimit(.minutes(5))) struct NIOSocketTests {
    /// A server whose answer to a text is up to the test. Returns its port.
    private func withServer(
        _ answer: @escaping @Sendable (String, any Channel) -> Void, _ body: (Int) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                let upgrader = NIOWebSocketServerUpgrader(
                    shouldUpgrade: { channel, head in
                        channel.eventLoop.makeSucceededFuture(head.uri.hasPrefix("/no") ? nil : HTTPHeaders())
                    },
                    upgradePipelineHandler: { channel, _ in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(ServerTexts(answer: answer))
                        }
                    })
                return channel.pipeline.configureHTTPServerPipeline(
                    withServerUpgrade: (upgraders: [upgrader], completionHandler: { _ in }))
            }
            .bind(host: "127.0.0.1", port: 0).get()
        do {
            try await body(server.localAddress?.port ?? 0)
        } catch {
            try? await server.close()
            try? await group.shutdownGracefully()
            throw error
        }
        try await server.close()
        try await group.shutdownGracefully()
    }

    private static func send(_ opcode: WebSocketOpcode, _ text: String, on channel: any Channel, fin: Bool = true) {
        channel.writeAndFlush(
            WebSocketFrame(fin: fin, opcode: opcode, data: channel.allocator.buffer(string: text)), promise: nil)
    }

    private func first(_ socket: any Socket) async -> String? {
        for await text in socket.texts { return String(decoding: text, as: UTF8.self) }
        return nil
    }

    @Test func textsGoBothWays() async throws {
        try await withServer({ Self.send(.text, "you said \($0)", on: $1) }) { port in
            let socket = try await NIOSocketPort(judge: { $0.addresses }).open("ws://127.0.0.1:\(port)?brandId=1")
            try await socket.send(Array("hello".utf8))
            #expect(await first(socket) == "you said hello")
            await socket.close()
            await #expect(throws: SocketClosed.self) { try await socket.send([1]) }
        }
    }

    /// The judge sees what the name means now, and the connection goes to what it returns and nowhere else.
    @Test func aConnectionGoesWhereTheJudgeAllows() async throws {
        try await withServer({ Self.send(.text, $0, on: $1) }) { port in
            let here = try #require(NetworkAddress("127.0.0.1")), nobody = try #require(NetworkAddress("127.0.0.8"))
            let seen = Journal<ConnectionTarget>()
            let sockets = NIOSocketPort(judge: { target in
                seen.add(target)
                return [nobody, here]
            })
            let socket = try await sockets.open("ws://localhost:\(port)/socket")
            try await socket.send(Array("hello".utf8))
            #expect(await first(socket) == "hello")
            await socket.close()
            #expect(
                seen.entries.map(\.host) == ["localhost"] && seen.entries[0].scheme == "http"
                    && seen.entries[0].port == port)
            #expect(seen.entries[0].addresses.contains(here))
            for url in ["ws://localhost:\(port)/", "ws://127.0.0.1:\(port)/"] {
                await #expect(throws: AddressRefusal("no")) {
                    try await NIOSocketPort(judge: { _ in throw AddressRefusal("no") }).open(url)
                }
            }
        }
    }

    @Test func fragmentsAreOneText() async throws {
        try await withServer({ text, channel in
            Self.send(.text, "one ", on: channel, fin: false)
            Self.send(.ping, "", on: channel)
            Self.send(.continuation, "two", on: channel)
        }) { port in
            let socket = try await NIOSocketPort(judge: { $0.addresses }).open(
                "ws://127.0.0.1:\(port)/socket?brandId=1")
            try await socket.send([65])
            #expect(await first(socket) == "one two")
            await socket.close()
        }
    }

    @Test func aTextOverOneMebibyteEndsTheSocket() async throws {
        try await withServer({ text, channel in
            Self.send(.text, String(repeating: "x", count: 900_000), on: channel, fin: false)
            Self.send(.continuation, String(repeating: "x", count: 900_000), on: channel)
        }) { port in
            let socket = try await NIOSocketPort(judge: { $0.addresses }).open("ws://127.0.0.1:\(port)")
            try await socket.send([65])
            #expect(await first(socket) == nil)
        }
    }

    /// What a platform could send, and what the log says of it.
    static let breaches: [(String, @Sendable (any Channel) -> Void, String)] = [
        ("binary", { send(.binary, "x", on: $0) }, "1003"),
        ("a fragment of nothing", { send(.continuation, "x", on: $0) }, "1002"),
        (
            "a text in a text",
            {
                send(.text, "x", on: $0, fin: false); send(.text, "y", on: $0)
            }, "1002"
        ),
        (
            "bad UTF-8",
            { channel in
                channel.writeAndFlush(WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: [0xFF])))
                    .whenComplete { _ in }
            }, "1007"
        ),
        (
            "masked",
            { channel in
                channel.writeAndFlush(
                    WebSocketFrame(fin: true, opcode: .text, maskKey: [1, 2, 3, 4], data: ByteBuffer(string: "x")),
                    promise: nil)
            }, "1002"
        ),
        (
            "a reserved bit",
            { channel in
                channel.writeAndFlush(
                    WebSocketFrame(fin: true, rsv1: true, opcode: .text, data: ByteBuffer(string: "x")), promise: nil)
            }, "1002"
        ),
        (
            "too large in pieces",
            { channel in
                let half = String(repeating: "x", count: 600_000)
                send(.text, half, on: channel, fin: false)
                send(.continuation, half, on: channel)
            }, "1009"
        ),
    ]

    @Test("A platform that breaks the protocol is told how, and its kind is noticed", arguments: breaches.indices)
    func breach(_ index: Int) async throws {
        let (name, break_, code) = Self.breaches[index]
        let notices = Journal<String>(), codes = Journal<String>()
        try await withServer({ text, channel in text == "go" ? break_(channel) : codes.add(text) }) { port in
            let socket = try await NIOSocketPort(judge: { $0.addresses }, notice: { notices.add($0) }).open(
                "ws://127.0.0.1:\(port)")
            try await socket.send(Array("go".utf8))
            #expect(await first(socket) == nil)
            #expect(await eventually { codes.entries == ["closed \(code)"] }, "\(name)")
            #expect(
                notices.entries.count == 1 && notices.entries.allSatisfy { $0.contains("WebSocket protocol") },
                "\(name)")
        }
    }

    @Test(arguments: ["/no", ""])
    func whoDoesNotUpgradeIsRefused(_ path: String) async throws {
        try await withServer({ _, _ in }) { port in
            let url = path.isEmpty ? "http://127.0.0.1:\(port)" : "ws://127.0.0.1:\(port)\(path)"
            await #expect(throws: (any Error).self) { try await NIOSocketPort(judge: { $0.addresses }).open(url) }
        }
    }

    // MARK: Bounds

    @Test("What nobody handles is not read: the rest waits at the platform")
    func whatNobodyHandlesIsNotRead() async throws {
        let text = String(repeating: "x", count: 64 << 10), count = 320
        try await withServer({ _, channel in for _ in 0..<count { Self.send(.text, text, on: channel) } }) { port in
            let loop = MultiThreadedEventLoopGroup.singleton.next()
            let socket = try await NIOSocketPort(judge: { $0.addresses }, group: loop).open("ws://127.0.0.1:\(port)")
            try await socket.send(Array("go".utf8))
            var texts = socket.texts.makeAsyncIterator(), received = 0, unhandled = 0
            let nio = try #require(socket as? NIOSocket)
            while nio.mayRead || unhandled < NIOSocket.limit {
                received += try #require(await texts.next()).count
                unhandled = received
            }
            // One read of the kernel's may hold some more texts. A loop that reads on does so in each of its turns.
            for _ in 0..<200 { try await loop.submit {}.get() }
            #expect(nio.waitingBytes < NIOSocket.limit + (4 << 20))
            for _ in 0..<(received / text.utf8.count) { socket.handled(text.utf8.count) }
            while received < count * text.utf8.count {
                let next = try #require(await texts.next())
                received += next.count
                socket.handled(next.count)
            }
            await socket.close()
        }
    }

    @Test("The channel is not read while too much waits, and is when there is room again")
    func theChannelIsReadWhenThereIsRoom() async throws {
        try await withServer({ _, _ in }) { port in
            let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .connect(host: "127.0.0.1", port: port).get()
            let socket = NIOSocket(channel: channel)
            let counts = try await channel.eventLoop.submit { () -> [Int] in
                let reads = ReadCounter(), pipeline = channel.pipeline.syncOperations
                try pipeline.addHandlers(reads, WebSocketTexts(socket: socket, notice: { _ in }))
                let text = ByteBuffer(repeating: UInt8(ascii: "x"), count: 64 << 10)
                while socket.mayRead {
                    channel.read()
                    pipeline.fireChannelRead(NIOAny(WebSocketFrame(fin: true, opcode: .text, data: text)))
                }
                let full = reads.count
                channel.read()
                let refused = reads.count
                for _ in 0..<2 { socket.handled(text.readableBytes) }
                return [full, refused, reads.count]
            }.get()
            #expect(counts[0] > 1 && counts == [counts[0], counts[0], counts[0] + 1])
            try await channel.close()
        }
    }

    @Test("A platform that reads nothing is left, and who sends to it does not wait")
    func aPlatformThatReadsNothingIsLeft() async throws {
        try await withServer({ _, channel in _ = channel.setOption(.autoRead, value: false) }) { port in
            let socket = try await NIOSocketPort(judge: { $0.addresses }).open("ws://127.0.0.1:\(port)")
            let text = Array(repeating: UInt8(ascii: "x"), count: 64 << 10)
            var sent = 0
            do {
                while sent < 256 << 20 {
                    try await socket.send(text)
                    sent += text.count
                }
                Issue.record("the socket takes everything")
            } catch {
                #expect(error is SocketClosed)
            }
            for await _ in socket.texts {}
        }
    }

    @Test("A close does not wait for a platform that reads nothing") func aCloseDoesNotWait() async throws {
        try await withServer({ _, channel in _ = channel.setOption(.autoRead, value: false) }) { port in
            let socket = try await NIOSocketPort(judge: { $0.addresses }).open("ws://127.0.0.1:\(port)")
            let text = Array(repeating: UInt8(ascii: "x"), count: 64 << 10)
            for _ in 0..<30 { try await socket.send(text) }
            await socket.close()
            await #expect(throws: SocketClosed.self) { try await socket.send([1]) }
            for await _ in socket.texts {}
        }
    }

    @Test func aSocketThatTheServerClosesEnds() async throws {
        try await withServer({
            Self.send(.connectionClose, "", on: $1); _ = $0
        }) { port in
            let socket = try await NIOSocketPort(judge: { $0.addresses }).open("ws://127.0.0.1:\(port)")
            try await socket.send([65])
            #expect(await first(socket) == nil)
        }
    }
}

/// Counts what gets through to the channel.
private final class ReadCounter: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private(set) var count = 0

    func read(context: ChannelHandlerContext) {
        count += 1
        context.read()
    }
}

private final class ServerTexts: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    let answer: @Sendable (String, any Channel) -> Void

    init(answer: @escaping @Sendable (String, any Channel) -> Void) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.opcode == .connectionClose {
            var data = frame.unmaskedData
            if let code = data.readInteger(as: UInt16.self) { answer("closed \(code)", context.channel) }
            return context.close(promise: nil)
        }
        guard frame.opcode == .text else { return }
        answer(String(buffer: frame.unmaskedData), context.channel)
    }
}
