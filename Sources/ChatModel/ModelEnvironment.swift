import Formats

/// What differs from run to run, handed in: the time, fresh ids and randomness.
///
/// ```swift
/// // As a test makes it: each run sees the same time, ids and numbers.
/// let environment = ModelEnvironment(
///     now: { Timestamp(milliseconds: 0) }, makeID: { "id-1" }, random: { 0.5 })
/// print(environment.now().rfc3339)  // 1970-01-01T00:00:00.000Z
/// ```
public struct ModelEnvironment: Sendable {
    public var now: @Sendable () -> Timestamp
    /// A new id that nobody has: a UUID in lower case. Ids should sort by the time at which they were made, because
    /// rows with such ids stand together in an index.
    public var makeID: @Sendable () -> String
    /// A number in 0..<1.
    public var random: @Sendable () -> Double

    public init(
        now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String,
        random: @escaping @Sendable () -> Double
    ) {
        self.now = now
        self.makeID = makeID
        self.random = random
    }
}
