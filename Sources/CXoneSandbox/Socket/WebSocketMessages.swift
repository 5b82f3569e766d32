import Bounds
import CXoneWire
import NIOCore
import NIOWebSocket

/// What is sent over a WebSocket.
package enum WebSocketOutput: Sendable {
    /// A whole text message, in one frame. It leaves with the channel's next flush; all else leaves at once.
    case text([UInt8])
    case ping
    /// Nothing that is written after it is sent.
    case close(CloseCode)
    /// Closes because of the client, and tells that.
    case refusal(CloseCode)
}

/// The server's side of RFC 6455 above the frames: joins fragments, answers pings, checks what clients may send,
/// and closes with the fitting code. All members run on the channel's loop.
///
/// Reading is manual, so that only a bounded number of bytes is on its way to the session. What is sent is
/// bounded by the sender; the handler bounds its own pongs, and closes a socket that takes nothing.
package final class WebSocketMessages: ChannelDuplexHandler {
    package typealias InboundIn = WebSocketFrame
    package typealias InboundOut = Never
    package typealias OutboundIn = WebSocketOutput
    package typealias OutboundOut = WebSocketFrame

    /// Bytes of a message at most.
    package static let limit = ByteBound.sandboxMessage.bytes
    /// Bytes that may wait for the session; from there on the socket is not read.
    static let window = 256 << 10
    /// What a message costs beside its bytes, so that many small ones count too.
    static let overhead = 1 << 10
    /// How long a client may take to answer a close frame.
    static let closingPatience = TimeAmount.seconds(5)
    /// The time between pings. A client counts as gone after three of them without a frame, or two without taking
    /// a byte that waits for it.
    private let heartbeat: TimeAmount

    private let unfinished: UnfinishedBytes
    /// Counts what waits for the session.
    private let memory: SocketMemory
    private let tell: @Sendable (SocketNews) -> Void
    /// The pieces of a message whose last frame has not come.
    private var fragments: ByteBuffer?
    /// Bytes that were told and are not handled yet, with ``overhead`` for each message.
    private var waiting = 0
    /// The socket is not read, because ``window`` is full.
    private var isHeld = false
    /// A close frame was sent or has come: nothing but a close frame is read or written any more.
    private var isClosing = false
    /// The close was told; it is told only once.
    private var hasEnded = false
    /// Heartbeats since the last frame came.
    private var silentBeats = 0
    /// Heartbeats during which bytes waited and the kernel took none.
    private var stuckBeats = 0
    /// What was ever given to the channel, and how much of that the kernel had taken at the last beat.
    private var sentBytes = 0
    private var takenBytes = 0
    private var pongs = PongQueue<ByteBuffer>()
    private var beat: RepeatedTask?

    /// - Parameter unfinished: the handler before the decoder.
    package init(
        heartbeat: TimeAmount, unfinished: UnfinishedBytes, memory: SocketMemory,
        tell: @escaping @Sendable (SocketNews) -> Void
    ) {
        self.heartbeat = heartbeat
        self.unfinished = unfinished
        self.memory = memory
        self.tell = tell
    }

    package func handlerAdded(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        beat = context.eventLoop.scheduleRepeatedTask(initialDelay: heartbeat, delay: heartbeat) { _ in
            let (handler, context) = bound.value
            handler.beat(context)
        }
    }

    package func handlerRemoved(context: ChannelHandlerContext) { beat?.cancel() }

    /// Sends a ping, or gives up a client that is silent (close code 1001) or takes nothing (no close frame can reach
    /// it).
    private func beat(_ context: ChannelHandlerContext) {
        guard context.channel.isActive, !isClosing else { return }
        guard !isStuck(context) else {
            // A close frame would wait behind what the client does not read.
            end(.refused(.policyViolation))
            return context.close(promise: nil)
        }
        // Silence counts only while the socket is read.
        if !isHeld { silentBeats += 1 }
        if silentBeats > 3 { return fail(.goingAway, context) }
        if stuckBeats == 0 { write(.ping, context) }
    }

    /// Whether bytes have waited for two heartbeats and the kernel has taken none of them.
    private func isStuck(_ context: ChannelHandlerContext) -> Bool {
        let waiting = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
        let taken = sentBytes - waiting
        stuckBeats = waiting > 0 && taken == takenBytes ? stuckBeats + 1 : 0
        takenBytes = taken
        return stuckBeats >= 2
    }

    // MARK: In

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        silentBeats = 0
        defer { if fragments == nil { unfinished.finished() } }
        // After our close frame only the answer to it is of interest.
        guard !isClosing || frame.opcode == .connectionClose else { return }
        guard frame.maskKey != nil, !frame.rsv1, !frame.rsv2, !frame.rsv3 else { return fail(.protocolError, context) }
        switch frame.opcode {
        case .text, .continuation: receive(frame, context)
        case .binary: fail(.unsupportedData, context)
        case .ping:
            guard frame.fin else { return fail(.protocolError, context) }
            if let data = pongs.begin(frame.unmaskedData) { pong(data, context) }
        case .pong: break
        case .connectionClose: closed(frame, context)
        default: fail(.protocolError, context)
        }
    }

    /// Joins the frames of a text message, and tells it when it is whole and valid UTF-8 (RFC 6455, 5.4 and 8.1).
    private func receive(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var data = frame.unmaskedData
        if frame.opcode == .text {
            guard fragments == nil else { return fail(.protocolError, context) }
        } else {
            guard fragments != nil else { return fail(.protocolError, context) }
        }
        guard (fragments?.readableBytes ?? 0) + data.readableBytes <= Self.limit else {
            return fail(.tooLarge, context)
        }
        if fragments?.writeBuffer(&data) == nil { fragments = data }
        guard frame.fin, let whole = fragments else { return }
        fragments = nil
        let bytes = Array(whole.readableBytesView)
        guard String(validating: bytes, as: UTF8.self) != nil else { return fail(.invalidText, context) }
        guard memory.reserve(bytes.count + Self.overhead) else { return fail(.tryAgainLater, context) }
        waiting += bytes.count + Self.overhead
        tell(.text(bytes))
    }

    /// Answers a ping with its data. While one pong is being written, only the newest ping waits for its own
    /// (``PongQueue``).
    private func pong(_ data: ByteBuffer, _ context: ChannelHandlerContext) {
        let pong = WebSocketFrame(fin: true, opcode: .pong, data: data)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            if let next = self.pongs.end() { self.pong(next, context) }
        }
        put(pong, context, sent)
    }

    /// The client closes, or answers our close.
    private func closed(_ frame: WebSocketFrame, _ context: ChannelHandlerContext) {
        var data = frame.unmaskedData
        if !isClosing {
            isClosing = true
            let code = data.readInteger(as: UInt16.self)
            let isValid = code.map(Self.isValid) ?? (data.readableBytes == 0)
            let isText = String(validating: data.readableBytesView, as: UTF8.self) != nil
            let answer: UInt16? =
                isValid ? (isText ? code : CloseCode.invalidText.rawValue) : CloseCode.protocolError.rawValue
            var body = context.channel.allocator.buffer(capacity: 2)
            if let answer { body.writeInteger(answer) }
            let close = WebSocketFrame(fin: true, opcode: .connectionClose, data: body)
            end(.client)
            put(close, context)
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

    package func channelReadComplete(context: ChannelHandlerContext) { readOn(context) }

    /// Lets the socket be read, unless enough is waiting.
    func readOn(_ context: ChannelHandlerContext) {
        if waiting < Self.window || isClosing {
            isHeld = false
            context.read()
        } else {
            isHeld = true
        }
    }

    /// The session has handled a message of that many bytes. Reading goes on if it was held back.
    func handled(_ byteCount: Int, _ context: ChannelHandlerContext) {
        waiting -= byteCount + Self.overhead
        memory.giveBack(byteCount + Self.overhead)
        if isHeld { readOn(context) }
    }

    package func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard event is UnfinishedBytes.TooMany else { return context.fireUserInboundEventTriggered(event) }
        fragments = nil
        fail(.tryAgainLater, context)
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch error {
        case NIOWebSocketError.invalidFrameLength: fail(.tooLarge, context)
        case is NIOWebSocketError: fail(.protocolError, context)
        default:
            end(.client)
            context.close(promise: nil)
        }
    }

    package func channelInactive(context: ChannelHandlerContext) {
        end(.client)
        context.fireChannelInactive()
    }

    // MARK: Out

    package func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        write(unwrapOutboundIn(data), context, promise)
    }

    private func write(
        _ output: WebSocketOutput, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil
    ) {
        guard !isClosing else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let frame: WebSocketFrame
        switch output {
        case .text(let bytes):
            let frame = WebSocketFrame(fin: true, opcode: .text, data: ByteBuffer(bytes: bytes))
            return context.write(wrapOutboundOut(counted(frame)), promise: promise)
        case .refusal(let code):
            fail(code, context)
            promise?.succeed()
            return
        case .ping: frame = WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer())
        case .close(let code):
            isClosing = true
            var body = ByteBuffer(integer: code.rawValue)
            body.writeString(code.reason)
            frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: body)
            readOn(context)
            let channel = context.channel
            context.eventLoop.scheduleTask(in: Self.closingPatience) { channel.close(promise: nil) }
        }
        put(frame, context, promise)
    }

    /// Sends a frame at once.
    private func put(
        _ frame: WebSocketFrame, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>? = nil
    ) {
        context.writeAndFlush(wrapOutboundOut(counted(frame)), promise: promise)
    }

    /// Counts a frame's bytes with the header: 2, 4 or 10 bytes, because a server does not mask.
    private func counted(_ frame: WebSocketFrame) -> WebSocketFrame {
        let count = frame.data.readableBytes
        sentBytes += count + (count < 126 ? 2 : count < 1 << 16 ? 4 : 10)
        return frame
    }

    /// The client broke the protocol: it is told how, and nothing more is taken from it.
    private func fail(_ code: CloseCode, _ context: ChannelHandlerContext) {
        guard !isClosing else { return }
        end(.refused(code))
        write(.close(code), context)
    }

    /// Tells the close, unless it was told.
    private func end(_ reason: CloseReason) {
        guard !hasEnded else { return }
        hasEnded = true
        tell(.closed(reason))
    }
}
