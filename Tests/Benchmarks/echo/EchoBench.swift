import Foundation
import NIOCore
import NIOPosix
import NIOWebSocket
import Synchronization

/// Measures a bare WebSocket server of SwiftNIO and its clients, in one process: frames of a message's trip and no
/// more.
///
///     echo-bench CLIENTS SECONDS
///
/// Each client sends its next frame when its last one is answered. The handshake is left out. Prints one line of JSON.
@main enum EchoBench {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let clients = Int(arguments[1]), clients > 0, let seconds = Double(arguments[2])
        else {
            FileHandle.standardError.write(Data("usage: echo-bench CLIENTS SECONDS\n".utf8))
            exit(2)
        }
        let frames = Frames()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: System.coreCount)
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 4096)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.addWebSocket(Answerer(answer: frames.answer))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let address = server.localAddress else { exit(2) }
        var tallies: [Tally] = [], channels: [any Channel] = []
        for _ in 0..<clients {
            let tally = Tally()
            channels.append(
                try await ClientBootstrap(group: group)
                    .channelOption(.tcpOption(.tcp_nodelay), value: 1)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.addWebSocket(Asker(question: frames.question, tally: tally))
                        }
                    }
                    .connect(to: address).get())
            tallies.append(tally)
        }
        // Not before all are there: those that ask already would keep the loops from the others.
        for channel in channels { channel.pipeline.fireUserInboundEventTriggered(Begin()) }
        try await Task.sleep(for: .milliseconds(500))  // to warm up
        let (begin, before) = (ContinuousClock.now, tallies.total)
        try await Task.sleep(for: .milliseconds(Int(seconds * 1000)))
        let (time, count) = (ContinuousClock.now - begin, tallies.total - before)
        let elapsed = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        print(
            """
            {"messages":\(count),"seconds":\(elapsed),"rate":\(Double(count) / elapsed),\
            "question":\(frames.question.count),"answer":\(frames.answer.count)}
            """)
        exit(0)
    }
}

/// What one client has got back.
private final class Tally: Sendable {
    let count = Atomic<Int>(0)
}

/// Says to a client that it may ask.
private struct Begin {}

extension [Tally] {
    fileprivate var total: Int { reduce(0) { $0 + $1.count.load(ordering: .relaxed) } }
}

extension ChannelPipeline {
    fileprivate func addWebSocket(_ handler: some ChannelHandler) throws {
        try syncOperations.addHandlers([
            WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: 1 << 20)), handler,
        ])
    }
}

private final class Answerer: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    private let answer: ByteBuffer

    init(answer: [UInt8]) { self.answer = ByteBuffer(bytes: answer) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard unwrapInboundIn(data).unmaskedData.readableBytes > 0 else { return }
        context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: answer)), promise: nil)
    }
}

private final class Asker: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame
    private let question: ByteBuffer
    private let tally: Tally

    init(question: [UInt8], tally: Tally) {
        self.question = ByteBuffer(bytes: question)
        self.tally = tally
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is Begin { ask(context) } else { context.fireUserInboundEventTriggered(event) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard unwrapInboundIn(data).unmaskedData.readableBytes > 0 else { return }
        tally.count.add(1, ordering: .relaxed)
        ask(context)
    }

    private func ask(_ context: ChannelHandlerContext) {
        context.writeAndFlush(
            wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, maskKey: .random(), data: question)), promise: nil)
    }
}
