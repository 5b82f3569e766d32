import NIOCore
import Synchronization

/// Counts the memory of messages that clients have begun and not finished, over all sockets. May be used from any
/// loop.
package final class UnfinishedMessages: Sendable {
    package init() {}

    /// The most bytes of all sockets together. Beyond it, a socket that adds to more than its `share` is closed.
    static let limit = 64 << 20
    /// Bytes that every socket may hold, whatever the others do.
    static let share = 64 << 10

    private let total = Atomic<Int>(0)

    /// Bytes that all sockets hold now.
    var byteCount: Int { total.load(ordering: .relaxed) }

    fileprivate func add(_ count: Int) -> Int { total.add(count, ordering: .relaxed).newValue }
}

/// Counts the bytes of one socket that have come since its last whole message. Stands before the decoder of frames,
/// which holds the bytes of a frame until it is whole.
package final class UnfinishedBytes: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    /// Told to the handlers behind when there is too much.
    struct TooMany: Sendable {}

    private let all: UnfinishedMessages
    private var count = 0
    private var isRefused = false

    package init(of all: UnfinishedMessages) { self.all = all }

    deinit { giveBack(count) }

    /// The channel is gone, and the decoder with it.
    package func handlerRemoved(context: ChannelHandlerContext) { giveBack(count) }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Of a socket that is being closed nothing more is kept.
        guard !isRefused else { return }
        let bytes = unwrapInboundIn(data).readableBytes
        count += bytes
        let total = all.add(bytes)
        if count > UnfinishedMessages.share, total > UnfinishedMessages.limit {
            isRefused = true
            // These bytes are dropped. The decoder keeps those before them until it goes.
            giveBack(bytes)
            context.fireUserInboundEventTriggered(TooMany())
        } else {
            context.fireChannelRead(data)
        }
    }

    /// A message is whole. What has come of the next one is less than a read, and counts from the next read on.
    func finished() {
        if !isRefused { giveBack(count) }
    }

    private func giveBack(_ bytes: Int) {
        count -= bytes
        _ = all.add(-bytes)
    }
}
