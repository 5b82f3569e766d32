/// What holds after the last change of a time zone's file: a standard time, and every year a summer time if there is one.
///
/// It is the file's last line, a value of POSIX's variable TZ such as `CET-1CEST,M3.5.0,M10.5.0/3` (RFC 9636, 3.3.1).
struct ZoneTail: Sendable, Hashable {
    /// A day of every year, and the time of it, in seconds from its begin by the clocks before the change.
    struct Change: Sendable, Hashable {
        enum Day: Sendable, Hashable {
            /// From 1; a 29 February is never counted.
            case julian(Int64)
            /// From 0.
            case ofYear(Int64)
            /// The `week`-th such day of the month; 5 is the last one. Sunday is 0.
            case ofMonth(Int64, week: Int64, weekday: Int64)
        }
        var day: Day
        var seconds: Int64
    }

    struct Summer: Sendable, Hashable {
        /// Seconds east of UTC.
        var offset: Int64
        var begin: Change
        var end: Change
    }

    /// Seconds east of UTC.
    let standard: Int64
    let summer: Summer?

    func offset(at time: Int64) -> Int64 {
        guard let summer else { return standard }
        let isSummer = changes(around: time).last { $0.time <= time }?.isSummer ?? false
        return isSummer ? summer.offset : standard
    }

    /// The changes of the year of this time, and of the years beside it, in their order.
    func changes(around time: Int64) -> [(time: Int64, isSummer: Bool)] {
        guard let summer else { return [] }
        let year = CivilDate(daysSince1970: (time + standard).quotientFlooring(by: 86_400).quotient).year
        let changes = (year - 1...year + 1).flatMap { year in
            [
                (time: summer.begin.local(in: year) - standard, isSummer: true),
                (time: summer.end.local(in: year) - summer.offset, isSummer: false),
            ]
        }
        // Of two at once the later one in the list holds: a summer time of all the year ends where that of the next begins.
        return changes.enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }
            .map(\.element)
    }
}

extension ZoneTail.Change {
    /// The change in a year, by the clocks before it: seconds since 1970 as if they showed UTC.
    fileprivate func local(in year: Int64) -> Int64 { days(in: year) * 86_400 + seconds }

    private func days(in year: Int64) -> Int64 {
        let first = CivilDate(year: year, month: 1, day: 1).daysSince1970
        switch day {
        case .ofYear(let number): return first + number
        case .julian(let number):
            let march = CivilDate(year: year, month: 3, day: 1).daysSince1970
            return number < 60 ? first + number - 1 : march + number - 60
        case .ofMonth(let month, let week, let weekday):
            let begin = CivilDate(year: year, month: month, day: 1).daysSince1970
            let end = CivilDate(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1).daysSince1970
            // 1970-01-01 was a Thursday.
            let shift = (weekday - (begin + 4)).quotientFlooring(by: 7).remainder
            let day = begin + shift + (week - 1) * 7
            return day < end ? day : day - 7
        }
    }
}

/// Reads a ``ZoneTail``.
struct ZoneTailReader {
    private var rest: ArraySlice<UInt8>

    /// Nil for what is no such text, and for a summer time that does not say when it is.
    static func read(_ text: ArraySlice<UInt8>) -> ZoneTail? {
        var reader = ZoneTailReader(rest: text)
        guard reader.skipName(), let standard = reader.offset() else { return nil }
        guard !reader.rest.isEmpty else { return ZoneTail(standard: -standard, summer: nil) }
        guard reader.skipName() else { return nil }
        var summer = -standard + 3600
        if reader.rest.first != UInt8(ascii: ",") {
            guard let offset = reader.offset() else { return nil }
            summer = -offset
        }
        guard let begin = reader.change(), let end = reader.change(), reader.rest.isEmpty else { return nil }
        return ZoneTail(
            standard: -standard, summer: ZoneTail.Summer(offset: summer, begin: begin, end: end))
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard rest.first == byte else { return false }
        rest = rest.dropFirst()
        return true
    }

    private mutating func skipName() -> Bool {
        if skip(UInt8(ascii: "<")) {
            rest = rest.drop { $0 != UInt8(ascii: ">") }
            return skip(UInt8(ascii: ">"))
        }
        let before = rest.count
        rest = rest.drop { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20) }
        return before - rest.count >= 3
    }

    /// A number of at most three digits.
    private mutating func number(in range: ClosedRange<Int64>) -> Int64? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(Int64(0)) { $0 * 10 + Int64($1 - UInt8(ascii: "0")) }
        return range.contains(value) ? value : nil
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private mutating func clock(hours: Int64) -> Int64? {
        let isNegative = skip(UInt8(ascii: "-"))
        if !isNegative { _ = skip(UInt8(ascii: "+")) }
        guard let hour = number(in: 0...hours) else { return nil }
        var seconds = hour * 3600
        for unit in [Int64(60), 1] where rest.first == UInt8(ascii: ":") {
            rest = rest.dropFirst()
            guard let part = number(in: 0...59) else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    private mutating func offset() -> Int64? { clock(hours: 24) }

    /// `,Jn`, `,n` or `,Mm.w.d`, and `/time` behind it; without, 02:00.
    private mutating func change() -> ZoneTail.Change? {
        guard skip(UInt8(ascii: ",")), let day = day() else { return nil }
        guard skip(UInt8(ascii: "/")) else { return ZoneTail.Change(day: day, seconds: 7200) }
        return clock(hours: 167).map { ZoneTail.Change(day: day, seconds: $0) }
    }

    private mutating func day() -> ZoneTail.Change.Day? {
        if skip(UInt8(ascii: "J")) { return number(in: 1...365).map { .julian($0) } }
        guard skip(UInt8(ascii: "M")) else { return number(in: 0...365).map { .ofYear($0) } }
        guard let month = number(in: 1...12), skip(UInt8(ascii: ".")), let week = number(in: 1...5),
            skip(UInt8(ascii: ".")), let weekday = number(in: 0...6)
        else { return nil }
        return .ofMonth(month, week: week, weekday: weekday)
    }
}
