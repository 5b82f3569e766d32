import CXoneService
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Testing

/// The WebSocket over real sockets, on this machine.
@Suite struct NIOSocketTests {
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
        channel.writeAndFlush(WebSocketFrame(fin: fin, opcode: opcode, data: channel.allocator.buffer(string: text)), promise: nil)
    }

    private func first(_ socket: any Socket) async -> String? {
        for await text in socket.texts { return String(decoding: text, as: UTF8.self) }
        return nil
    }

    @Test func textsGoBothWays() async throws {
        try await withServer({ Self.send(.text, "you said \($0)", on: $1) }) { port in
            let socket = try await NIOSocketPort().open("ws://127.0.0.1:\(port)?brandId=1")
            try await socket.send(Array("hello".utf8))
            #expect(await first(socket) == "you said hello")
            await socket.close()
            await #expect(throws: SocketClosed.self) { try await socket.send([1]) }
        }
    }

    @Test func fragmentsAreOneText() async throws {
        try await withServer({ text, channel in
            Self.send(.text, "one ", on: channel, fin: false)
            Self.send(.ping, "", on: channel)
            Self.send(.continuation, "two", on: channel)
        }) { port in
            let socket = try await NIOSocketPort().open("ws://127.0.0.1:\(port)/socket?brandId=1")
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
            let socket = try await NIOSocketPort().open("ws://127.0.0.1:\(port)")
            try await socket.send([65])
            #expect(await first(socket) == nil)
        }
    }

    @Test(arguments: ["/no", ""])
    func whoDoesNotUpgradeIsRefused(_ path: String) async throws {
        try await withServer({ _, _ in }) { port in
            let url = path.isEmpty ? "http://127.0.0.1:\(port)" : "ws://127.0.0.1:\(port)\(path)"
            await #expect(throws: (any Error).self) { try await NIOSocketPort().open(url) }
        }
    }

    @Test func aSocketThatTheServerClosesEnds() async throws {
        try await withServer({ Self.send(.connectionClose, "", on: $1); _ = $0 }) { port in
            let socket = try await NIOSocketPort().open("ws://127.0.0.1:\(port)")
            try await socket.send([65])
            #expect(await first(socket) == nil)
        }
    }
}

private final class ServerTexts: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame

    let answer: @Sendable (String, any Channel) -> Void

    init(answer: @escaping @Sendable (String, any Channel) -> Void) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        if frame.opcode == .connectionClose { return context.close(promise: nil) }
        guard frame.opcode == .text else { return }
        answer(String(buffer: frame.unmaskedData), context.channel)
    }
}
