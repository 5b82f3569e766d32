import Formats

/// When a channel's customers are answered.
public struct OpeningHours: CanonicalJSON, Hashable {
    /// What decides whether the channel is open.
    public enum Mode: String, Sendable, CaseIterable {
        /// Nothing: it is open.
        case always
        /// The hours.
        case hours
        /// Whether an agent is there.
        case agents
        /// The hours and an agent: it is open while both say so.
        case both

        public var followsHours: Bool { self == .hours || self == .both }
        public var followsAgents: Bool { self == .agents || self == .both }
    }

    /// A part of a day, in minutes from its beginning by the clocks of the time zone; 1,440 is the day's end. A part over
    /// midnight is two of them, one for each day.
    public struct Part: Sendable, Hashable {
        public var begin: Int
        public var end: Int

        public init(_ begin: Int, _ end: Int) { (self.begin, self.end) = (begin, end) }

        /// `09:00` as minutes, from `00:00` to `24:00`; nil for anything else.
        public static func minutes(_ text: String) -> Int? {
            let bytes = Array(text.utf8)
            guard bytes.count == 5, bytes[2] == UInt8(ascii: ":") else { return nil }
            let digits = [0, 1, 3, 4].map { Int(bytes[$0]) - Int(UInt8(ascii: "0")) }
            guard digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
            let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
            return minute < 60 && hour * 60 + minute <= 1440 ? hour * 60 + minute : nil
        }

        fileprivate static func text(_ minutes: Int) -> String {
            func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
            return "\(two(minutes / 60)):\(two(minutes % 60))"
        }
    }

    /// A day with other hours than its day of the week.
    public struct SpecialDay: Sendable, Hashable {
        public var day: CivilDate
        public var parts: [Part]

        public init(_ day: CivilDate, _ parts: [Part]) { (self.day, self.parts) = (day, parts) }
    }

    /// The most parts of a day, days that are closed, and days with other hours.
    public static let maximumParts = 10, maximumDays = 366

    /// The days of the week by their names, from Monday.
    public static let weekdays: [(name: String, day: CivilDate.Weekday)] = [
        ("mon", .monday), ("tue", .tuesday), ("wed", .wednesday), ("thu", .thursday), ("fri", .friday),
        ("sat", .saturday), ("sun", .sunday),
    ]

    /// As the time zone database names it, such as `Europe/Berlin`.
    public var timeZone: String
    /// The parts of each day, ascending and apart. A day that is left out is closed.
    public var week: [CivilDate.Weekday: [Part]] = [:]
    /// Days on which the channel does not open, whatever the day of the week is.
    public var closed: Set<CivilDate> = []
    /// Days with hours of their own, ascending.
    public var open: [SpecialDay] = []
    public var mode = Mode.hours

    public init(timeZone: String) { self.timeZone = timeZone }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("mode", mode.rawValue)
        json.member("timeZone", timeZone)
        json.name("week")
        json.beginObject()
        for (name, day) in Self.weekdays {
            guard let parts = week[day], !parts.isEmpty else { continue }
            json.name(name)
            json.value(parts)
        }
        json.endObject()
        if !closed.isEmpty { json.member("closed", texts: closed.sorted().map(\.text)) }
        if !open.isEmpty {
            json.name("open")
            json.beginArray()
            for special in open {
                json.beginObject()
                json.member("day", special.day.text)
                json.name("times")
                json.value(special.parts)
                json.endObject()
            }
            json.endArray()
        }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        timeZone = try json.requiredString("timeZone")
        mode = try json.requiredCase("mode")
        for (name, day) in Self.weekdays {
            if let parts = json["week"]?[name] { week[day] = try Self.parts(parts) }
        }
        closed = Set((json["closed"]?.array ?? []).compactMap { $0.string.flatMap(CivilDate.init) })
        for special in json["open"]?.array ?? [] {
            guard let day = CivilDate(try special.requiredString("day")) else { throw ModelError(member: "day") }
            open.append(SpecialDay(day, try Self.parts(special["times"] ?? .null)))
        }
    }

    private static func parts(_ json: JSONValue) throws(ModelError) -> [Part] {
        var parts: [Part] = []
        for part in json.array ?? [] {
            let minutes = (part.array ?? []).compactMap { $0.string.flatMap(Part.minutes) }
            guard minutes.count == 2 else { throw ModelError(member: "times") }
            parts.append(Part(minutes[0], minutes[1]))
        }
        return parts
    }
}

