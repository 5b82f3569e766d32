import Bounds
import Synchronization

/// The places of the sandbox's sockets, shared by holder. Any thread may use it.
final class SocketPlaces: Sendable {
    private struct State {
        var all: SharedPlaces
        /// What each unknown visitor has of theirs.
        var visitors: SharedPlaces
    }
    private let state: Mutex<State>

    init(limit: Int) {
        state = Mutex(State(all: SharedPlaces(limit: limit), visitors: SharedPlaces(limit: limit)))
    }

    var taken: Int { state.withLock { $0.all.taken } }

    /// Takes a place, which is given back with the value. Throws when the holder gets none.
    func takePlace(_ holder: SocketHolder) throws(PlaceRefusal) -> SocketPlace {
        let refusal = state.withLock { state -> PlaceRefusal? in
            if let part = holder.part, let refusal = state.visitors.takePlace(part) { return refusal }
            guard let refusal = state.all.takePlace(holder.holder) else { return nil }
            if let part = holder.part { state.visitors.giveBack(part) }
            return refusal
        }
        if let refusal { throw refusal }
        return SocketPlace(of: holder, in: self)
    }

    fileprivate func giveBack(_ holder: SocketHolder) {
        state.withLock { state in
            state.all.giveBack(holder.holder)
            if let part = holder.part { state.visitors.giveBack(part) }
        }
    }
}

/// One socket's place. It is free again when it is left, or when nobody has it any more: also where a client goes before
/// its socket is there.
final class SocketPlace: Sendable {
    private let holder: SocketHolder
    private let places: SocketPlaces
    private let isLeft = Atomic<Bool>(false)

    fileprivate init(of holder: SocketHolder, in places: SocketPlaces) { (self.holder, self.places) = (holder, places) }

    deinit { leave() }

    /// Gives the place back, once.
    func leave() {
        if !isLeft.exchange(true, ordering: .relaxed) { places.giveBack(holder) }
    }
}

/// Whose a socket is, as far as its URL shows that.
///
/// A customer whom a token of the sandbox names is one holder. Everybody else is unknown: a `visitorId` is whatever its
/// client likes. So all unknown visitors have one share together, and within it no visitor gets more than a named holder.
struct SocketHolder: Sendable, Hashable {
    /// The entry point and the customer that a token names.
    var customer: String?
    var visitor: String?

    /// In whose share it stands.
    var holder: Holder { customer.map { .named("customer:\($0)") } ?? .nobody }

    /// The visitor's own part of what the unknown ones have; nil for another holder.
    var part: Holder? { customer == nil ? visitor.map { .named("visitor:\($0)") } : nil }

    /// By whom turns are taken.
    var turn: Holder { part ?? holder }
}

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
        whole.reserveAnyway(ByteBound.sandboxFrames.bytes)
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
    func reserve(_ bytes: Int) -> Bool {
        guard counter.used + bytes <= Self.own else { return counter.reserve(bytes) }
        counter.reserveAnyway(bytes)
        return true
    }

    func giveBack(_ bytes: Int) { counter.giveBack(bytes) }
}
