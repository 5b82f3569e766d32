import ChatModel
import Formats

/// How many of the desk's open threads are where. Each number is at most ``limit``.
public struct DeskCounts: Sendable, Hashable {
    /// Beyond it nobody reads a number, and counting would take long.
    public static let limit = 10_000

    /// Open ones that are not snoozed; so are the next three.
    public var open = 0
    /// Those whose customer waits for an answer.
    public var waiting = 0
    /// Those of the agent who asks; nil if nobody in particular asks.
    public var mine: Int?
    public var unassigned = 0
    public var snoozed = 0
    /// Since when the customer waits who waits longest.
    public var longestWaitingSince: Timestamp?
    /// Whether there are more of something than its number says.
    public var hasMore = false

    public func encode(to json: inout JSONWriter) {
        json.member("open", open)
        json.member("waiting", waiting)
        if let mine { json.member("mine", mine) }
        json.member("unassigned", unassigned)
        json.member("snoozed", snoozed)
        if let longestWaitingSince { json.member("longestWaitingSince", longestWaitingSince) }
        if hasMore { json.member("more", true) }
    }
}

extension ReadTransaction {
    /// Counts the desk's threads. It reads indexes alone, and no row of a thread.
    ///
    /// - Parameters:
    ///   - agent: whose are counted as `mine`.
    ///   - channels: only of these channels; nil for all.
    public func deskCounts(of agent: String?, within channels: Set<String>?) throws -> DeskCounts {
        let list = channels.map { Placeholders($0.sorted().map(SQLValue.text)) }
        // Of no channel at all is no thread.
        if let channels, channels.isEmpty { return DeskCounts(mine: agent == nil ? nil : 0) }
        let known = list?.sql ?? "(SELECT id FROM channel)"
        let among = list.map { " AND channel IN \($0.sql)" } ?? ""
        let values = list?.values ?? []
        var counts = DeskCounts()
        func count(_ condition: String, _ values: [SQLValue]) throws -> Int {
            let found = try db.first(
                "SELECT count(*) FROM (SELECT 1 FROM thread WHERE \(condition) LIMIT ?) AS found",
                values + [.integer(Int64(DeskCounts.limit) + 1)]
            ) { Int(clamping: $0.integer(0)) }
            if let found, found > DeskCounts.limit { counts.hasMore = true }
            return min(found ?? 0, DeskCounts.limit)
        }
        counts.open = try count("channel IN \(known) AND deskAgent IS NOT NULL", values)
        counts.waiting = try count("deskWait IS NOT NULL\(among)", values)
        counts.mine = try agent.map {
            try count("channel IN \(known) AND deskAgent = ?", values + [.text($0)])
        }
        counts.unassigned = try count("channel IN \(known) AND deskAgent = ''", values)
        counts.snoozed = try count("snoozedUntil IS NOT NULL\(among)", values)
        counts.longestWaitingSince = try db.first(
            "SELECT deskWait FROM thread WHERE deskWait IS NOT NULL\(among) ORDER BY deskWait LIMIT 1", values
        ) { Timestamp(milliseconds: $0.integer(0)) }
        return counts
    }
}
