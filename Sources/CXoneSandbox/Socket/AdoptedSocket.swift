import MicroHTTP
import NIOCore
import NIOPosix
import NIOWebSocket
import Synchronization

/// A connection that was upgraded from HTTP and handed over by the server, on a channel of SwiftNIO.
final class AdoptedSocket: SandboxSocket {
    private let channel: any Channel
    private let handler: NIOLoopBound<(WebSocketMessages, ChannelHandlerContext)>
    private let memory: SocketMemory
    private let tell: @Sendable (SocketNews) -> Void
    /// Bytes of texts that the kernel has not taken yet, with ``overhead`` for each text.
    private let pending = Atomic<Int>(0)

    /// What a text costs beside its bytes, so that many small ones count too.
    private static let overhead = 256

    private init(
        _ channel: any Channel, _ handler: NIOLoopBound<(WebSocketMessages, ChannelHandlerContext)>,
        _ memory: SocketMemory, _ tell: @escaping @Sendable (SocketNews) -> Void
    ) {
        self.channel = channel
        self.handler = handler
        self.memory = memory
        self.tell = tell
    }

    /// Takes a socket over; its descriptor is the channel's from then on. `begin` is called before anything is
    /// read, on the channel's loop.
    ///
    /// - Parameters:
    ///   - heartbeat: from one ping to the next, see ``WebSocketMessages``.
    ///   - memory: counts what the socket holds.
    ///   - begin: gets the socket; not called if taking over fails.
    ///   - tell: gets what comes, in order, on the channel's loop. A failure to take over is told as a close.
    static func adopt(
        _ socket: UpgradedSocket, on group: any EventLoopGroup, heartbeat: TimeAmount = .seconds(30),
        memory: SocketMemory, begin: @escaping @Sendable (AdoptedSocket) -> Void,
        tell: @escaping @Sendable (SocketNews) -> Void
    ) {
        var bootstrap = ClientBootstrap(group: group).channelOption(.autoRead, value: false)
        if case .tcp = socket.peer { bootstrap = bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1) }
        let early = socket.early
        bootstrap.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let bytes = UnfinishedBytes(in: memory)
                try channel.pipeline.syncOperations.addHandlers([
                    bytes, WebSocketFrameEncoder(),
                    ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketMessages.limit)),
                    WebSocketMessages(heartbeat: heartbeat, unfinished: bytes, memory: memory, tell: tell),
                ])
            }
        }.withConnectedSocket(socket.descriptor).whenComplete { result in
            guard case .success(let channel) = result else { return tell(.closed(.client)) }
            // On the channel's loop already.
            guard let handler = try? channel.pipeline.syncOperations.handler(type: WebSocketMessages.self),
                let context = try? channel.pipeline.syncOperations.context(handlerType: WebSocketMessages.self)
            else {
                return tell(.closed(.client))
            }
            let bound = NIOLoopBound((handler, context), eventLoop: channel.eventLoop)
            begin(AdoptedSocket(channel, bound, memory, tell))
            if !early.isEmpty { channel.pipeline.syncOperations.fireChannelRead(NIOAny(ByteBuffer(bytes: early))) }
            handler.readOn(context)
        }
    }

    var backlog: Int { pending.load(ordering: .relaxed) }

    func send(text: [UInt8]) {
        let cost = text.count + Self.overhead
        guard memory.reserve(cost) else {
            channel.writeAndFlush(WebSocketOutput.refusal(.tryAgainLater), promise: nil)
            return
        }
        pending.add(cost, ordering: .relaxed)
        channel.write(WebSocketOutput.text(text)).whenComplete { [self] _ in
            memory.giveBack(cost)
            let (before, now) = pending.subtract(cost, ordering: .relaxed)
            // Others wait for this one when more than the limit was found.
            let low = SandboxSession.backlogLimit / 2
            if before >= low, now < low { tell(.drained) }
        }
    }

    func flush() { channel.flush() }

    func ping() { channel.writeAndFlush(WebSocketOutput.ping, promise: nil) }

    func close(_ code: CloseCode) { channel.writeAndFlush(WebSocketOutput.close(code), promise: nil) }

    func abort() { channel.close(promise: nil) }

    func handled(_ byteCount: Int) {
        channel.eventLoop.execute { [handler] in
            let (messages, context) = handler.value
            messages.handled(byteCount, context)
        }
    }
}

/// Counts the bytes of one socket that have come since its last whole message. Stands before the decoder of frames,
/// which holds the bytes of a frame until it is whole.
package final class UnfinishedBytes: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    /// Told to the handlers behind when there is too much.
    struct TooMany: Sendable {}

    private let memory: SocketMemory
    private var count = 0
    private var isRefused = false

    package init(in memory: SocketMemory) { self.memory = memory }

    deinit { giveBack(count) }

    /// The channel is gone, and the decoder with it.
    package func handlerRemoved(context: ChannelHandlerContext) { giveBack(count) }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Of a socket that is being closed nothing more is kept.
        guard !isRefused else { return }
        let bytes = unwrapInboundIn(data).readableBytes
        guard memory.reserve(bytes) else {
            isRefused = true
            // These bytes are dropped. The decoder keeps those before them until it goes.
            return context.fireUserInboundEventTriggered(TooMany())
        }
        count += bytes
        context.fireChannelRead(data)
    }

    /// A message is whole. What has come of the next one is less than a read, and counts from the next read on.
    func finished() {
        if !isRefused { giveBack(count) }
    }

    private func giveBack(_ bytes: Int) {
        count -= bytes
        memory.giveBack(bytes)
    }
}
