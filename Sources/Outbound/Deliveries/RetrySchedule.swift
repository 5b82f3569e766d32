import ChatModel
import ChatStore
import Formats
import HeapModule

/// How long to wait after each failure in a row.
///
/// Each delay is multiplied by a random 0.75 to 1.25, so that what failed together does not come back in one instant.
struct RetrySchedule: Sendable, Equatable {
    /// What is done when the steps are used up.
    private enum End: Equatable {
        case giveUp
        case goOn(every: Duration)
    }

    private let steps: [Duration]
    private let end: End

    /// After answers that speak of one event: its lane waits, then the delivery is dead.
    static let event = RetrySchedule(steps: [.seconds(5), .minutes(1), .minutes(5), .minutes(30)], end: .giveUp)

    /// After failures that speak of the whole target: one probe after each delay, without an end.
    static let target = RetrySchedule(
        steps: [.seconds(1), .seconds(5), .seconds(15), .minutes(1), .minutes(5), .minutes(15), .minutes(30)],
        end: .goOn(every: .minutes(60)))

    /// For programs of another platform, which tries three times in all.
    static let callback = RetrySchedule(steps: [.seconds(1), .seconds(5)], end: .giveUp)

    /// For devices. The end is ``timeToLive`` of the event.
    static let push = RetrySchedule(
        steps: [.seconds(5), .seconds(15), .minutes(1), .minutes(5)], end: .goOn(every: .minutes(15)))

    /// For devices that wait for what an operator has to mend, with their app or alone.
    static let held = RetrySchedule(steps: [], end: .goOn(every: AppHolds.pause))

    /// How long after its creation an event is worth a push.
    static let timeToLive = Duration.minutes(24 * 60)

    /// A target that takes nothing for so long is disabled.
    static let patience = Duration.minutes(72 * 60)

    /// The wait that begins now; nil when there is none, and the delivery is dead.
    ///
    /// - Parameters:
    ///   - failures: in a row, with the one that has just been; from 1.
    ///   - random: a number in 0..<1.
    ///   - retryAfter: what the answer asked for. It counts when it is longer; see ``RetryAfter``.
    ///   - deadline: nothing is tried at or after this time.
    func wait(
        afterFailures failures: Int, at now: Timestamp, random: Double, retryAfter: Duration? = nil,
        deadline: Timestamp? = nil
    ) -> RetryWait? {
        guard let step = step(afterFailures: failures) else { return nil }
        let factor = 0.75 + min(max(random, 0), 1) / 2
        let delay = max(Duration.milliseconds(Int64(Double(step.wholeMilliseconds) * factor)), retryAfter ?? .zero)
        let wait = RetryWait(startedAt: now, delay: delay)
        if let deadline, wait.nextAt >= deadline { return nil }
        return wait
    }

    /// Whether a target that has failed since then is to be disabled.
    static func isExhausted(failingSince: Timestamp, now: Timestamp) -> Bool {
        failingSince.advanced(by: patience) <= now
    }

    private func step(afterFailures failures: Int) -> Duration? {
        let index = max(failures, 1) - 1
        if index < steps.count { return steps[index] }
        switch end {
        case .giveUp: return nil
        case .goOn(let delay): return delay
        }
    }
}

/// A wait that ends at a time of the wall clock, but never lasts longer than its delay.
///
/// The wall clock may be set while it lasts. Whoever sleeps for ``remaining(at:)`` on a clock that only goes forward is
/// done afterwards, whatever the wall clock says then.
package struct RetryWait: Sendable, Equatable {
    package let startedAt: Timestamp
    package let nextAt: Timestamp

    init(startedAt: Timestamp, delay: Duration) {
        self.startedAt = startedAt
        nextAt = startedAt.advanced(by: delay)
    }

    /// A wait that was stored.
    ///
    /// - Parameter startedAt: when the last attempt ended, or the delivery was made.
    package init(startedAt: Timestamp, nextAt: Timestamp) {
        self.startedAt = startedAt
        self.nextAt = nextAt
    }

    /// How long it still lasts: at most its delay; zero when it is over.
    ///
    /// A time before its start tells that the clock was set back. It is over then: nobody knows how long it has lasted.
    package func remaining(at now: Timestamp) -> Duration {
        guard now >= startedAt, now < nextAt else { return .zero }
        return .milliseconds(nextAt.milliseconds - now.milliseconds)
    }
}

extension TargetHealth {
    /// How long until one delivery may be tried; zero for a target that does not fail.
    func probeWait(at now: Timestamp) -> Duration {
        guard state == .failing, let nextAt else { return .zero }
        return RetryWait(startedAt: lastAttemptAt ?? now, nextAt: nextAt).remaining(at: now)
    }
}

extension DeliveryRecord {
    /// The delivery as it waits after an attempt with this end; nil if it does not wait any more.
    func after(_ end: DeliveryResult.End) -> DeliveryRecord? {
        var waiting = self
        switch end {
        case .delivered, .dead: return nil
        case .refused(let nextAt):
            waiting.refusalCount += 1
            waiting.nextAt = nextAt
        case .waiting: break
        }
        return waiting
    }

