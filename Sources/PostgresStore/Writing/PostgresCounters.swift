import Glibc
import Synchronization

/// What the store does on its connections, counted since it was opened. Any thread may use it.
final class PostgresCounters: Sendable {
    struct Figures: Sendable {
        /// Times that the writer has waited for other gateways, and has kept them out, in seconds.
        var waited = 0.0, held = 0.0
        var roundTrips = 0
        /// Groups that were undone for a reason that passes, and were run again.
        var repetitions = 0
        /// Times that the follower has asked for commits of other gateways.
        var looks = 0
        /// Connections that were made anew.
        var connections = 0
    }

    private let state = Mutex(Figures())

    var figures: Figures { state.withLock { $0 } }

    func note(waited: Duration, held: Duration, roundTrips: Int) {
        state.withLock {
            $0.waited += waited / .seconds(1)
            $0.held += held / .seconds(1)
            $0.roundTrips += roundTrips
        }
    }

    func noteRepetition() { state.withLock { $0.repetitions += 1 } }
    func noteLook() { state.withLock { $0.looks += 1 } }
    func noteConnection() { state.withLock { $0.connections += 1 } }
}

/// A pause of a thread that belongs to the store. Tasks must not use it.
enum PostgresPause {
    static func wait(_ time: Duration) {
        usleep(UInt32(clamping: Int64(time / .microseconds(1))))
    }
}

/// The pauses between attempts to reach a database that is away: from 50 ms, twice as long each time, up to 2 s.
///
/// Each is shortened at random by up to a half, so that not all gateways come back at the same moment.
struct PostgresBackoff {
    private static let first = Duration.milliseconds(50)
    private static let longest = Duration.seconds(2)
    private var pause = Self.first

    /// - Parameter random: from 0 to 1.
    mutating func next(_ random: Double) -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause * (1 - min(max(random, 0), 1) / 2)
    }

    mutating func reset() { pause = Self.first }
}
