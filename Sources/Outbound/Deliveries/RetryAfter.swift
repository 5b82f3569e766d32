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

/// A date of HTTP (RFC 9110, 5.6.7), in each of the three forms that a recipient has to read.
///
///     Sun, 06 Nov 1994 08:49:37 GMT
///     Sunday, 06-Nov-94 08:49:37 GMT
///     Sun Nov  6 08:49:37 1994
///
/// The name of the day is not compared with the date.
enum HTTPDate {
    /// Nil for anything else, and for a day that its month does not have.
    ///
    /// - Parameter now: a year of two digits is the last one that is no more than 50 years ahead.
    static func time(_ text: String, now: Timestamp) -> Timestamp? {
        let parts = text.split(separator: " ").map(String.init)
        if parts.count == 6, parts[5] == "GMT", parts[0].hasSuffix(",") {
            return time(year: parts[3], month: parts[2], day: parts[1], clock: parts[4])
        }
        if parts.count == 4, parts[3] == "GMT", parts[0].hasSuffix(",") {
            let date = parts[1].split(separator: "-", omittingEmptySubsequences: false).map(String.init)
            guard date.count == 3, date[2].utf8.count == 2, let thisYear = Int(now.rfc3339.prefix(4)),
                let twoDigits = Int(digits: "1" + date[2])
            else { return nil }
            let latest = thisYear + 50
            // `twoDigits` is 100 to 199, so the remainder is 0 to 99.
            let year = latest - (latest + 200 - twoDigits) % 100
            return time(year: "\(year)", month: date[1], day: date[0], clock: parts[2])
        }
        if parts.count == 5 {
            let day = parts[2].utf8.count == 1 ? "0" + parts[2] : parts[2]
            return time(year: parts[4], month: parts[1], day: day, clock: parts[3])
        }
        return nil
    }

    private static func time(year: String, month: String, day: String, clock: String) -> Timestamp? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard let index = months.firstIndex(of: month), year.utf8.count == 4, day.utf8.count == 2,
            clock.utf8.count == 8
        else { return nil }
        return Timestamp(rfc3339: "\(year)-\(index < 9 ? "0" : "")\(index + 1)-\(day)T\(clock)Z")
    }
}
