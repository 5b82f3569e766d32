import Formats

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
