/// A time as scenarios and commands take it: `500ms`, `30s`, `10m`, `2h`, `1d`; a number alone is seconds.
package struct DurationText: Sendable {
    package let duration: Duration

    /// Nil for another text.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= 1_000_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": duration = .milliseconds(number)
        case "", "s": duration = .seconds(number)
        case "m": duration = .seconds(number * 60)
        case "h": duration = .seconds(number * 3600)
        case "d": duration = .seconds(number * 86_400)
        default: return nil
        }
    }

    /// The whole time in milliseconds, which is what the API takes.
    package var milliseconds: Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
