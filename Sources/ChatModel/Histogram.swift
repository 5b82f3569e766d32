/// Durations counted by upper bounds, in seconds.
public struct Histogram: Sendable {
    public static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// Not cumulative; the last counts what is above all bounds.
    public private(set) var counts = [Int](repeating: 0, count: Histogram.bounds.count + 1)
    public private(set) var sum = 0.0

    public init() {}

    public var total: Int { counts.reduce(0, +) }

    /// Counts a duration, in seconds, under the least bound that is not below it.
    public mutating func observe(_ seconds: Double) {
        sum += seconds
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
    }
}
