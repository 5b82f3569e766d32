import Bounds
import Formats
import Synchronization

/// Up to when the messages of each thread are all here, in the platform's milliseconds. It outlives connections: what was
/// read stays read.
final class ReadProgress: Sendable {
    private struct Place: Hashable {
        var account: Int64
        var thread: String
    }
    /// How far a thread is read.
    struct Reach: Sendable {
        /// All messages up to this one are here, or will be with the pass that has asked for it; nil: nothing was read.
        var time: Int64?
        /// The newest messages were asked for, and nobody has seen yet that they are here.
        var isUnderWay = false
    }
    private let places = Mutex(RecentlyUsed<Place, Reach>(limit: 20_000))
    private let now: @Sendable () -> Timestamp

    /// How different the clocks may be, in milliseconds.
    static let clockDifference: Int64 = 600_000

    init(now: @escaping @Sendable () -> Timestamp) { self.now = now }

    func reach(of thread: String, for account: Int64) -> Reach {
        places.withLock { $0[Place(account: account, thread: thread)] ?? Reach() }
    }

    /// The newest messages are asked for, or were seen to be here.
    func set(_ thread: String, for account: Int64, isUnderWay: Bool) {
        places.withLock { places in
            let key = Place(account: account, thread: thread)
            var reach = places[key] ?? Reach()
            reach.isUnderWay = isUnderWay
            places[key] = reach
        }
    }

    /// The messages up to this one were read.
    ///
    /// - Parameter newest: of the thread. A program may have imported one whose time is yet to come: newer messages are
    ///   then looked for among those of the last minutes.
    func read(_ thread: String, for account: Int64, upTo newest: Int64) {
        let now = now().milliseconds
        let place = newest > now + Self.clockDifference ? now - Self.clockDifference : max(0, newest)
        places.withLock { places in
            let key = Place(account: account, thread: thread)
            var reach = places[key] ?? Reach()
            reach.time = max(place, reach.time ?? 0)
            places[key] = reach
        }
    }
}
