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

/// Reads a file of the time zone database: TZif of version 2 or later (RFC 9636).
///
/// The bytes may be anything: what is no such file gives nil. Version 1 ends in 2038 and is not read, nor are files that
/// count leap seconds.
struct ZoneFile {
    /// The most bytes of a file; those of 2026 have at most 4 kB.
    static let maximumSize = 1 << 16
    private static let headerSize = 44
    /// Seconds from UTC that a file may name (RFC 9636, 3.2).
    private static let offsets: ClosedRange<Int64> = -89_999...93_599

    private struct Header {
        var version: UInt8
        var utcFlags: Int
        var standardFlags: Int
        var leaps: Int
        var times: Int
        var types: Int
        var letters: Int

        /// Bytes of the block behind the header.
        func size(ofTime width: Int) -> Int {
            times * (width + 1) + types * 6 + letters + leaps * (width + 4) + standardFlags + utcFlags
        }
    }

    private let bytes: [UInt8]

    static func read(_ bytes: [UInt8]) -> TimeZoneRules? {
        guard bytes.count <= maximumSize else { return nil }
        return ZoneFile(bytes: bytes).rules
    }

    /// The header at a place, if its block can be in the file.
    private func header(at start: Int) -> Header? {
        guard start + Self.headerSize <= bytes.count, bytes[start..<start + 4].elementsEqual("TZif".utf8) else {
            return nil
        }
        let counts = (0..<6).map { Int(number(at: start + 20 + 4 * $0, width: 4) & 0xFFFF_FFFF) }
        guard counts.allSatisfy({ $0 <= bytes.count }) else { return nil }
        return Header(
            version: bytes[start + 4], utcFlags: counts[0], standardFlags: counts[1], leaps: counts[2],
            times: counts[3], types: counts[4], letters: counts[5])
    }

    /// A number in two's complement, the highest byte first. The caller has checked the place.
    private func number(at start: Int, width: Int) -> Int64 {
        let value = bytes[start..<start + width].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return width == 8 ? Int64(bitPattern: value) : Int64(Int32(truncatingIfNeeded: value))
    }

    private var rules: TimeZoneRules? {
        guard let old = header(at: 0), old.version >= UInt8(ascii: "2") else { return nil }
        let second = Self.headerSize + old.size(ofTime: 4)
        guard let header = header(at: second), header.leaps == 0, (1...256).contains(header.types) else { return nil }
        let start = second + Self.headerSize
        let end = start + header.size(ofTime: 8)
        guard end <= bytes.count, let tail = tail(at: end) else { return nil }

        let kinds = start + header.times * 8
        let types = kinds + header.times
        let offsets = (0..<header.types).map { number(at: types + 6 * $0, width: 4) }
        guard offsets.allSatisfy(Self.offsets.contains) else { return nil }
        let changes = (0..<header.times).map { number(at: start + 8 * $0, width: 8) }
        guard zip(changes, changes.dropFirst()).allSatisfy({ $0 < $1 }) else { return nil }
        let indices = bytes[kinds..<types]
        guard indices.allSatisfy({ Int($0) < header.types }) else { return nil }
        return TimeZoneRules(
            changes: changes, offsets: indices.map { offsets[Int($0)] }, first: offsets[0], tail: tail.value)
    }

    /// The line behind the block, nil in it if it is empty; nil if it is not there or wrong.
    private func tail(at start: Int) -> (value: ZoneTail?, Void)? {
        guard start < bytes.count, bytes[start] == UInt8(ascii: "\n"),
            let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "\n"))
        else { return nil }
        guard end > start + 1 else { return (nil, ()) }
        return ZoneTailReader.read(bytes[(start + 1)..<end]).map { ($0, ()) }
    }
}

extension TimeZoneRules {
    /// Reads a file of the time zone database: TZif of version 2 or later (RFC 9636). Nil for any other bytes.
    public init?(tzif bytes: [UInt8]) {
        guard let rules = ZoneFile.read(bytes) else { return nil }
        self = rules
    }

    /// The most bytes of a file.
    public static let maximumFileSize = ZoneFile.maximumSize

    /// Whether the text has the form of a zone's name, such as `Europe/Berlin`, so that it may be part of a path: letters,
    /// digits and `+-_/`, with no empty part.
    public static func isName(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return text.utf8.count <= 64
            && parts.allSatisfy { part in
                !part.isEmpty
                    && part.allSatisfy { byte in
                        switch byte {
                        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                            UInt8(ascii: "0")...UInt8(ascii: "9"):
                            true
                        default: "+-_".utf8.contains(byte)
                        }
                    }
            }
    }
}
