import NIOCore
import NIOPosix
import NIOSSL
import Synchronization

/// Answers each request on a real socket with what it is told, and keeps the requests.
final class EchoServer: Sendable {
    let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let received: Received

    final class Received: Sendable {
        let requests = Mutex<[String]>([])
        let opened = Atomic<Int>(0)
    }

    /// - Parameters:
    ///   - host: the address to listen on.
    ///   - answer: bytes that are sent to each request; none hangs.
    ///   - byteCount: the answer waits for so many bytes on its connection. Who is answered before the end of its
    ///     request may stop sending it.
    ///   - tls: nil: the server speaks without TLS.
    init(
        host: String = "127.0.0.1", answer: String, after byteCount: Int = 1, tls: TLSConfiguration? = nil
    ) async throws {
        let received = Received()
        self.received = received
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let context = try tls.map { try NIOSSLContext(configuration: $0) }
        let listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    if let context {
                        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    }
                    try channel.pipeline.syncOperations.addHandler(AnswerHandler(answer, after: byteCount, received))
                }
            }
            .bind(host: host, port: 0).get()
        port = listener.localAddress?.port ?? 0
    }

    var requests: [String] { received.requests.withLock { $0 } }
    var openedCount: Int { received.opened.load(ordering: .relaxed) }

    func stop() async { try? await group.shutdownGracefully() }
}

private final class AnswerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let answer: String
    private var missing: Int
    private let received: EchoServer.Received

    init(_ answer: String, after byteCount: Int, _ received: EchoServer.Received) {
        self.answer = answer
        missing = byteCount
        self.received = received
    }

    func channelActive(context: ChannelHandlerContext) { received.opened.add(1, ordering: .relaxed) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let text = String(buffer: unwrapInboundIn(data))
        received.requests.withLock { $0.append(text) }
        missing -= text.utf8.count
        guard !answer.isEmpty, missing <= 0 else { return }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: answer)), promise: nil)
    }
}
