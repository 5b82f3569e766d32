import ChatModel
import Formats

/// The result of one bounded step through the log in the database.
public struct LogReplay: Sendable {
    /// The matching events with their times, in the order of the log.
    var entries: [DeliveryEvent]
    /// The offset from which the next step goes on: all matching events up to and including it were returned by now.
    public var through: Int64

    public var events: [LogEvent] { entries.map(\.event) }
}

/// The log does not have the events after the position any more: the reader must load its data again.
public struct CursorExpired: Error, Sendable {}

extension ReadTransaction {
    /// The most rows that one step reads for an audience, however small they are.
    private static var stepLimit: Int64 { 256 }

    /// The next events for these audiences after an offset, in the order of the log. An event of several audiences
    /// comes once.
    ///
    /// Throws ``CursorExpired`` for an offset below the log's floor, and for one that the database has lost.
    ///
    /// - Parameter limit: bytes for each audience; the first event is returned even if it is larger.
    package func replay(
        _ audiences: [Audience], after offset: Int64, limit: Int, epoch: String
    ) throws -> LogReplay {
        guard try !isExpired(offset) else { throw CursorExpired() }
        var through = try headOffset()
        var entries: [Int64: DeliveryEvent] = [:]
        for audience in audiences where audience.number != nil || audience == .everyone {
            var (size, count, last) = (0, Int64(0), offset)
            var isComplete = true
            let columns =
                "log.place, log.type, log.message, log.audience, log.data, \(AccountRecord.columns), log.at"
            let owner = "JOIN account ON account.number = log.owner"
            let range: [SQLValue] = [.integer(offset), .integer(Self.stepLimit)]
            let statement =
                if audience.number == nil {
                    "SELECT \(columns) FROM log \(owner) WHERE log.place > ? ORDER BY log.place LIMIT ?"
                } else {
                    """
                    SELECT \(columns) FROM audience JOIN log ON log.place = audience.place \(owner)
                    WHERE audience.account = ? AND audience.place > ? ORDER BY audience.place LIMIT ?
                    """
                }
            try db.query(statement, audience.number.map { [.integer($0)] + range } ?? range) { row in
                let entry = try DeliveryEvent(row: row, epoch: epoch, in: self)
                if size > 0, size + entry.event.byteCount > limit {
                    isComplete = false
                    return false
                }
                entries[row.integer(0)] = entry
                (size, count, last) = (size + entry.event.byteCount, count + 1, row.integer(0))
                return true
            }
            // What this audience has beyond its last row is not known yet, so nobody may go past it.
            if !isComplete || count == Self.stepLimit { through = min(through, last) }
        }
        return LogReplay(
            entries: entries.filter { $0.key <= through }.sorted { $0.key < $1.key }.map(\.value), through: through)
    }

    /// Whether events after an offset are missing. Retention has deleted them; or the database has lost them, and the
    /// offset is in one of the ranges of the table `lost`.
    func isExpired(_ offset: Int64) throws -> Bool {
        let sql = """
            SELECT 1 FROM meta WHERE name = 'floor' AND value > ? UNION ALL SELECT 1 FROM lost WHERE low < ? AND high > ?
            """
        return try db.first(sql, [.integer(offset), .integer(offset), .integer(offset)]) { _ in true } == true
    }

    /// A number of the table `meta`; 0 if there is none.
    func meta(_ name: String) throws -> Int64 {
        try db.first("SELECT value FROM meta WHERE name = ?", [.text(name)]) { $0.integer(0) } ?? 0
    }
}

extension LogEvent {
    /// - Parameter row: offset, type, message, audience and data, the columns of ``AccountRecord``, then `at`.
    convenience init(row: SQLRow, epoch: String, in transaction: ReadTransaction) throws {
        guard let type = EventType(rawValue: row.text(1)) else { throw ModelError(member: "type") }
        let owner = try transaction.account(row: row, from: 5)
        var (data, team) = (row.blob(4), [UInt8]())
        if type.carriesThread {
            (data, team) = StoredEvent.parts(data)
            data = try transaction.db.whole(data)
        }
        self.init(
            cursor: Cursor(epoch: epoch, offset: row.integer(0)), type: type, data: data,
            members: [AudienceMember](packed: row.blob(3)), deskMembers: owner.deskMembers, team: team,
            owner: owner.key.owner, message: row.isNull(2) ? nil : row.integer(2),
            at: Timestamp(milliseconds: row.integer(12)))
    }
}
