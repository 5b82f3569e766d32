import Formats

/// What a report counts, and how it sorts that.
public struct ReportQuery: Sendable, Hashable {
    /// What each row of a report is about.
    public enum Grouping: String, Sendable, CaseIterable {
        /// A day of the time zone.
        case day
        /// An hour of the day, over all days.
        case hour
        /// Who has answered first, for what came in; who has closed, for what was closed; who has answered last, for ratings.
        case agent
        case channel
        /// A conversation with several tags is in several rows.
        case tag
    }

    /// The most time that a report is about, in milliseconds: 366 days, and an hour for the change of clocks. And the most
    /// contacts.
    public static let longest: Int64 = 366 * 86_400_000 + 3_600_000, mostContacts = 200_000

    public var since: Timestamp
    /// The end, which is not counted.
    public var until: Timestamp
    /// A name of the time zone database.
    public var timeZone: String
    public var grouping: Grouping
    /// Only of these channels; nil for all.
    public var channels: Set<String>?
    /// Only what this agent has answered first, closed, or answered last; nil for everybody's.
    public var agent: String?

    public init(
        since: Timestamp, until: Timestamp, timeZone: String = "UTC", grouping: Grouping = .day,
        channels: Set<String>? = nil, agent: String? = nil
    ) {
        self.since = since
        self.until = until
        self.timeZone = timeZone
        self.grouping = grouping
        self.channels = channels
        self.agent = agent
    }
}
