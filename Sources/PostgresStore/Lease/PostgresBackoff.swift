/// The pauses between attempts to reach a database that is away: from 50 ms, twice as long each time, up to 2 s.
///
/// Each is shortened at random by up to a half, so that not all gateways come back at the same moment.
struct PostgresBackoff {
    private static let first = Duration.milliseconds(50)
    private static let longest = Duration.seconds(2)
    private var pause = Self.first

    /// - Parameter random: from 0 to 1.
    mutating func next(_ random: Double) -> Duration {
        defer { pause = min(pause * 2, Self.longest) }
        return pause * (1 - min(max(random, 0), 1) / 2)
    }

    mutating func reset() { pause = Self.first }
}
