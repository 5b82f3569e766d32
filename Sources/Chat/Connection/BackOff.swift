/// The delays before the attempts to connect again.
///
/// They grow by a factor of 1.3, as the SDK's do, here up to 48 seconds. A random part of up to a quarter is added, so
/// that many sessions do not come back at the same moment. So no delay is longer than 60 seconds. Unlike the SDK's,
/// this never gives up, and it begins anew after a success.
public struct BackOff: Sendable, Equatable {
    private var attempts = 0

    public init() {}

    /// The delay before the next attempt.
    ///
    /// - Parameter random: a number in 0..<1.
    public mutating func next(random: Double) -> Duration {
        attempts = min(attempts + 1, 15)
        var delay = 1.0
        for _ in 0..<attempts { delay *= 1.3 }
        return .milliseconds(Int64(min(delay, 48) * (1 + random / 4) * 1000))
    }

    /// The next delay is the first one again.
    public mutating func reset() { attempts = 0 }
}
