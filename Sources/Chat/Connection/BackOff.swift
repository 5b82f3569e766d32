/// How long to wait before each attempt to connect again.
///
/// The SDK's rule: min(1.3^min(n, 10) + random 0..<1, 30) seconds for attempt n = 1, 2, ...,
/// 20 attempts; unlike there, the counter begins anew after a success.
public struct BackOff: Sendable, Equatable {
    public static let maximumAttempts = 20

    public private(set) var attempts = 0

    public init() {}

    /// The delay before the next attempt, or nil when it is time to give up.
    ///
    /// - Parameter random: a number in 0..<1.
    public mutating func next(random: Double) -> Duration? {
        guard attempts < Self.maximumAttempts else { return nil }
        attempts += 1
        var delay = 1.0
        for _ in 0..<min(attempts, 10) { delay *= 1.3 }
        return .milliseconds(Int64(min(delay + random, 30) * 1000))
    }

    public mutating func reset() { attempts = 0 }
}
