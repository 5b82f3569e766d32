import ChatModel
import Formats

/// What the reports count of a contact. It says nothing of the customer, and stays when the conversation is gone.
public struct ContactFigures: Sendable, Hashable {
    public var openedAt: Timestamp
    public var closedAt: Timestamp?
    public var channel: String
    /// When a person of the team has answered first, and who; nil for nobody.
    public var firstAnswerAt: Timestamp?
    public var firstAgent: String?
    /// How much of the time until the first answer, and until the end, lies in the channel's hours, in milliseconds. Nil for
    /// a channel without hours then.
    public var firstAnswerOpen: Int64?
    public var resolutionOpen: Int64?
    /// Who has answered last, and who has closed it, by their ids.
    public var lastAgent: String?
    public var closedBy: String?
    /// Messages of customers, and of agents and bots.
    public var messagesIn: Int64
    public var messagesOut: Int64
    /// The times that the customer waited for an answer of a person: how many, in all and at most, in milliseconds.
    public var waits: Int64
    public var waited: Int64
    public var longestWait: Int64
    /// Whether it goes on with an earlier contact.
    public var isReopened: Bool
    /// The ids of the tags that the conversation has, or had at the end.
    public var tags: [String]
    public var score: Int?

    public init(
        openedAt: Timestamp, closedAt: Timestamp? = nil, channel: String, firstAnswerAt: Timestamp? = nil,
        firstAgent: String? = nil, lastAgent: String? = nil, closedBy: String? = nil, messagesIn: Int64 = 0,
        messagesOut: Int64 = 0, isReopened: Bool = false, tags: [String] = [], score: Int? = nil,
        firstAnswerOpen: Int64? = nil, resolutionOpen: Int64? = nil, waits: Int64 = 0, waited: Int64 = 0,
        longestWait: Int64 = 0
    ) {
        self.openedAt = openedAt
        self.closedAt = closedAt
        self.channel = channel
        self.firstAnswerAt = firstAnswerAt
        self.firstAgent = firstAgent
        self.lastAgent = lastAgent
        self.closedBy = closedBy
        self.messagesIn = messagesIn
        self.messagesOut = messagesOut
        self.isReopened = isReopened
        self.tags = tags
        self.score = score
        self.firstAnswerOpen = firstAnswerOpen
        self.resolutionOpen = resolutionOpen
        self.waits = waits
        self.waited = waited
        self.longestWait = longestWait
    }

    /// How many ``columns`` there are: what a query asks for besides begins there.
    static let columnCount: Int32 = 18
    static let columns = """
        contact.openedAt, contact.closedAt, contact.channel, contact.firstAnswerAt, contact.firstAgent, \
        coalesce(contact.lastAgent, thread.answeredBy), contact.closedBy, \
        coalesce(contact.messagesIn, thread.messagesIn, 0), coalesce(contact.messagesOut, thread.messagesOut, 0), \
        contact.reopenedFrom, contact.tags, thread.team, contact.score, contact.firstAnswerOpen, contact.resolutionOpen, \
        contact.waits, contact.waited, contact.longestWait
        """

    init(row: SQLRow) throws {
        func time(_ column: Int32) -> Timestamp? {
            row.isNull(column) ? nil : Timestamp(milliseconds: row.integer(column))
        }
        func text(_ column: Int32) -> String? { row.isNull(column) ? nil : row.text(column) }
        var tags: [String] = []
        if !row.isNull(10) {
            tags = (try JSONParser.parse(row.blob(10)).array ?? []).compactMap(\.string)
        } else if !row.isNull(11) {
            tags = try ThreadTeam(members: row.blob(11)).tags
        }
        self.init(
            openedAt: Timestamp(milliseconds: row.integer(0)), closedAt: time(1), channel: row.text(2),
            firstAnswerAt: time(3), firstAgent: text(4), lastAgent: text(5), closedBy: text(6),
            messagesIn: row.integer(7), messagesOut: row.integer(8), isReopened: !row.isNull(9), tags: tags,
            score: row.isNull(12) ? nil : Int(clamping: row.integer(12)),
            firstAnswerOpen: row.isNull(13) ? nil : row.integer(13),
            resolutionOpen: row.isNull(14) ? nil : row.integer(14),
            waits: row.integer(15), waited: row.integer(16), longestWait: row.integer(17))
    }
}

extension ReadTransaction {
    /// The contacts that were opened or closed in a time, the end excluded; nil if there are more than `limit`.
    ///
    /// - Parameter channels: only of these channels; nil for all.
    public func contacts(
        from start: Timestamp, until end: Timestamp, within channels: Set<String>?, limit: Int
    ) throws -> [ContactFigures]? {
        let list = channels.map { Placeholders($0.sorted().map(SQLValue.text)) }
        if channels?.isEmpty == true { return [] }
        let among = list.map { " AND contact.channel IN \($0.sql)" } ?? ""
        var found: [ContactFigures] = []
        let times: [SQLValue] = [.integer(start.milliseconds), .integer(end.milliseconds)]
        // A contact that was opened and closed in the time is found by the first range alone.
        let ranges: [(sql: String, values: [SQLValue])] = [
            ("contact.openedAt >= ? AND contact.openedAt < ?", times),
            (
                "contact.closedAt >= ? AND contact.closedAt < ? AND contact.openedAt < ?",
                times + [.integer(start.milliseconds)]
            ),
        ]
        for range in ranges {
            try db.query(
                """
                SELECT \(ContactFigures.columns)
                FROM contact LEFT JOIN thread ON thread.number = contact.thread AND contact.closedAt IS NULL
                WHERE \(range.sql)\(among) LIMIT ?
                """,
                range.values + (list?.values ?? []) + [.integer(Int64(limit) + 1)]
            ) { row in
                found.append(try ContactFigures(row: row))
                return found.count <= limit
            }
            if found.count > limit { return nil }
        }
        return found
    }
}
