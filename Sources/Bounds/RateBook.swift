/// How often something may be done: so often at once, and so often in an hour in the long run.
public struct Rate: Sendable, Hashable {
    public let burst: Int
    public let perHour: Int

    /// - Parameters:
    ///   - burst: at least 1.
    ///   - perHour: 0 means without limit.
    public init(burst: Int, perHour: Int) {
        self.burst = max(1, burst)
        self.perHour = max(0, perHour)
    }

    /// The smaller of both numbers of two rates.
    public func lesser(_ other: Rate) -> Rate {
        let limited = [perHour, other.perHour].filter { $0 > 0 }
        return Rate(burst: min(burst, other.burst), perHour: limited.min() ?? 0)
    }

    /// Microseconds after which one more may be done.
    fileprivate var step: Int64 { 3_600_000_000 / Int64(max(1, perHour)) }
}

/// Counts what is done under each key, and tells who does it too often.
///
/// A key has ``Rate/burst`` tries, and gets one back as often as ``Rate/perHour`` says. One number a key is enough: the
/// moment at which all of its tries are back. A key that has all its tries is forgotten without a loss. At
/// ``capacity`` keys, the one that is nearest to that is forgotten.
///
/// ```swift
/// var book = RateBook<String>()
/// let rate = Rate(burst: 1, perHour: 60)
/// print(book.countTry("session-1", at: 0, rate) == nil)  // true: allowed
/// print(book.countTry("session-1", at: 0, rate) ?? 0)  // 60000000: the next one in a minute
/// ```
public struct RateBook<Key: Hashable & Sendable>: Sendable {
    public let capacity: Int
    /// When all tries of a key are back, in microseconds.
    private var full: [Key: Int64] = [:]

    public init(capacity: Int = 4096) { self.capacity = max(1, capacity) }

    /// How many keys are remembered.
    public var count: Int { full.count }

    /// Counts one try, or several that go together. What is refused is not counted.
    ///
    /// - Parameters:
    ///   - now: microseconds on a clock that never goes back.
    ///   - count: more than the rate's burst are never possible.
    /// - Returns: nil, or the microseconds until the next try is possible, at least 1.
    public mutating func countTry(_ key: Key, at now: Int64, _ rate: Rate, count: Int = 1) -> Int64? {
        guard rate.perHour > 0 else { return nil }
        if let wait = wait(of: key, at: now, rate, count: count) { return wait }
        if full[key] == nil, full.count >= capacity { forget(at: now) }
        full[key] = max(now, full[key] ?? now) + rate.step * Int64(count)
        return nil
    }

    /// What ``countTry(_:at:_:count:)`` would return, without a try.
    public func wait(of key: Key, at now: Int64, _ rate: Rate, count: Int = 1) -> Int64? {
        guard rate.perHour > 0 else { return nil }
        // A debt of all tries but one leaves one.
        let wait = max(0, (full[key] ?? now) - now) - rate.step * Int64(rate.burst - count)
        return wait > 0 ? wait : nil
    }

    private mutating func forget(at now: Int64) {
        full = full.filter { $0.value > now }
        if full.count >= capacity, let nearest = full.min(by: { $0.value < $1.value }) { full[nearest.key] = nil }
    }
}
