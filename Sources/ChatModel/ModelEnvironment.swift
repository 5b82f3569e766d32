import Formats

/// What differs from run to run and from machine to machine, handed in: the time, fresh ids, randomness and time zones.
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
    /// The time zone of a name, such as `Europe/Berlin`; nil for one that this machine does not have. It may read a small file.
    public var timeZone: @Sendable (String) -> TimeZoneRules?

    public init(
        now: @escaping @Sendable () -> Timestamp, makeID: @escaping @Sendable () -> String,
        random: @escaping @Sendable () -> Double,
        timeZone: @escaping @Sendable (String) -> TimeZoneRules? = { $0 == "UTC" ? .utc : nil }
    ) {
        self.now = now
        self.makeID = makeID
        self.random = random
        self.timeZone = timeZone
    }
}