    /// How long until it may be tried, for its own sake.
    func ownWait(at now: Timestamp) -> Duration {
        guard let nextAt else { return .zero }
        return RetryWait(startedAt: lastAttemptAt ?? createdAt, nextAt: nextAt).remaining(at: now)
    }
}

/// How long to leave the store alone after it failed: 1 s, doubling to 60 s.
struct StorageWait {
    private var next = Duration.seconds(1)

    mutating func fail() -> Duration {
        defer { next = min(next * 2, .seconds(60)) }
        return next
    }

    mutating func succeed() { next = .seconds(1) }
}

extension Duration {
    static func minutes(_ minutes: Int64) -> Duration { .seconds(60 * minutes) }

    /// Rounded toward zero; durations beyond 64 bits give the largest number.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, isBeyond) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isBeyond ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Timestamp {
    func advanced(by duration: Duration) -> Timestamp { advanced(byMilliseconds: duration.wholeMilliseconds) }
}

/// The header `Retry-After` of an answer (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// A server cannot stop deliveries for longer.
    static let maximum = Duration.minutes(24 * 60)

    /// How long the server asks to wait, 24 hours at most. Nil for a date that has passed, and for what is neither a
    /// number nor a date.
    static func delay(_ header: String, now: Timestamp) -> Duration? {
        let text = header.utf8.count <= 64 ? header.trimmingOptionalSpace : ""
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy(\.isDigit) {
            // More digits than a number holds are a long time too.
            return min(Int64(text).map { .seconds($0) } ?? maximum, maximum)
        }
        guard let date = HTTPDate.time(text, now: now), date > now else { return nil }
        return min(.milliseconds(date.milliseconds - now.milliseconds), maximum)
    }
}

extension String {
    /// Without the spaces and tabs around it (OWS of RFC 9110).
    var trimmingOptionalSpace: String {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }),
            let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[first...last])
    }
}

/// A date of HTTP (RFC 9110, 5.6.7), in each of the three forms that a recipient has to read.
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
///
/// The name of the day is not compared with the date.
enum HTTPDate {
    /// Nil for anything else, and for a day that its month does not have.
    ///
    /// - Parameter now: a year of two digits is the last one that is no more than 50 years ahead.
    static func time(_ text: String, now: Timestamp) -> Timestamp? {
        let parts = text.split(separator: " ").map(String.init)
        if parts.count == 6, parts[5] == "GMT", parts[0].hasSuffix(",") {
            return time(year: parts[3], month: parts[2], day: parts[1], clock: parts[4])
        }
        if parts.count == 4, parts[3] == "GMT", parts[0].hasSuffix(",") {
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, date[2].utf8.count == 2, let thisYear = Int(now.rfc3339.prefix(4)),
                let twoDigits = Int(digits: "1" + date[2])
            else { return nil }
            let latest = thisYear + 50
            // `twoDigits` is 100 to 199, so the remainder is 0 to 99.
            let year = latest - (latest + 200 - twoDigits) % 100
            return time(year: "\(year)", month: date[1], day: date[0], clock: parts[2])
        }
        if parts.count == 5 {
            let day = parts[2].utf8.count == 1 ? "0" + parts[2] : parts[2]
            return time(year: parts[4], month: parts[1], day: day, clock: parts[3])
        }
        return nil
    }

    private static func time(year: String, month: String, day: String, clock: String) -> Timestamp? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let index = months.firstIndex(of: month), year.utf8.count == 4, day.utf8.count == 2,
            clock.utf8.count == 8
        else { return nil }
        return Timestamp(rfc3339: "\(year)-\(index < 9 ? "0" : "")\(index + 1)-\(day)T\(clock)Z")
    }
}

/// Times at which something is due, each under a key. To set, to remove or to take one costs log n.
struct Alarms<Key: Hashable & Sendable, Time: Hashable & Comparable & Sendable>: Sendable {
    private struct Alarm: Comparable, Sendable {
        let time: Time
        let key: Key

        static func < (left: Alarm, right: Alarm) -> Bool { left.time < right.time }
    }

    private var times: [Key: Time] = [:]
    /// With alarms that were set anew or removed since.
    private var heap = Heap<Alarm>()

    /// Whether the key has a time, which was not taken yet.
    func contains(_ key: Key) -> Bool { times[key] != nil }

    /// Alarms in memory, with those that do not count any more.
    var storedCount: Int { heap.count }

    /// The earliest time.
    var next: Time? {
        mutating get {
            dropStale()
            return heap.min?.time
        }
    }

    /// Replaces the time that the key has.
    mutating func set(_ key: Key, at time: Time) {
        times[key] = time
        heap.insert(Alarm(time: time, key: key))
        guard heap.count > 64 + 2 * times.count else { return }
        heap = Heap(times.map { Alarm(time: $0.value, key: $0.key) })
    }

    mutating func remove(_ key: Key) { times[key] = nil }

    /// Removes the earliest alarm whose time has come, and returns its key; nil if there is none.
    mutating func popDue(at now: Time) -> Key? {
        dropStale()
        guard let first = heap.min, first.time <= now else { return nil }
        heap.removeMin()
        assert(times[first.key] == first.time, "An alarm that was set anew or removed does not ring.")
        times[first.key] = nil
        return first.key
    }

    private mutating func dropStale() {
        while let first = heap.min, times[first.key] != first.time { heap.removeMin() }
    }
}