extension JSONWriter {
    /// `[["09:00","17:30"],...]`
    fileprivate mutating func value(_ parts: [OpeningHours.Part]) {
        beginArray()
        for part in parts {
            beginArray()
            value(OpeningHours.Part.text(part.begin))
            value(OpeningHours.Part.text(part.end))
            endArray()
        }
        endArray()
    }
}

/// When the hours begin and end. These functions look at the hours alone, not at the mode.
///
/// The time zone's clocks show some times twice, where they are set back, and leave some out, where they are set forward
/// (``Formats/TimeZoneRules/time(_:of:)``): a part that begins or ends at such a time does so at the first of both, or at
/// the next time that the clocks show.
extension OpeningHours {
    /// How far into the future they look.
    private static let days: Int64 = 367

    /// Whether the time is in the hours.
    public func contains(_ time: Timestamp, in zone: TimeZoneRules) -> Bool {
        let today = zone.day(at: time).daysSince1970
        return (today - 1...today + 1).contains { day in
            spans(of: day, in: zone).contains { $0.begin <= time && time < $0.end }
        }
    }

    /// When the hours begin next; nil if they do not within a year.
    public func nextBegin(after time: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
        guard let run = run(after: time, in: zone) else { return nil }
        if run.begin > time { return run.begin }
        return run.end.flatMap { self.run(after: $0, in: zone)?.begin }
    }

    /// When the hours begin or end next; nil if they do not within a year.
    public func nextChange(after time: Timestamp, in zone: TimeZoneRules) -> Timestamp? {
        guard let run = run(after: time, in: zone) else { return nil }
        return run.begin > time ? run.begin : run.end
    }

    /// How much of a time lies in the hours, in milliseconds.
    public func length(from start: Timestamp, until end: Timestamp, in zone: TimeZoneRules) -> Int64 {
        guard start < end else { return 0 }
        let days = zone.day(at: start).daysSince1970 - 1...zone.day(at: end).daysSince1970 + 1
        var (length, counted) = (Int64(0), start)
        for day in days {
            for span in spans(of: day, in: zone) {
                let (begin, stop) = (max(span.begin, counted), min(span.end, end))
                guard begin < stop else { continue }
                length += stop.milliseconds - begin.milliseconds
                counted = stop
            }
        }
        return length
    }

    /// The first time of opening that is not over, with what follows it without a pause. Its end is nil if there is none
    /// within a year.
    private func run(after time: Timestamp, in zone: TimeZoneRules) -> (begin: Timestamp, end: Timestamp?)? {
        let today = zone.day(at: time).daysSince1970
        var run: (begin: Timestamp, end: Timestamp)?
        for day in today - 1...today + Self.days {
            for span in spans(of: day, in: zone) where span.end > time {
                guard let known = run else {
                    run = span
                    continue
                }
                if span.begin > known.end { return (known.begin, known.end) }
                run?.end = max(known.end, span.end)
            }
            // Nothing can follow without a pause any more.
            if let run, zone.time(0, of: CivilDate(daysSince1970: day + 1)) > run.end { return (run.begin, run.end) }
        }
        return run.map { ($0.begin, nil) }
    }

    /// When a day's parts are, ascending; without those that the clocks leave out.
    private func spans(of day: Int64, in zone: TimeZoneRules) -> [(begin: Timestamp, end: Timestamp)] {
        let date = CivilDate(daysSince1970: day)
        return parts(of: date).compactMap { part in
            let (begin, end) = (zone.time(part.begin, of: date), zone.time(part.end, of: date))
            return begin < end ? (begin, end) : nil
        }
    }

    private func parts(of day: CivilDate) -> [Part] {
        if closed.contains(day) { return [] }
        return open.first { $0.day == day }?.parts ?? week[day.weekday] ?? []
    }
}
