/// A point in time: milliseconds since 1970-01-01T00:00:00Z.
///
/// Written as RFC 3339 with milliseconds and `Z`, always 24 characters. Only times that can be written in this way
/// exist: the years 0 to 9999 in UTC. Numbers and arithmetic beyond an end give that end; text beyond an end is no
/// time, unless it is read as another platform's (``init(iso8601:)``).
///
/// ```swift
/// let noon = Timestamp(rfc3339: "2026-11-26T13:00:00+01:00")
/// print(noon?.advanced(bySeconds: 30).rfc3339 ?? "no time")  // 2026-11-26T12:00:30.000Z
/// ```
public struct Timestamp: Sendable, Hashable, Comparable {
    public let milliseconds: Int64

    /// 0000-01-01T00:00:00.000Z
    public static let earliest = Timestamp(milliseconds: range.lowerBound)
    /// 9999-12-31T23:59:59.999Z
    public static let latest = Timestamp(milliseconds: range.upperBound)
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    public func advanced(byMilliseconds amount: Int64) -> Timestamp {
        let (sum, overflows) = milliseconds.addingReportingOverflow(amount)
        return overflows ? (amount < 0 ? .earliest : .latest) : Timestamp(milliseconds: sum)
    }

    public func advanced(bySeconds amount: Int) -> Timestamp {
        let (product, overflows) = Int64(amount).multipliedReportingOverflow(by: 1000)
        return overflows ? (amount < 0 ? .earliest : .latest) : advanced(byMilliseconds: product)
    }

    public var rfc3339: String {
        String(unsafeUninitializedCapacity: 24) { text in
            withQuotedRFC3339 { _ = text.update(fromContentsOf: $0[1..<25]) }
            return 24
        }
    }

