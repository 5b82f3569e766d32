import Formats

/// What differs from run to run, handed in: the time, fresh ids and randomness.
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
