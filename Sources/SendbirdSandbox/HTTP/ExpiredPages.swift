import ChatModel
import Formats
import SandboxKit
import Synchronization

/// Which tokens of pages faults have made void before their time. In memory only; may be used from any task.
final class ExpiredPages: Sendable {
    private let faults = Mutex([(fault: Fault, time: Timestamp)]())

    /// The most faults that are noted.
    static let limit = 1000
    /// How long a token leads on by itself.
    static let lifetime: Int64 = 24 * 3_600_000

    /// Makes the tokens void that were given out up to the time and that the fault is about. False when too many are
    /// noted already.
    func add(_ fault: Fault, at time: Timestamp) -> Bool {
        faults.withLock { faults in
            if faults.count >= Self.limit {
                let earliest = time.advanced(byMilliseconds: -Self.lifetime)
                faults.removeAll { $0.time < earliest }
            }
            guard faults.count < Self.limit else { return false }
            faults.append((fault, time))
            return true
        }
    }

    func removeAll() { faults.withLock { $0 = [] } }

    /// Whether a token of this list that was given out at that time leads on no more.
    func contains(_ occasion: FaultOccasion, from time: Timestamp, at now: Timestamp) -> Bool {
        if time.advanced(byMilliseconds: Self.lifetime) < now { return true }
        return faults.withLock { $0.contains { time <= $0.time && $0.fault.fits(occasion) } }
    }
}
