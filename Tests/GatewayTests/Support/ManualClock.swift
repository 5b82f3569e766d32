import ChatModel
import Synchronization

/// A clock that goes when it is told, ids that count, and randomness that is none.
final class ManualClock: Sendable {
    private let time = Mutex(Timestamp(milliseconds: 1_790_000_000_000))
    private let count = Mutex(0)

    var now: Timestamp { time.withLock { $0 } }

    func advance(seconds: Int64) { time.withLock { $0 = $0.advanced(byMilliseconds: seconds * 1000) } }

    var environment: ModelEnvironment {
        ModelEnvironment(
            now: { self.now },
            makeID: {
                let number = self.count.withLock { $0 += 1; return $0 }
                return "id\(String(1000 + number))"
            },
            random: { 0.5 })
    }
}
