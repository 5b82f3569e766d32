import MicroHTTP
import NIOCore
import NIOPosix
import NIOWebSocket
import Synchronization

/// A connection that has left HTTP, spoken to by NIO.
final class AdoptedSocket: SandboxSocket {
    private let channel: any Channel
    private let handler: NIOLoopBound<(WebSocketMessages, ChannelHandlerContext)>
    private let pending = Atomic<Int>(0)

    private init(_ channel: any Channel, _ handler: NIOLoopBound<(WebSocketMessages, ChannelHandlerContext)>) {
        self.channel = channel
        self.handler = handler
    }

    /// Takes a socket over. The session begins before anything of it is read.
    ///
    /// - Parameter begin: called with the socket on its loop; what it returns is told what comes.
    static func adopt(
        _ socket: UpgradedSocket, on group: any EventLoopGroup,
        begin: @escaping @Sendable (AdoptedSocket) -> Void, tell: @escaping @Sendable (SocketNews) -> Void
    ) {
        var bootstrap = ClientBootstrap(group: group).channelOption(.autoRead, value: false)
        if case .tcp = socket.peer { bootstrap = bootstrap.channelOption(.tcpOption(.tcp_nodelay), value: 1) }
        let early = socket.early
        bootstrap.channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandlers([
                    WebSocketFrameEncoder(), ByteToMessageHandler(WebSocketFrameDecoder(maxFrameSize: WebSocketMessages.limit)),
                    WebSocketMessages(tell: tell),
                ])
            }
        }.withConnectedSocket(socket.descriptor).whenComplete { result in
            guard case .success(let channel) = result else { return tell(.closed(.client)) }
            // On the channel's loop already.
            guard let handler = try? channel.pipeline.syncOperations.handler(type: WebSocketMessages.self),
                  let context = try? channel.pipeline.syncOperations.context(handlerType: WebSocketMessages.self) else {
                return tell(.closed(.client))
            }
            begin(AdoptedSocket(channel, NIOLoopBound((handler, context), eventLoop: channel.eventLoop)))
            if !early.isEmpty { channel.pipeline.syncOperations.fireChannelRead(NIOAny(ByteBuffer(bytes: early))) }
            handler.readOn(context)
        }
    }

    var backlog: Int { pending.load(ordering: .relaxed) }

    func send(text: [UInt8]) {
        let count = text.count
        pending.add(count, ordering: .relaxed)
        channel.writeAndFlush(WebSocketOutput.text(text)).whenComplete { [self] _ in
            pending.subtract(count, ordering: .relaxed)
        }
    }

    func ping() { channel.writeAndFlush(WebSocketOutput.ping, promise: nil) }

    func close(_ code: CloseCode) { channel.writeAndFlush(WebSocketOutput.close(code), promise: nil) }

    func abort() { channel.close(promise: nil) }

    func handled() {
        channel.eventLoop.execute { [handler] in
            let (messages, context) = handler.value
            messages.handled(context)
        }
    }
}
