import Formats

/// The times that a list shows: from `since` on, and before `until`. An end that is nil bounds nothing.
public struct TimeRange: Sendable, Hashable {
    public var since: Timestamp?
    public var until: Timestamp?

    public static let all = TimeRange()

    public init(since: Timestamp? = nil, until: Timestamp? = nil) {
        self.since = since
        self.until = until
    }

    public func contains(_ time: Timestamp) -> Bool {
        since.map { time >= $0 } != false && until.map { time < $0 } != false
    }
}

/// The range among messages. No message has the least number, so these places lie before all messages of their time.
extension TimeRange {
    private var start: MessagePosition? { since.map { MessagePosition(createdAt: $0.milliseconds, number: .min) } }
    private var end: MessagePosition? { until.map { MessagePosition(createdAt: $0.milliseconds, number: .min) } }

    /// Where a list begins that would begin at a place outside.
    func beginning(_ place: MessagePosition, isOlder: Bool) -> MessagePosition {
        isOlder ? min(place, end ?? place) : max(place, start ?? place)
    }

    /// Where a list ends, and whether a hole is the reason; nil if nothing bounds it.
    ///
    /// - Parameter hole: where messages begin that the store may lack; nil if there are none.
    func bound(_ hole: MessagePosition?, isOlder: Bool) -> (place: MessagePosition, isHole: Bool)? {
        guard let edge = isOlder ? start : end else { return hole.map { ($0, true) } }
        guard let hole, isOlder ? hole > edge : hole < edge else { return (edge, false) }
        return (hole, true)
    }

    /// The hole, if it is within the range; nil otherwise.
    public func hole(_ hole: MessagePosition?, isOlder: Bool) -> MessagePosition? {
        bound(hole, isOlder: isOlder).flatMap { $0.isHole ? $0.place : nil }
    }
}

/// The range among threads, whose lists begin with the latest activity.
extension TimeRange {
    /// The place before the first thread of the range; nil if nothing bounds it.
    var threadKey: ThreadKey? { until.map { ThreadKey(number: 1 - $0.milliseconds, id: "") } }
}
