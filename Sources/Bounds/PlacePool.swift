import Synchronization

/// ``SharedPlaces`` for work on any thread.
public final class PlacePool: Sendable {
    private let places: Mutex<SharedPlaces>

    public init(limit: Int) { places = Mutex(SharedPlaces(limit: limit)) }

    /// The places that are taken now.
    public var taken: Int { places.withLock { $0.taken } }

    /// Takes a place until ``giveBack(_:)``. Throws when the holder gets none.
    public func take(_ holder: Holder) throws(PlaceRefusal) {
        if let refusal = places.withLock({ $0.take(holder) }) { throw refusal }
    }

    public func giveBack(_ holder: Holder) { places.withLock { $0.giveBack(holder) } }
}
