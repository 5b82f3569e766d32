import CXoneWire
import NIOCore
import NIOWebSocket
import Synchronization

/// A ``Socket`` on a channel of SwiftNIO. Its methods may be called from any task; `received` and `ended` are
/// called on the channel's loop. When the last reference goes, the channel is closed.
final class NIOSocket: Socket {
    let texts: AsyncStream<[UInt8]>
    private let feed: AsyncStream<[UInt8]>.Continuation
    private let channel: any Channel
    /// Cost of the texts that were received and not handled yet, in bytes.
    private let waiting = Atomic<Int>(0)
    /// Cost of the texts that were sent and that the kernel has not taken yet, in bytes.
    private let outgoing = Atomic<Int>(0)
    private let isClosed = Atomic<Bool>(false)

    /// The most bytes that wait in each direction. On receipt one text more may be held, because its size is known
    /// only when it is there.
    static let limit = 2 * WireLimit.frame
    /// Added to the size of each text, so that many small texts count as well.
    private static let overhead = 256
    /// How long the close frame may take.
    private static let closingPatience = TimeAmount.seconds(1)

    init(channel: any Channel) {
        self.channel = channel
        (texts, feed) = AsyncStream.makeStream()
    }

    deinit { channel.close(promise: nil) }

    func send(_ text: [UInt8]) async throws {
        guard !isClosed.load(ordering: .relaxed), channel.isActive else { throw SocketClosed() }
        let cost = text.count + Self.overhead
        guard outgoing.add(cost, ordering: .relaxed).newValue <= Self.limit else {
            // The platform does not read. Nothing of what waits is of use to it.
            isClosed.store(true, ordering: .relaxed)
            channel.close(promise: nil)
            throw SocketClosed()
        }
        write(.text, channel.allocator.buffer(bytes: text)).whenComplete { [weak self] _ in
            self?.outgoing.subtract(cost, ordering: .relaxed)
        }
    }

    func close() async {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        var code = ByteBuffer()
        code.write(webSocketErrorCode: .goingAway)
        write(.connectionClose, code).whenComplete { [channel] _ in channel.close(promise: nil) }
        // A platform that reads nothing does not take the close frame either.
        channel.eventLoop.scheduleTask(in: Self.closingPatience) { [channel] in channel.close(promise: nil) }
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) -> EventLoopFuture<Void> {
        channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data))
    }

    // MARK: What comes

    /// The texts' cost that waits for ``handled(_:)``.
    var waitingBytes: Int { waiting.load(ordering: .relaxed) }
    /// Whether the channel may read more. When it turns true again, ``handled(_:)`` asks the channel to read.
    var mayRead: Bool { waitingBytes < Self.limit }

    func handled(_ byteCount: Int) {
        let cost = byteCount + Self.overhead
        let (before, now) = waiting.subtract(cost, ordering: .relaxed)
        if before >= Self.limit, now < Self.limit { channel.read() }
    }

    /// A whole text came; on the channel's loop.
    func received(_ text: [UInt8]) {
        waiting.add(text.count + Self.overhead, ordering: .relaxed)
        feed.yield(text)
    }

    /// The channel is closed; on its loop. Ends the stream of texts.
    func ended() {
        isClosed.store(true, ordering: .relaxed)
        feed.finish()
    }
}

/// The client's side of RFC 6455 above the frames. It joins fragments to texts, answers pings, and closes a socket
/// that breaks the protocol with the fitting code. It lets the channel read only while the socket has room.
final class WebSocketTexts: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = Never
    typealias OutboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Weak: the handler lives as long as the channel, and the socket's holder may have dropped the socket before.
    private weak let socket: NIOSocket?
    private let notice: @Sendable (String) -> Void
    private var message: [UInt8] = []
    private var isInMessage = false
    private var hasFailed = false
    private var pongs = PongQueue<ByteBuffer>()

    init(socket: NIOSocket, notice: @escaping @Sendable (String) -> Void) {
        self.socket = socket
        self.notice = notice
    }

    func read(context: ChannelHandlerContext) {
        // Otherwise the socket asks again when it has room.
        if socket?.mayRead ?? true { context.read() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        guard !hasFailed else { return }
        // Servers mask nothing, and no extension was agreed upon.
        guard frame.maskKey == nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(.protocolError, context) }
        switch frame.opcode {
        case .text:
            guard !isInMessage else { return fail(.protocolError, context) }
            message = []
            receive(frame, context)
        case .continuation:
            guard isInMessage else { return fail(.protocolError, context) }
            receive(frame, context)
        case .ping:
            if let data = pongs.begin(frame.unmaskedData) { pong(data, context) }
        case .pong: break
        case .connectionClose:
            let close = WebSocketFrame(
                fin: true, opcode: .connectionClose, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(close), promise: nil)
            context.close(promise: nil)
        case .binary: fail(.unacceptableData, context)
        default: fail(.protocolError, context)
        }
    }

    private func pong(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(pong)).assumeIsolated().whenComplete { _ in
            if let next = self.pongs.end() { self.pong(next, context) }
        }
    }

    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        let data = frame.unmaskedData
        guard message.count + data.readableBytes <= WireLimit.frame else { return fail(.messageTooLarge, context) }
        message.append(contentsOf: data.readableBytesView)
        isInMessage = !frame.fin
        guard frame.fin else { return }
        guard String(validating: message, as: UTF8.self) != nil else {
            return fail(.dataInconsistentWithMessage, context)
        }
        socket?.received(message)
        message = []
    }

    private func fail(_ code: WebSocketErrorCode, _ context: ChannelHandlerContext) {
        hasFailed = true
        message = []
        notice("The platform broke the WebSocket protocol, and its socket is closed: \(code)")
        var data = context.channel.allocator.buffer(capacity: 2)
        data.write(webSocketErrorCode: code)
        let close = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: data)
        context.writeAndFlush(wrapOutboundOut(close), promise: nil)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        socket?.ended()
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // NIO has told the other side already what its decoder found, or the connection is broken.
        if let error = error as? NIOWebSocketError, !hasFailed {
            hasFailed = true
            notice("The platform broke the WebSocket protocol, and its socket is closed: \(error)")
        }
        context.close(promise: nil)
    }
}

/// An open WebSocket whose texts are one JSON document each. All members may be used from any task.
///
/// Both directions are bounded. When too many received bytes wait, the socket is not read until ``handled(_:)``
/// makes room. When too many sent bytes wait, the socket is closed, because the other side does not read.
public protocol Socket: Sendable {
    /// Received texts, in order. The stream has one reader. It ends when the socket is gone, for whatever reason.
    var texts: AsyncStream<[UInt8]> { get }

    /// A text of that many bytes was handled. The reader of ``texts`` must call this once for each text.
    func handled(_ byteCount: Int)

    /// Sends a text without waiting for the other side to take it. Throws ``SocketClosed``. A text that was
    /// accepted may still be lost with the connection.
    func send(_ text: [UInt8]) async throws

    /// Closes the socket with 1001, going away. Nothing is received after that. Does not wait for the other side.
    func close() async
}

/// The socket is closed, or was closed just now because too much waited to be sent.
public struct SocketClosed: Error {
    public init() {}
}

/// Opens the sockets of connections. Tests replace it by one without a network.
public protocol SocketPort: Sendable {
    /// Opens a WebSocket and returns when the upgrade is done. Throws when the other side refuses, or does not
    /// answer in time.
    ///
    /// - Parameter url: `ws:` or `wss:`, with its query.
    func open(_ url: String) async throws -> any Socket
}
