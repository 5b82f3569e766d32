import ChatStore
import DequeModule

/// What the database gives a stream whose position the ring has no more: one bounded step at a time, kept until it is written.
struct LogFetch {
    typealias Answer = (events: [LogEvent], through: Int64)

    /// Bytes of events in one step.
    private static let step = 256 << 10

    private(set) var isRunning = false
    /// The position after which was asked.
    private var start: Int64 = 0
    private var kept: (events: Deque<LogEvent>, through: Int64)?

    /// Whether something is kept.
    var hasAnswer: Bool { kept != nil }
    /// The next event to be written.
    var first: LogEvent? { kept?.events.first }

    /// Asks the database.
    /// - Parameter finish: called on the loop's thread with what came, nil when it failed; it ends the fetch.
    mutating func begin(
        _ hub: StreamHub, _ audiences: [Audience], after offset: Int64, finish: @escaping @Sendable (Answer?) -> Void
    ) {
        guard let loop = hub.loop else { return }
        isRunning = true
        start = offset
        let log = hub.log
        Task {
            let answer = try? await log.replay(audiences, after: offset, limit: Self.step)
            loop.execute { finish(answer) }
        }
    }

    /// The answer has come, and is not needed.
    mutating func end() { isRunning = false }

    /// The answer has come, and is kept.
    /// - Parameter floor: of the log, now.
    /// - Returns: false when the database failed, or did not get on.
    mutating func end(with answer: Answer?, floor: Int64) -> Bool {
        end()
        // The log was cut meanwhile, so there may be a hole: the position has expired, and that is no failure.
        if start < floor { return true }
        guard let answer, !answer.events.isEmpty || answer.through > start else { return false }
        kept = (Deque(answer.events), answer.through)
        return true
    }

    mutating func removeFirst() { kept?.events.removeFirst() }

    /// Everything that was kept is written.
    /// - Returns: the position up to which the log was read.
    mutating func finishWriting() -> Int64? {
        defer { kept = nil }
        return kept?.through
    }

    mutating func removeAll() { kept = nil }
}
