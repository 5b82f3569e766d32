import ChatModel

/// The header `Retry-After` (RFC 9110, section 10.2.3).
enum RetryAfterHeader {
    /// Seconds. A service that asks for more gets this.
    static let maximumDelay = 86_400

    /// The time that the header names: seconds from now, or a date. Never before now, never later than
    /// ``maximumDelay``.
    ///
    /// Nil for anything else, and for the two old spellings of a date, which no server may write.
    static func time(_ text: String, now: Timestamp) -> Timestamp? {
        let text = text.drop { $0 == " " }
        let latest = now.advanced(bySeconds: maximumDelay)
        if !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            guard let seconds = Int(text) else { return latest }
            return min(now.advanced(bySeconds: seconds), latest)
        }
        return date(text).map { min(max($0, now), latest) }
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`
    private static func date(_ text: Substring) -> Timestamp? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[3].utf8.count == 4,
              parts[4].utf8.count == 8, parts[5] == "GMT", let month = months.firstIndex(of: String(parts[2]))
        else { return nil }
        let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
        return Timestamp(rfc3339: "\(parts[3])-\(number)-\(parts[1])T\(parts[4])Z")
    }

    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
