import NIOCore
import NIOHTTP1

/// Lets the head of a request wait for the first part of its body, so that both leave in one write.
///
/// async-http-client flushes each part by itself. A small request would take two writes, and wake its receiver twice.
final class HeadWithBody: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The last part was a head. Another part follows in any case: the body, or the end of a request without one.
    private var isHeadWaiting = false

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        isHeadWaiting = if case .head = unwrapOutboundIn(data) { true } else { false }
        context.write(data, promise: promise)
    }

    func flush(context: ChannelHandlerContext) {
        if !isHeadWaiting { context.flush() }
    }

    /// Adds the handler to a connection of HTTP/1.
    static func add(to channel: any Channel) -> EventLoopFuture<Void> {
        channel.eventLoop.submit {
            let pipeline = channel.pipeline.syncOperations
            let encoder = try pipeline.handler(type: HTTPRequestEncoder.self)
            try pipeline.addHandler(HeadWithBody(), position: .after(encoder))
        }
    }
}
