import NIOCore
import NIOWebSocket

/// What is sent over a WebSocket.
enum WebSocketOutput: Sendable {
    case text([UInt8])
    case ping
    case close(CloseCode)
}

/// A server's side of the WebSocket protocol above its frames (RFC 6455): joins fragments, answers pings, checks what
/// clients may send, and closes with the code that says what was wrong.
///
/// Reading is by hand: at most a few messages are on their way to the session at a time.
final class WebSocketMessages: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = Never
    typealias OutboundIn = WebSocketOutput
    typealias OutboundOut = WebSocketFrame

    /// Bytes of a message at most.
    static let limit = 1 << 20
    /// Messages that may wait for the session before the socket is read again.
    static let window = 16
    /// How long a client may take to answer a close frame.
    static let closingPatience = TimeAmount.seconds(5)
    /// Between pings; a client from which nothing came for three of these is gone.
    private let heartbeat: TimeAmount

    private let tell: @Sendable (SocketNews) -> Void
    private var fragments: ByteBuffer?
    private var waiting = 0
    private var isHeld = false
    private var isClosing = false
    private var hasEnded = false
    private var silentBeats = 0
    private var beat: RepeatedTask?

    init(heartbeat: TimeAmount = .seconds(30), tell: @escaping @Sendable (SocketNews) -> Void) {
        self.heartbeat = heartbeat
        self.tell = tell
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        beat = context.eventLoop.scheduleRepeatedTask(initialDelay: heartbeat, delay: heartbeat) { _ in
            let (handler, context) = bound.value
            handler.beat(context)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { beat?.cancel() }

    private func beat(_ context: ChannelHandlerContext) {
        guard context.channel.isActive, !isClosing else { return }
        silentBeats += 1
        if silentBeats > 3 { return fail(.goingAway, context) }
        write(.ping, context)
    }

    // MARK: In

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        silentBeats = 0
        // After our close frame only the answer to it is of interest.
        guard !isClosing || frame.opcode == .connectionClose else { return }
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(.protocolError, context) }
        switch frame.opcode {
        case .text, .continuation: receive(frame, context)
        case .binary: fail(.unsupportedData, context)
        case .ping:
            guard frame.fin else { return fail(.protocolError, context) }
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .pong: break
        case .connectionClose: closed(frame, context)
        default: fail(.protocolError, context)
        }
    }

    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var data = frame.unmaskedData
        if frame.opcode == .text {
            guard fragments == nil else { return fail(.protocolError, context) }
        } else {
            guard fragments != nil else { return fail(.protocolError, context) }
        }
        guard (fragments?.readableBytes ?? 0) + data.readableBytes <= Self.limit else { return fail(.tooLarge, context) }
        if fragments?.writeBuffer(&data) == nil { fragments = data }
        guard frame.fin, let whole = fragments else { return }
        fragments = nil
        let bytes = Array(whole.readableBytesView)
        guard String(validating: bytes, as: UTF8.self) != nil else { return fail(.invalidText, context) }
        waiting += 1
        tell(.text(bytes))
    }

    /// The client closes, or answers our close.
    private func closed(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var data = frame.unmaskedData
        if !isClosing {
            isClosing = true
            let code = data.readInteger(as: UInt16.self)
            let isValid = code.map(Self.isValid) ?? (data.readableBytes == 0)
            let isText = String(validating: data.readableBytesView, as: UTF8.self) != nil
            let answer: UInt16? = isValid ? (isText ? code : CloseCode.invalidText.rawValue) : CloseCode.protocolError.rawValue
            var body = context.channel.allocator.buffer(capacity: 2)
            if let answer { body.writeInteger(answer) }
            let close = WebSocketFrame(fin: true, opcode: .connectionClose, data: body)
            end(.client)
            context.writeAndFlush(wrapOutboundOut(close), promise: nil)
        }
        context.close(promise: nil)
    }

    /// Codes that may stand in a frame (RFC 6455, 7.4).
    private static func isValid(_ code: UInt16) -> Bool {
        switch code {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) { readOn(context) }

    /// Lets the socket be read, unless enough is waiting.
    func readOn(_ context: ChannelHandlerContext) {
        if waiting < Self.window || isClosing {
            isHeld = false
            context.read()
        } else {
            isHeld = true
        }
    }

    func handled(_ context: ChannelHandlerContext) {
        waiting -= 1
        if isHeld { readOn(context) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.tooLarge, context)
        case is NIOWebSocketError: fail(.protocolError, context)
        default:
            end(.client)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        end(.client)
        context.fireChannelInactive()
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable { tell(.drained) }
    }

    // MARK: Out

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        write(unwrapOutboundIn(data), context, promise)
    }

    private func write(_ output: WebSocketOutput, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let frame: WebSocketFrame
        switch output {
        case .text(let bytes): frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: bytes))
        case .ping: frame = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
        case .close(let code):
            isClosing = true
            frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: ByteBuffer(integer: code.rawValue))
            readOn(context)
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.closingPatience) { channel.close(promise: nil) }
        }
        context.writeAndFlush(wrapOutboundOut(frame), promise: promise)
    }

    /// The client broke the protocol: it is told how, and nothing more is taken from it.
    private func fail(_ code: CloseCode, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        end(.refused(code))
        write(.close(code), context)
    }

    private func end(_ reason: CloseReason) {
        guard !hasEnded else { return }
        hasEnded = true
        tell(.closed(reason))
    }
}
