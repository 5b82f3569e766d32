import ChatModel
import HTTPRouting

extension OpenMetricsWriter {
    /// Adds the samples of a histogram: cumulative buckets, count and sum. The caller begins the family.
    mutating func histogram(_ name: String, _ labels: [(String, String)], _ histogram: Histogram) {
        var cumulative = 0
        for (index, bound) in Histogram.bounds.enumerated() {
            cumulative += histogram.counts[index]
            sample("\(name)_bucket", labels + [("le", Self.number(bound))], cumulative)
        }
        sample("\(name)_bucket", labels + [("le", "+Inf")], histogram.total)
        sample("\(name)_count", labels, histogram.total)
        sample("\(name)_sum", labels, histogram.sum)
    }
}
