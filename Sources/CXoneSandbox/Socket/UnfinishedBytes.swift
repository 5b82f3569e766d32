import NIOCore

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
        guard memory.take(bytes) else {
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
