import CXoneWire
import NIOCore
import NIOWebSocket

/// A WebSocket on a channel of NIO.
final class NIOSocket: Socket {
    let texts: AsyncStream<[UInt8]>
    private let feed: AsyncStream<[UInt8]>.Continuation
    private let channel: any Channel

    init(channel: any Channel) {
        self.channel = channel
        (texts, feed) = AsyncStream.makeStream()
    }

    deinit { channel.close(promise: nil) }

    func send(_ text: [UInt8]) async throws {
        do {
            try await write(.text, channel.allocator.buffer(bytes: text))
        } catch {
            throw SocketClosed()
        }
    }

    func close() async {
        var code = ByteBuffer()
        code.write(webSocketErrorCode: .goingAway)
        try? await write(.connectionClose, code)
        try? await channel.close()
    }

    private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) async throws {
        try await channel.writeAndFlush(WebSocketFrame(fin: true, opcode: opcode, maskKey: .random(), data: data))
    }

    func received(_ text: [UInt8]) { feed.yield(text) }
    func ended() { feed.finish() }
}

/// Makes texts of frames, answers pings, and closes what breaks the protocol (RFC 6455).
final class WebSocketTexts: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias OutboundOut = WebSocketFrame

    /// Ends with the channel, while the socket's holder may have let it go.
    private weak let socket: NIOSocket?
    private let notice: @Sendable (String) -> Void
    private var message: [UInt8] = []
    private var isInMessage = false
    private var hasFailed = false

    init(socket: NIOSocket, notice: @escaping @Sendable (String) -> Void) {
        self.socket = socket
        self.notice = notice
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
            take(frame, context)
        case .continuation:
            guard isInMessage else { return fail(.protocolError, context) }
            take(frame, context)
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .pong: break
        case .connectionClose:
            let close = WebSocketFrame(fin: true, opcode: .connectionClose, maskKey: .random(), data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(close), promise: nil)
            context.close(promise: nil)
        case .binary: fail(.unacceptableData, context)
        default: fail(.protocolError, context)
        }
    }

    private func take(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        let data = frame.unmaskedData
        guard message.count + data.readableBytes <= WireLimit.frame else { return fail(.messageTooLarge, context) }
        message.append(contentsOf: data.readableBytesView)
        isInMessage = !frame.fin
        guard frame.fin else { return }
        guard String(validating: message, as: UTF8.self) != nil else { return fail(.dataInconsistentWithMessage, context) }
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
