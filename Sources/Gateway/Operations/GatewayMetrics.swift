import ChatModel
import HTTPRouting
import MicroHTTP

/// The durations of requests, by route and class of status.
///
/// `@unchecked Sendable`: after ``prepare(_:)`` it is used on the loop's thread only.
final class GatewayMetrics: @unchecked Sendable {
    /// One histogram with its labels; durations in seconds.
    struct Series {
        var route: String
        var method: String
        var statusClass: String
        var histogram = Histogram()
    }

    private static let classes = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"]
    private var labels: [(route: String, method: String)] = []
    /// One for each route and class, row by row; nil until something was counted, to save memory.
    private var histograms: [Histogram?] = []

    /// Sets up a row for each route, and one for requests without a route. Call it once, before the server starts.
    func prepare(_ routes: [Route]) {
        labels = routes.map { ($0.template, $0.method.rawValue) } + [("none", "none")]
        histograms = Array(repeating: nil, count: labels.count * Self.classes.count)
    }

    /// Counts a finished request. `status` 0, when the connection failed before the answer, goes into the class `none`.
    /// - Parameter route: the route's index; nil for a request without a route.
    func observe(_ route: Int?, status: Int, duration: Duration) {
        let row = route ?? labels.count - 1
        let index = row * Self.classes.count + (0...5).clamp(status / 100)
        guard histograms.indices.contains(index) else { return }
        if histograms[index] == nil { histograms[index] = Histogram() }
        histograms[index]?.observe(duration / .seconds(1))
    }

    /// The histograms that have counted anything.
    var series: [Series] {
        histograms.indices.compactMap { index in
            guard let histogram = histograms[index] else { return nil }
            let label = labels[index / Self.classes.count]
            return Series(
                route: label.route, method: label.method, statusClass: Self.classes[index % Self.classes.count],
                histogram: histogram)
        }
    }
}

extension ClosedRange<Int> {
    fileprivate func clamp(_ value: Int) -> Int { Swift.min(Swift.max(value, lowerBound), upperBound) }
}
