import ChatModel
import ChatStore
import Formats

/// A report on the desk's work: a row for each day, hour, agent, channel or tag, and the sum of all.
///
/// What came in is counted when a contact was opened, with its messages and its first answer; what was closed when it was
/// closed, with its rating. A conversation that was opened again gets a new contact, so an earlier row never changes.
public struct DeskReport: Sendable, Equatable {
    public struct Row: Sendable, Equatable {
        /// `2026-05-04`, `09`, or an id; empty for nobody, and for no tag.
        public var key: String
        public var figures: ReportFigures
    }

    public private(set) var rows: [Row] = []
    /// Of all contacts, each once.
    public private(set) var total = ReportFigures()

    /// - Parameter zone: that of the query's time zone.
    public init(_ contacts: [ContactFigures], _ query: ReportQuery, in zone: TimeZoneRules) {
        var found: [String: ReportFigures] = [:]
        for key in Self.fixedKeys(query, zone) { found[key] = ReportFigures() }
        func count(_ keys: [String], _ change: (inout ReportFigures) -> Void) {
            for key in keys { change(&found[key, default: ReportFigures()]) }
            change(&total)
        }
        let range = query.since..<query.until
        func isOfAgent(_ agent: String?) -> Bool { query.agent == nil || query.agent == agent }
        for contact in contacts {
            func keys(_ time: Timestamp, _ agent: String?) -> [String] {
                switch query.grouping {
                case .day: [zone.day(at: time).text]
                case .hour: [Self.hour(of: time, zone)]
                case .agent: [agent ?? ""]
                case .channel: [contact.channel]
                case .tag: contact.tags.isEmpty ? [""] : contact.tags
                }
            }
            if range.contains(contact.openedAt), isOfAgent(contact.firstAgent) {
                count(keys(contact.openedAt, contact.firstAgent)) { $0.countOpened(contact) }
            }
            guard let closedAt = contact.closedAt, range.contains(closedAt) else { continue }
            if isOfAgent(contact.closedBy) {
                count(keys(closedAt, contact.closedBy)) { $0.countClosed(contact, at: closedAt) }
            }
            if let score = contact.score, isOfAgent(contact.lastAgent) {
                count(keys(closedAt, contact.lastAgent)) { $0.countRating(score) }
            }
        }
        rows = found.map { Row(key: $0.key, figures: $0.value) }
            .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    }

    /// The rows that are there even if nothing happened: each day, and each hour.
    private static func fixedKeys(_ query: ReportQuery, _ zone: TimeZoneRules) -> [String] {
        switch query.grouping {
        case .hour: return (0..<24).map { $0 < 10 ? "0\($0)" : "\($0)" }
        case .day:
            guard query.since < query.until else { return [] }
            let first = zone.day(at: query.since).daysSince1970
            let last = zone.day(at: query.until.advanced(byMilliseconds: -1)).daysSince1970
            return (first...max(first, last)).map { CivilDate(daysSince1970: $0).text }
        case .agent, .channel, .tag: return []
        }
    }

    private static func hour(of time: Timestamp, _ zone: TimeZoneRules) -> String {
        let seconds = time.milliseconds / 1000 + Int64(zone.secondsFromUTC(at: time))
        let hour = (seconds % 86_400 + 86_400) % 86_400 / 3600
        return hour < 10 ? "0\(hour)" : "\(hour)"
    }
}

/// The numbers of a row. Times are in milliseconds.
public struct ReportFigures: Sendable, Equatable {
    public private(set) var opened = 0
    public private(set) var reopened = 0
    public private(set) var closed = 0
    public private(set) var messagesIn: Int64 = 0
    public private(set) var messagesOut: Int64 = 0
    /// Closed ones that only bots have answered.
    public private(set) var automaticOnly = 0
    /// From the opening to the first answer of a person.
    public private(set) var firstAnswers: [Int64] = []
    /// From the opening to the end.
    public private(set) var resolutions: [Int64] = []
    /// The same, without the time in which the channel was closed: of the contacts of channels with hours.
    public private(set) var firstAnswersOpen: [Int64] = []
    public private(set) var resolutionsOpen: [Int64] = []
    /// The times that customers waited for an answer of a person, in the contacts that were opened.
    public private(set) var waits: Int64 = 0
    public private(set) var waited: Int64 = 0
    public private(set) var longestWait: Int64 = 0
    /// How often each score was given, from 1 to 5.
    public private(set) var scores = [Int](repeating: 0, count: 5)

    public init() {}

    mutating func countOpened(_ contact: ContactFigures) {
        opened += 1
        if contact.isReopened { reopened += 1 }
        messagesIn += contact.messagesIn
        messagesOut += contact.messagesOut
        waits += contact.waits
        waited += contact.waited
        longestWait = max(longestWait, contact.longestWait)
        if let first = contact.firstAnswerAt {
            firstAnswers.append(max(0, first.milliseconds - contact.openedAt.milliseconds))
            if let open = contact.firstAnswerOpen { firstAnswersOpen.append(open) }
        }
    }

    mutating func countClosed(_ contact: ContactFigures, at time: Timestamp) {
        closed += 1
        resolutions.append(max(0, time.milliseconds - contact.openedAt.milliseconds))
        if let open = contact.resolutionOpen { resolutionsOpen.append(open) }
        if contact.messagesOut > 0, contact.firstAgent == nil { automaticOnly += 1 }
    }

    mutating func countRating(_ score: Int) {
        if Rating.scores.contains(score) { scores[score - 1] += 1 }
    }

    public var ratings: Int { scores.reduce(0, +) }

    /// Nil without ratings.
    public var meanScore: Double? {
        ratings == 0 ? nil : Double(zip(1..., scores).reduce(0) { $0 + $1.0 * $1.1 }) / Double(ratings)
    }

    /// A percentile by the nearest-rank method: the smallest number that is not less than `percent` percent of the
    /// numbers. Nil without numbers.
    public static func percentile(_ percent: Int, of numbers: [Int64]) -> Int64? {
        let sorted = numbers.sorted()
        guard !sorted.isEmpty else { return nil }
        return sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
    }
}

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
