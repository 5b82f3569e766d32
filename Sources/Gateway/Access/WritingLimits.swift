import Bounds
import HTTPRouting
import Synchronization

/// What a session's token writes that costs others something.
package enum Writing: Sendable, Hashable, CaseIterable {
    case messages, threads, uploads
    /// All other requests of a session that change something.
    case changes
}

/// How much one session's token may write of each kind.
public struct WritingRates: Sendable {
    /// Of a session that somebody has begun on a public channel. ``VisitorBounds`` counts its messages and uploads.
    static let ofVisitors: WritingRates = {
        var rates = WritingRates()
        rates.threads = Rate(burst: 5, perHour: 20)
        rates.changes = Rate(burst: 600, perHour: 10_000)
        return rates
    }()

    public var messages = Rate(burst: 600, perHour: 20_000)
    public var threads = Rate(burst: 300, perHour: 3_000)
    public var uploads = Rate(burst: 200, perHour: 2_000)
    public var changes = Rate(burst: 1_200, perHour: 40_000)

    public init() {}

    subscript(writing: Writing) -> Rate {
        switch writing {
        case .messages: messages
        case .threads: threads
        case .uploads: uploads
        case .changes: changes
        }
    }
}

/// Counts what the sessions' tokens write. The gateway's own token has no limit. Any thread may use it.
package final class WritingLimits: Sendable {
    private struct Key: Hashable {
        let session: String
        let writing: Writing
    }

    private let rates: Mutex<WritingRates>
    private let uptime: @Sendable () -> Int64
    private let book = Mutex(RateBook<Key>(capacity: 16_384))

    /// - Parameter uptime: microseconds on a clock that never goes back.
    init(_ rates: WritingRates, uptime: @escaping @Sendable () -> Int64) {
        self.rates = Mutex(rates)
        self.uptime = uptime
    }

    /// Follows other rates from now on. What was counted stays counted.
    func follow(_ rates: WritingRates) { self.rates.withLock { $0 = rates } }

    /// Counts one try to write. Throws `tooManyWrites` with the seconds until the next one is possible.
    ///
    /// - Parameter isVisitor: nobody knows who has begun the session, so it may write less.
    package func countWrite(_ writing: Writing, session: String, isVisitor: Bool = false) throws(Problem) {
        let (own, now) = (rates.withLock { $0[writing] }, uptime())
        let rate = isVisitor ? own.lesser(WritingRates.ofVisitors[writing]) : own
        let wait = book.withLock { $0.countTry(Key(session: session, writing: writing), at: now, rate) }
        guard let wait else { return }
        throw Problem(
            .tooManyWrites,
            "One session's token may write \(rate.burst) \(writing) at once, and \(rate.perHour) an hour.",
            retryAfter: Int((wait + 999_999) / 1_000_000))
    }
}
