import Synchronization

/// Counts the places of a pool, of which each holder may take its share only: one named holder an eighth, unknown
/// senders together a quarter, each at least one. Root has no share: it may take all, and one place is kept for it
/// alone. So neither one holder nor all of them together can keep the gateway's own token out.
///
/// To take or give back a place costs one look into a dictionary for a named holder, and additions for the others.
///
/// ```swift
/// var places = SharedPlaces(limit: 16)
/// for _ in 1...3 {
///     if let refusal = places.takePlace(.named("session-1")) { print(refusal) }  // the third: share(2, limit: 16)
/// }
/// places.giveBack(.named("session-1"))
/// ```
public struct SharedPlaces: Sendable {
    /// The places of the pool.
    public let limit: Int
    /// The places that are taken now, by all holders.
    public private(set) var taken = 0
    private var ofRoot = 0
    private var ofNobody = 0
    /// Only holders that have places, so it never has more than ``limit`` entries.
    private var ofNamed: [String: Int] = [:]

    public init(limit: Int) { self.limit = max(0, limit) }

    /// How many places a holder may take.
    public func share(of holder: Holder) -> Int {
        switch holder {
        case .nobody: max(1, limit / 4)
        case .named: max(1, limit / 8)
        case .root: limit
        }
    }

    /// How many places a holder has taken.
    public func count(of holder: Holder) -> Int {
        switch holder {
        case .nobody: ofNobody
        case .named(let name): ofNamed[name] ?? 0
        case .root: ofRoot
        }
    }

    /// Takes a place. Give it back with ``giveBack(_:)``.
    /// - Returns: why there is none; nil when the place is taken. A holder that has all of its share is told that, also
    ///   when the whole pool is full.
    public mutating func takePlace(_ holder: Holder) -> PlaceRefusal? {
        switch holder {
        case .root:
            // Where the pool has one place only, another holder may have it. Then root's own is one more.
            if taken >= limit, ofRoot > 0 || limit != 1 { return .full(limit: limit) }
            ofRoot += 1
        case .nobody:
            let share = share(of: holder)
            if ofNobody >= share { return .share(share, limit: limit) }
            if isFullForOthers { return .full(limit: limit) }
            ofNobody += 1
        case .named(let name):
            let share = share(of: holder)
            let own = ofNamed[name] ?? 0
            if own >= share { return .share(share, limit: limit) }
            if isFullForOthers { return .full(limit: limit) }
            ofNamed[name] = own + 1
        }
        taken += 1
        return nil
    }

    /// Why the holder would get no place now; nil when it would get one.
    public func refusal(of holder: Holder) -> PlaceRefusal? {
        var copy = self
        return copy.takePlace(holder)
    }

    /// Gives a place back that ``takePlace(_:)`` gave to this holder. Does nothing when it has none.
    public mutating func giveBack(_ holder: Holder) {
        switch holder {
        case .root:
            if ofRoot == 0 { return }
            ofRoot -= 1
        case .nobody:
            if ofNobody == 0 { return }
            ofNobody -= 1
        case .named(let name):
            guard let own = ofNamed[name] else { return }
            ofNamed[name] = own > 1 ? own - 1 : nil
        }
        taken -= 1
        assert(taken >= ofRoot + ofNobody, "The pool counts what its holders have.")
    }

    /// Root's place stays free for it: the others together take one fewer than all.
    private var isFullForOthers: Bool { taken >= limit || taken - ofRoot >= max(1, limit - 1) }
}

/// Why a holder gets no place.
public enum PlaceRefusal: Error, Sendable, Hashable {
    /// The holder has all of its share, of a pool of so many places: 429.
    case share(Int, limit: Int)
    /// All places are taken: 503.
    case full(limit: Int)
}

/// ``SharedPlaces`` for work on any thread.
public final class PlacePool: Sendable {
    private let places: Mutex<SharedPlaces>

    public init(limit: Int) { places = Mutex(SharedPlaces(limit: limit)) }

    /// The places that are taken now.
    public var taken: Int { places.withLock { $0.taken } }

    /// Takes a place until ``giveBack(_:)``. Throws when the holder gets none.
    public func takePlace(_ holder: Holder) throws(PlaceRefusal) {
        if let refusal = places.withLock({ $0.takePlace(holder) }) { throw refusal }
    }

    public func giveBack(_ holder: Holder) { places.withLock { $0.giveBack(holder) } }
}

/// Who takes places or memory, by what a request has shown. Every pool of places and every count of bytes goes by it.
public enum Holder: Sendable, Hashable {
    /// Unknown senders. Nothing tells them apart, so all of them together are one holder.
    case nobody
    /// One holder with a name of its own: a session's token, an account, a key, a login. The names of two kinds must
    /// differ.
    case named(String)
    /// Whoever has the gateway's own token, and the gateway's own work.
    case root
}
