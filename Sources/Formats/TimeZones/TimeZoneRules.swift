/// A time zone: which offset from UTC its clocks have when.
///
/// It is read from a file of the time zone database (``init(tzif:)``).
public struct TimeZoneRules: Sendable, Hashable {
    /// Where the offset changes: seconds since 1970 in UTC, ascending.
    let changes: [Int64]
    /// The offset after each change, in seconds east of UTC.
    let offsets: [Int64]
    /// The offset before the first change.
    let first: Int64
    /// What holds after the last change; nil where its offset stays.
    let tail: ZoneTail?

    /// Without summer time.
    public static let utc = TimeZoneRules(changes: [], offsets: [], first: 0, tail: nil)

    /// Seconds east of UTC at a time, in seconds since 1970.
    func offset(at time: Int64) -> Int64 {
        guard let last = changes.last else { return tail?.offset(at: time) ?? first }
        if time >= last { return tail?.offset(at: time) ?? offsets[offsets.count - 1] }
        // The number of changes up to the time.
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= time { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? first : offsets[low - 1]
    }

    /// Seconds that the zone's clocks are ahead of UTC.
    public func secondsFromUTC(at time: Timestamp) -> Int {
        Int(offset(at: time.milliseconds.quotientFlooring(by: 1000).quotient))
    }

    /// What the zone's calendar shows.
    public func day(at time: Timestamp) -> CivilDate {
        let seconds = time.milliseconds.quotientFlooring(by: 1000).quotient
        return CivilDate(daysSince1970: (seconds + offset(at: seconds)).quotientFlooring(by: 86_400).quotient)
    }

    /// When the zone's clocks show a time of a day.
    ///
    /// A time that they show twice, where they are set back, is the first of both (RFC 5545, 3.3.5). A time that they leave
    /// out, where they are set forward, is the next one that they show.
    ///
    /// - Parameter minute: of the day; 1,440 is the beginning of the next day.
    public func time(_ minute: Int, of day: CivilDate) -> Timestamp {
        let local = day.daysSince1970 * 86_400 + Int64(minute) * 60
        // The earliest time at which the clocks show this or more. No zone is further from UTC than `reach`.
        let changes = changes(from: local - Self.reach, through: local + Self.reach)
        let start = local - Self.reach - 1
        var spans = [(start: start, offset: offset(at: start))]
        spans += changes.map { (start: $0, offset: offset(at: $0)) }
        for (index, span) in spans.enumerated() {
            let end = index + 1 < spans.count ? spans[index + 1].start : Int64.max
            let time = max(local - span.offset, span.start)
            // The clocks jump over the time at the end of the span, or show it later.
            if time < end { return Timestamp(milliseconds: time * 1000) }
        }
        return Timestamp(milliseconds: (local - first) * 1000)
    }

    /// Seconds: more than any offset (``ZoneFile``).
    private static let reach: Int64 = 2 * 86_400

    /// The changes between two times, ascending.
    private func changes(from start: Int64, through end: Int64) -> [Int64] {
        let listed = changes.drop { $0 < start }.prefix { $0 <= end }
        guard let tail else { return Array(listed) }
        let last = changes.last ?? .min
        return listed + tail.changes(around: start).map(\.time).filter { $0 > last && (start...end).contains($0) }
    }
}