    /// The JSON string, quotes included, without an allocation. The bytes are valid inside `body`.
    func withQuotedRFC3339<T>(_ body: (UnsafeMutableBufferPointer<UInt8>) -> T) -> T {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 26) { text in
            text.initialize(repeating: UInt8(ascii: "\""))
            write(to: text)
            return body(text)
        }
    }

    /// Writes the time between the quotes of 26 bytes.
    private func write(to text: UnsafeMutableBufferPointer<UInt8>) {
        let (days, time) = milliseconds.quotientFlooring(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        func put(_ number: Int64, at position: Int, digits: Int) {
            var rest = number
            for index in stride(from: position + digits - 1, through: position, by: -1) {
                text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
        }
        put(date.year, at: 1, digits: 4)
        text[5] = UInt8(ascii: "-")
        put(date.month, at: 6, digits: 2)
        text[8] = UInt8(ascii: "-")
        put(date.day, at: 9, digits: 2)
        text[11] = UInt8(ascii: "T")
        put(time / 3_600_000, at: 12, digits: 2)
        text[14] = UInt8(ascii: ":")
        put(time / 60_000 % 60, at: 15, digits: 2)
        text[17] = UInt8(ascii: ":")
        put(time / 1000 % 60, at: 18, digits: 2)
        text[20] = UInt8(ascii: ".")
        put(time % 1000, at: 21, digits: 3)
        text[24] = UInt8(ascii: "Z")
    }

    /// RFC 3339 with or without milliseconds. `zone` is the spelling of UTC that the reader wants: `Z` or `+00:00`.
    public func rfc3339(hasMilliseconds: Bool, zone: String) -> String {
        String(rfc3339.prefix(hasMilliseconds ? 23 : 19)) + zone
    }

    /// The time without its fraction of a second.
    public var wholeSeconds: Timestamp {
        Timestamp(milliseconds: milliseconds - milliseconds.quotientFlooring(by: 1000).remainder)
    }

    /// Reads RFC 3339 with or without a fraction, with `Z`, `z`, `+01:00` or `+0100`. Nil for anything else, for a day
    /// that its month does not have, and for a time outside the years 0 to 9999 in UTC.
    public init?(rfc3339 text: String) {
        guard let milliseconds = Self.milliseconds(of: text, isLenient: false), Self.range.contains(milliseconds)
        else { return nil }
        self.init(milliseconds: milliseconds)
    }

    /// Reads what other platforms send: as ``init(rfc3339:)``, and of ISO 8601 also a comma before the fraction and an
    /// offset of hours alone.
    ///
    /// An offset from UTC can name a time that is just outside the years 0 to 9999. Such a time becomes the first or
    /// the last one, so that a single time does not make a whole frame unreadable.
    public init?(iso8601 text: String) {
        guard let milliseconds = Self.milliseconds(of: text, isLenient: true) else { return nil }
        self.init(milliseconds: milliseconds)
    }

    private static func milliseconds(of text: String, isLenient: Bool) -> Int64? {
        let bytes = Array(text.utf8)
        func number(_ range: Range<Int>) -> Int64? {
            guard range.upperBound <= bytes.count else { return nil }
            var value: Int64 = 0
            for byte in bytes[range] {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return value
        }
        guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t") || bytes[10] == UInt8(ascii: " "),
            bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
            let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
        else { return nil }
        var position = 19
        var fraction: Int64 = 0
        if bytes[position] == UInt8(ascii: ".") || isLenient && bytes[position] == UInt8(ascii: ",") {
            position += 1
            var scale: Int64 = 100
            let start = position
            while position < bytes.count, let digit = number(position..<position + 1) {
                fraction += digit * scale
                scale /= 10
                position += 1
            }
            guard position > start else { return nil }
        }
        guard position < bytes.count else { return nil }
        var offset: Int64 = 0
        switch bytes[position] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard position + 1 == bytes.count else { return nil }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            let colon = bytes.count == position + 6 ? 1 : 0
            let hasMinutes = !isLenient || bytes.count != position + 3
            guard bytes.count == position + (hasMinutes ? 5 + colon : 3),
                let hours = number(position + 1..<position + 3),
                colon == 0 || bytes[position + 3] == UInt8(ascii: ":"),
                let minutes = hasMinutes ? number(position + 3 + colon..<position + 5 + colon) : 0,
                hours < 24, minutes < 60
            else { return nil }
            offset = (hours * 60 + minutes) * (bytes[position] == UInt8(ascii: "-") ? -60_000 : 60_000)
        default: return nil
        }
        let date = CivilDate(year: year, month: month, day: day)
        let time = hour * 3_600_000 + minute * 60_000 + second * 1000 + fraction - offset
        guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
        return date.daysSince1970 * 86_400_000 + time
    }
}

/// A day of the proleptic Gregorian calendar, by the usual count of days in eras of 400 years that begin in March.
///
/// ```swift
/// print(CivilDate("2028-02-29")?.weekday ?? .monday)  // tuesday
/// ```
public struct CivilDate: Sendable, Hashable, Comparable {
    /// As ISO 8601 counts the days of the week, from 1 for Monday.
    public enum Weekday: Int, Sendable, CaseIterable {
        case monday = 1
        case tuesday, wednesday, thursday, friday, saturday, sunday
    }

    public let year: Int64, month: Int64, day: Int64

    init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

    /// The days may be 10^12 before or after 1970.
    public init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + 719_468).quotientFlooring(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// Reads `2026-12-24`. Nil for anything else, and for a day that its month does not have.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10]), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        self.init(year: year, month: month, day: day)
        guard CivilDate(daysSince1970: daysSince1970) == self else { return nil }
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
        var value: Int64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            value = value * 10 + Int64(digit - UInt8(ascii: "0"))
        }
        return value
    }

    public var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.quotientFlooring(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// 1970-01-01 was a Thursday.
    public var weekday: Weekday {
        Weekday(rawValue: Int((daysSince1970 + 3).quotientFlooring(by: 7).remainder) + 1) ?? .monday
    }

    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }

    /// `2026-12-24`; of the years 0 to 9999.
    public var text: String {
        func digits(_ number: Int64, _ count: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, count - digits.count)) + digits
        }
        return "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))"
    }
}

extension Int64 {
    /// The divisor is above 0.
    func quotientFlooring(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
