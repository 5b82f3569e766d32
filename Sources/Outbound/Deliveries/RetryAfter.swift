import ChatModel
import Formats

/// The header `Retry-After` of an answer (RFC 9110, 10.2.3): seconds, or a date.
enum RetryAfter {
    /// A server cannot stop deliveries for longer.
    static let maximum = Duration.minutes(24 * 60)

    /// How long the server asks to wait, 24 hours at most. Nil for a date that has passed, and for what is neither a
    /// number nor a date.
    static func delay(_ header: String, now: Timestamp) -> Duration? {
        let text = header.utf8.count <= 64 ? header.trimmingOptionalSpace : ""
        guard !text.isEmpty else { return nil }
        if text.utf8.allSatisfy(\.isDigit) {
            // More digits than a number holds are a long time too.
            return min(Int64(text).map { .seconds($0) } ?? maximum, maximum)
        }
        guard let date = HTTPDate.time(text, now: now), date > now else { return nil }
        return min(.milliseconds(date.milliseconds - now.milliseconds), maximum)
    }
}

extension String {
    /// Without the spaces and tabs around it (OWS of RFC 9110).
    var trimmingOptionalSpace: String {
        guard let first = utf8.firstIndex(where: { !$0.isBlank }),
            let last = utf8.lastIndex(where: { !$0.isBlank })
        else { return "" }
        return String(self[first...last])
    }
}
