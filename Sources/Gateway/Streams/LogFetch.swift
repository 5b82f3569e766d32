import ChatStore
import DequeModule

/// Events from the database, for a stream whose position the ring no longer has. One bounded read at a time; its events
/// are kept until they are written. For the loop's thread only.
struct LogFetch {
    typealias Answer = (events: [LogEvent], through: Int64)

    /// The bytes of events that one read asks for.
    private static let step = 256 << 10
    /// How far the database was read when the position has expired.
    private static let nowhere: Int64 = -1

    /// Whether an answer is awaited.
    private(set) var isRunning = false
    /// The position after which the last read began.
    private var start: Int64 = 0
    /// Events that are not written yet, and the position up to which the database was read.
    private var kept: (events: Deque<LogEvent>, through: Int64)?

    /// The database does not have all events after the position any more.
    private var isExpired = false

    /// Whether an answer is kept, even one without events left.
    var hasAnswer: Bool { kept != nil }
    /// The next event to write.
    var first: LogEvent? { kept?.events.first }

    /// Starts a read in a task. Does nothing when the server is gone.
    /// - Parameter finish: called on the loop's thread with the answer, or with nil after a failure; it has to end the
    ///   fetch.
    mutating func begin(
        _ hub: StreamHub, _ audiences: [Audience], after offset: Int64, finish: @escaping @Sendable (Answer?) -> Void
    ) {
        guard let loop = hub.loop else { return }
        isRunning = true
        start = offset
        let log = hub.log
        Task {
            let answer: Answer?
            do {
                answer = try await log.replay(audiences, after: offset, limit: Self.step)
            } catch is CursorExpired {
                answer = ([], Self.nowhere)
            } catch {
                answer = nil
            }
            loop.execute { finish(answer) }
        }
    }

    /// Ends the read and drops its answer.
    mutating func end() { isRunning = false }

    /// Ends the read and keeps its answer. If the log was cut meanwhile, the answer may have a hole and is dropped; the
    /// stream then finds that its position has expired.
    /// - Parameter floor: the log's present floor.
    /// - Returns: false when the database failed or made no progress.
    mutating func end(with answer: Answer?, floor: Int64) -> Bool {
        end()
        // The log was cut meanwhile, so there may be a hole: the position has expired, and that is no failure.
        if start < floor { return true }
        if answer?.through == Self.nowhere {
            isExpired = true
            return true
        }
        guard let answer, !answer.events.isEmpty || answer.through > start else { return false }
        kept = (Deque(answer.events), answer.through)
        return true
    }

    /// Returns once whether the position of the last read has expired.
    mutating func takeExpiry() -> Bool {
        defer { isExpired = false }
        return isExpired
    }

    mutating func removeFirst() { kept?.events.removeFirst() }

    /// Drops the answer, because all of its events are written.
    /// - Returns: the position up to which the log was read.
    mutating func finishWriting() -> Int64? {
        defer { kept = nil }
        return kept?.through
    }

    mutating func removeAll() { kept = nil }
}
