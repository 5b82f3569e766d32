import ChatModel
import Formats

extension Duration {
    static func minutes(_ minutes: Int64) -> Duration { .seconds(60 * minutes) }

    /// Rounded toward zero; durations beyond 64 bits give the largest number.
    var wholeMilliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflows else { return seconds < 0 ? .min : .max }
        let (sum, isBeyond) = product.addingReportingOverflow(attoseconds / 1_000_000_000_000_000)
        return isBeyond ? (seconds < 0 ? .min : .max) : sum
    }
}

extension Timestamp {
    func advanced(by duration: Duration) -> Timestamp { advanced(byMilliseconds: duration.wholeMilliseconds) }
}
