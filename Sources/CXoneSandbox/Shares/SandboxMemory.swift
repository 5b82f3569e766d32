import Bounds

/// Counts what clients of the sandbox make it hold, below the memory of the process: unfinished and waiting messages,
/// unsent texts, live events, and events that are too large for a frame. Any thread may use it.
final class SandboxMemory: Sendable {
    private let whole: ByteCounter
    private let shares: ByteShares
    /// What all unknown visitors have together; kept here, so that it is always the same.
    private let unknown: ByteCounter
    private let visitors: ByteShares
    /// Uploads while they are decoded. Their bodies are counted by the server.
    let uploads: ByteCounter

    init(within memory: ByteCounter) {
        whole = ByteCounter(limit: ByteBound.sandbox.bytes, within: memory)
        shares = ByteShares(of: whole)
        unknown = shares.counter(of: .nobody)
        visitors = ByteShares(of: whole, within: unknown)
        uploads = ByteCounter(limit: memory.limit, within: memory)
        // They are never given back: the newest frames are always there.
        whole.keep(ByteBound.sandboxFrames.bytes)
    }

    /// Bytes that are held now.
    var used: Int { whole.used }

    /// A counter for one socket.
    func socket(of holder: SocketHolder) -> SocketMemory {
        if holder.customer != nil { return SocketMemory(within: shares.counter(of: holder.holder)) }
        return SocketMemory(within: holder.part.map { visitors.counter(of: $0) } ?? unknown)
    }
}

/// Counts what one socket holds in its holder's share. What it still has is given back with it. Any thread may use it.
package final class SocketMemory: Sendable {
    /// Bytes that a socket may hold in any case: so short messages go on where others have taken all.
    static let own = 4 << 10

    /// The share, which other sockets of the holder use too.
    let share: ByteCounter
    private let counter: ByteCounter

    package init(within share: ByteCounter) {
        self.share = share
        counter = ByteCounter(limit: .max, within: share)
    }

    /// Bytes that are held now.
    package var used: Int { counter.used }

    /// Takes bytes. Returns false, and takes none, when there is no room for them.
    func take(_ bytes: Int) -> Bool {
        guard counter.used + bytes <= Self.own else { return counter.take(bytes) }
        counter.keep(bytes)
        return true
    }

    func giveBack(_ bytes: Int) { counter.giveBack(bytes) }
}
