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
    func take(_ holder: SocketHolder) throws(PlaceRefusal) -> SocketPlace {
        let refusal = state.withLock { state -> PlaceRefusal? in
            if let part = holder.part, let refusal = state.visitors.take(part) { return refusal }
            guard let refusal = state.all.take(holder.holder) else { return nil }
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
