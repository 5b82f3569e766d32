/// A point in time on the wire: milliseconds since 1970-01-01T00:00:00Z, of the years 0000 to 9999.
///
/// An offset from UTC can name a time that is just outside these years. Such a time becomes the first or the last one, so
/// that a single time does not make a whole frame unreadable.
///
/// Read with or without a fraction, with `Z`, `z`, `+01:00` or `+0100`. Written in
/// seconds (a fraction breaks the iOS SDK), by clients as `2026-03-02T09:15:04Z` and
/// by servers as `2026-03-02T09:15:04+00:00`, as the SDKs and the platform do; with
/// milliseconds only in members whose names say so.
public struct WireTime: Sendable, Hashable, Comparable, WireReadable, WireWritable {
    public let milliseconds: Int64

    /// 0000-01-01T00:00:00.000Z to 9999-12-31T23:59:59.999Z
    private static let range: ClosedRange<Int64> = -62_167_219_200_000...253_402_300_799_999

    /// A time outside the years 0000 to 9999 becomes the nearest one inside.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    public static func < (left: WireTime, right: WireTime) -> Bool { left.milliseconds < right.milliseconds }

    /// The time without its fraction of a second: what is left of it after it was sent.
    public var wholeSeconds: WireTime { WireTime(milliseconds: milliseconds.dividedFlooring(by: 1000).quotient * 1000) }

    public init(_ value: WireValue) throws(WireError) {
        guard let text = value.string else { throw value.expected("a time") }
        guard let time = WireTime(text: text) else { throw WireError(.invalid, "expected a time as RFC 3339 writes it") }
        self = time
    }

    public func write(to writer: inout WireWriter) {
        writer.string(text(zone: writer.side == .client ? "Z" : "+00:00"))
    }

    package func text(milliseconds hasMilliseconds: Bool = false, zone: String) -> String {
        let (days, time) = milliseconds.dividedFlooring(by: 86_400_000)
        let date = CivilDate(daysSince1970: days)
        var text: [UInt8] = []
        text.reserveCapacity(30)
        func put(_ number: Int64, digits: Int, then separator: String = "") {
            var divisor: Int64 = 1
            for _ in 1..<digits { divisor *= 10 }
            while divisor > 0 {
                text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
                divisor /= 10
            }
            text.append(contentsOf: separator.utf8)
        }
        put(date.year, digits: 4, then: "-")
        put(date.month, digits: 2, then: "-")
        put(date.day, digits: 2, then: "T")
        put(time / 3_600_000, digits: 2, then: ":")
        put(time / 60_000 % 60, digits: 2, then: ":")
        put(time / 1000 % 60, digits: 2)
        if hasMilliseconds {
            text.append(UInt8(ascii: "."))
            put(time % 1000, digits: 3)
        }
        text.append(contentsOf: zone.utf8)
        return String(decoding: text, as: UTF8.self)
    }

    /// Nil when the text is no date with a time and a zone.
    public init?(text: String) {
        var text = Substring(text).utf8
        func number(digits: Int) -> Int64? {
            guard text.count >= digits else { return nil }
            var number: Int64 = 0
            for _ in 0..<digits {
                let byte = text.removeFirst()
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
                number = number * 10 + Int64(byte - UInt8(ascii: "0"))
            }
            return number
        }
        func take(_ characters: String) -> UInt8? {
            guard let byte = text.first, characters.utf8.contains(byte) else { return nil }
            return text.removeFirst()
        }
        guard let year = number(digits: 4), take("-") != nil, let month = number(digits: 2), take("-") != nil,
              let day = number(digits: 2), take("Tt ") != nil, let hour = number(digits: 2), take(":") != nil,
              let minute = number(digits: 2), take(":") != nil, let second = number(digits: 2),
              (1...12).contains(month), hour < 24, minute < 60, second < 61
        else { return nil }
        let date = CivilDate(year: year, month: month, day: day)
        guard CivilDate(daysSince1970: date.daysSince1970) == date else { return nil }
        var fraction: Int64 = 0
        if take(".,") != nil {
            var scale: Int64 = 100
            guard let first = number(digits: 1) else { return nil }
            fraction = first * scale
            while let byte = take("0123456789") {
                scale /= 10
                fraction += Int64(byte - UInt8(ascii: "0")) * scale
            }
        }
        var offset: Int64 = 0
        if take("Zz") == nil {
            guard let sign = take("+-"), let hours = number(digits: 2) else { return nil }
            _ = take(":")
            guard let minutes = text.isEmpty ? 0 : number(digits: 2), hours < 24, minutes < 60 else { return nil }
            offset = (hours * 60 + minutes) * (sign == UInt8(ascii: "-") ? -60_000 : 60_000)
        }
        guard text.isEmpty else { return nil }
        self.init(
            milliseconds: date.daysSince1970 * 86_400_000 + hour * 3_600_000 + minute * 60_000 + second * 1000
                + fraction - offset)
    }
}

extension WireWriter {
    /// A member such as `createdAtWithMilliseconds`.
    mutating func member(_ name: StaticString, milliseconds time: WireTime?) {
        guard let time else { return }
        self.name(name)
        string(time.text(milliseconds: true, zone: side == .client ? "Z" : "+00:00"))
    }
}

/// The proleptic Gregorian calendar, by the usual count of days in eras of 400 years that begin in March.
private struct CivilDate: Equatable {
    var year: Int64, month: Int64, day: Int64

    init(year: Int64, month: Int64, day: Int64) { (self.year, self.month, self.day) = (year, month, day) }

    init(daysSince1970 days: Int64) {
        let (era, dayOfEra) = (days + 719_468).dividedFlooring(by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shifted + 2) / 5 + 1
        month = shifted < 10 ? shifted + 3 : shifted - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = shiftedYear.dividedFlooring(by: 400)
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

extension Int64 {
    fileprivate func dividedFlooring(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
