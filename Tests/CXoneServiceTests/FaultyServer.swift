import NIOCore
import NIOPosix
import Synchronization

/// A server on a real socket that does something wrong with each connection.
final class FaultyServer: Sendable {
    enum Fault: String, CaseIterable, Sendable {
        /// Nobody listens.
        case refused
        /// Takes the request, and says nothing.
        case hung
        /// A byte of the head now and then, for ever.
        case drippingHead
        /// A byte of the body now and then, for ever.
        case drippingBody
        /// A body without an end, as fast as it is read.
        case endless
        /// Closes its side at once, and takes nothing.
        case closed
        /// Half of the body that it announces.
        case truncated
        case garbage
        /// To itself.
        case redirect
        case failure
    }

    let fault: Fault
    let port: Int
    private let group: MultiThreadedEventLoopGroup
    private let listener: any Channel
    private let counts: Counts

    /// Connections that were opened, those that are open now, requests that came, and bytes of endless bodies that
    /// went.
    final class Counts: Sendable {
        let opened = Atomic<Int>(0), open = Atomic<Int>(0), requests = Atomic<Int>(0), sent = Atomic<Int>(0)
    }

    init(_ fault: Fault) async throws {
        self.fault = fault
        let counts = Counts()
        self.counts = counts
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        listener = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(FaultHandler(fault, counts))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        port = listener.localAddress?.port ?? 0
        if fault == .refused { try await listener.close() }
    }

    var openedCount: Int { counts.opened.load(ordering: .relaxed) }
    var openCount: Int { counts.open.load(ordering: .relaxed) }
    var requestCount: Int { counts.requests.load(ordering: .relaxed) }
    /// What the kernel has taken.
    var sentByteCount: Int { counts.sent.load(ordering: .relaxed) }

    /// Returns when the loops of this process and then the server's have had a turn: who reads has read, and what could be
    /// written was written.
    func turn() async throws {
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() { try await loop.submit {}.get() }
        try await group.next().submit {}.get()
    }

    func stop() async { try? await group.shutdownGracefully() }
}

private final class FaultHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let fault: FaultyServer.Fault
    private let counts: FaultyServer.Counts
    private var hasBegun = false
    private var drip: RepeatedTask?

    init(_ fault: FaultyServer.Fault, _ counts: FaultyServer.Counts) {
        self.fault = fault
        self.counts = counts
    }

    func channelActive(context: ChannelHandlerContext) {
        counts.opened.add(1, ordering: .relaxed)
        counts.open.add(1, ordering: .relaxed)
        if fault == .closed { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        drip?.cancel()
        counts.open.subtract(1, ordering: .relaxed)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // The first bytes of a request; its body, which may come by itself, is of no interest.
        guard !hasBegun, String(buffer: unwrapInboundIn(data)).contains(" HTTP/1.1\r\n") else { return }
        hasBegun = true
        counts.requests.add(1, ordering: .relaxed)
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        switch fault {
        case .refused, .hung, .closed: break
        case .drippingHead: drip("HTTP/1.1 200 OK\r\nX-Long: ", context)
        case .drippingBody: drip(head + "Content-Length: 1000000\r\n\r\n", context)
        case .endless:
            send(head + "Transfer-Encoding: chunked\r\n\r\n", context)
            more(context)
        case .truncated:
            send(head + "Content-Length: 1000\r\n\r\n{\"half\":", context)
            context.close(promise: nil)
        case .garbage:
            send("\u{1}\u{2} no HTTP at all \r\n\r\n\r\n", context)
            context.close(promise: nil)
        case .redirect:
            let port = context.localAddress?.port ?? 0
            send("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/again\r\nContent-Length: 0\r\n\r\n", context)
            hasBegun = false
        case .failure:
            send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n", context)
            hasBegun = false
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func send(_ text: String, _ context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text)), promise: nil)
    }

    private func drip(_ start: String, _ context: ChannelHandlerContext) {
        send(start, context)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        drip = context.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(5), delay: .milliseconds(5)) { _ in
            let (handler, context) = bound.value
            handler.send("x", context)
        }
    }

    private func more(_ context: ChannelHandlerContext) {
        let chunk = "10000\r\n" + String(repeating: "x", count: 0x10000) + "\r\n"
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenSuccess {
            self.counts.sent.add(0x10000, ordering: .relaxed)
            self.more(context)
        }
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: chunk)), promise: written)
    }
}
