import ChatModel
import Formats
import Synchronization

/// Positions in the log that a reader names otherwise than by a cursor.
extension ChatStore {
    /// The position after which the log goes on with the events of this time and later ones: the floor if all are
    /// younger, the head if all are older.
    ///
    /// Times grow with the offsets, so a few rows are read. If the clock was set back meanwhile, times overlap, and the
    /// position is one of those that fit.
    public func position(of time: Timestamp) async throws(ChatError) -> Int64 {
        try await read { try $0.position(of: time) }
    }

    /// The position after which the log has `count` events for these audiences that the reader wants; the floor if it
    /// has fewer. It reads backward, in bounded steps.
    public func position(
        ofLast count: Int, for audiences: [Audience], where isWanted: @escaping @Sendable (EventType) -> Bool
    ) async throws(ChatError) -> Int64 {
        var (left, end) = (count, Int64.max)
        while left > 0 {
            let step = try await read { [end] in try $0.backward(audiences, before: end) }
            let wanted = step.events.filter { isWanted($0.type) }
            if wanted.count >= left { return max(wanted[left - 1].offset - 1, feed.floor) }
            left -= wanted.count
            guard let next = step.next else { return feed.floor }
            end = next
        }
        return feed.head
    }
}

extension ReadTransaction {
    /// The most rows that one step backward reads for an audience.
    private static var backwardLimit: Int64 { 1024 }

    /// The place after which the log has the events of this time and later ones.
    func position(of time: Timestamp) throws -> Int64 {
        var (low, high) = (try meta("floor"), try headOffset())
        while low < high {
            let middle = low + (high - low) / 2
            let next = try db.first(
                "SELECT place, at FROM log WHERE place > ? ORDER BY place LIMIT 1", [.integer(middle)]
            ) { (offset: $0.integer(0), at: $0.integer(1)) }
            if let next, next.at < time.milliseconds { low = next.offset } else { high = middle }
        }
        return low
    }

    /// The events for these audiences before an offset, the newest first, each once. `next` is the offset before which
    /// the next step goes on; nil when there is nothing more.
    fileprivate func backward(
        _ audiences: [Audience], before end: Int64
    ) throws -> (events: [(offset: Int64, type: EventType)], next: Int64?) {
        var types: [Int64: EventType] = [:]
        // What an audience has before its last row is not known yet, so the step ends where the first of them ends.
        var next: Int64?
        for audience in audiences where audience.number != nil || audience == .everyone {
            var (count, last) = (Int64(0), end)
            let range: [SQLValue] = [.integer(end), .integer(Self.backwardLimit)]
            let statement =
                if audience.number == nil {
                    "SELECT place, type FROM log WHERE place < ? ORDER BY place DESC LIMIT ?"
                } else {
                    """
                    SELECT log.place, log.type FROM audience JOIN log ON log.place = audience.place
                    WHERE audience.account = ? AND audience.place < ? ORDER BY audience.place DESC LIMIT ?
                    """
                }
            try db.query(statement, audience.number.map { [.integer($0)] + range } ?? range) { row in
                guard let type = EventType(rawValue: row.text(1)) else { throw ModelError(member: "type") }
                types[row.integer(0)] = type
                (count, last) = (count + 1, row.integer(0))
                return true
            }
            if count == Self.backwardLimit { next = max(next ?? last, last) }
        }
        let events = types.filter { $0.key >= next ?? .min }.sorted { $0.key > $1.key }
        return (events.map { (offset: $0.key, type: $0.value) }, next)
    }
}

/// How far the event log goes, in the file `head` of a data folder, so that a restored database is seen: it does not go as
/// far, or it is a copy.
///
/// The file is written when a store is opened and closed, and once a minute. So it may lag behind, and is never ahead.
package final class HeadFile: Sendable {
    /// What a file says.
    package struct Content: Equatable, Sendable {
        /// Of the database, see ``ChatStore/instance``. Empty for a file that cannot be read, and for one that
        /// ``HeadFile/spoil()`` has written.
        package var instance = ""
        package var offset: Int64 = 0
        /// When the database's own file was made, in nanoseconds since 1970: a copy has another time. 0 if that is not
        /// known, or there is no such file.
        package var birth: Int64 = 0

        fileprivate var text: String { "\(instance) \(offset) \(birth)\n" }

        fileprivate init(_ bytes: [UInt8]) {
            let words = String(decoding: bytes, as: UTF8.self).split(separator: "\n").first?.split(separator: " ") ?? []
            guard words.count == 3, let offset = Int64(words[1]), offset >= 0, let birth = Int64(words[2]) else {
                return
            }
            (instance, self.offset, self.birth) = (String(words[0]), offset, birth)
        }

        init(instance: String, offset: Int64, birth: Int64) {
            (self.instance, self.offset, self.birth) = (instance, offset, birth)
        }
    }

    private let path: String
    private let last = Mutex<Content?>(nil)

    package init(folder: String) { path = folder + "/head" }

    /// What the file says; nil if there is none.
    package func read() -> Content? {
        do throws(WholeFile.Failure) {
            return try WholeFile.read(path, limit: 256).map(Content.init)
        } catch {
            return Content([])
        }
    }

    /// Writes how far the log goes, unless the file says so already. A failure, such as a full disk, is no loss: the next
    /// call tries again. It waits for the disk.
    package func write(instance: String, offset: Int64, birth: Int64 = 0) {
        let content = Content(instance: instance, offset: offset, birth: birth)
        last.withLock { last in
            guard last != content, (try? WholeFile.write(Array(content.text.utf8), to: path)) != nil else { return }
            last = content
        }
    }

    /// Makes the next start of a gateway take the database for a restored one. Throws ``WholeFile/Failure``.
    package func spoil() throws(WholeFile.Failure) { try WholeFile.write(Array("restored\n".utf8), to: path) }

    /// Deletes the file: the next start knows nothing of earlier ones. Throws ``WholeFile/Failure``.
    func remove() throws(WholeFile.Failure) { try WholeFile.remove(path) }
}

/// Offsets that were given out, and whose events the database has not: a backup was restored, or a PostgreSQL server was
/// promoted that lacks the last commits.
///
/// They are never used again: messages and events with them may be on screens, and webhooks may have had them. The head
/// goes on far beyond them. A cursor among them has expired; see ``ReadTransaction/isExpired(_:)``.
package struct LostOffsets: Equatable, Sendable {
    /// How far the head goes on beyond all offsets that may have been given out: further than a database can fall behind.
    package static let leap: Int64 = 1 << 32

    /// The offset of the last event that the database has.
    package let low: Int64
    /// The log's head from now on. What is above `low` and below it is void.
    package let high: Int64

    /// - Parameters:
    ///   - head: of the database.
    ///   - known: the last offset of which it is known that it was given out; at or below the head if there is none.
    ///   - time: given where the same backup may come back once more, and nothing tells how far the head went on since.
    ///     A head of a later time is beyond that of an earlier one: it has 2^20 offsets for each second since 1970.
    package init(after head: Int64, known: Int64, at time: Timestamp? = nil) {
        low = head
        high = max(max(head, known) + Self.leap, time.map { max(0, $0.milliseconds / 1000) << 20 } ?? 0)
    }

    /// The statements that note the range, in the transaction that moves the head.
    ///
    /// - Parameter tellsWebhooks: a webhook's position went back with the database, so the webhook may have got events
    ///   that are void. It is told of the range.
    package func statements(at time: Timestamp, tellsWebhooks: Bool) -> [(sql: String, values: [SQLValue])] {
        let range = [SQLValue.integer(low), .integer(high), .integer(time.milliseconds)]
        let noting = (sql: "INSERT INTO lost (low, high, at) VALUES (?, ?, ?)", values: range)
        let telling = (
            sql: """
            UPDATE target SET gapFrom = CASE WHEN gapFrom < ? THEN gapFrom ELSE ? END, gapTo = ? WHERE kind = 'webhook'
            """, values: [SQLValue.integer(low), .integer(low), .integer(high)]
        )
        return tellsWebhooks ? [noting, telling] : [noting]
    }
}

extension DatabaseSession {
    /// All ranges that are void, in their order.
    func lostOffsets() throws -> [(low: Int64, high: Int64)] {
        try all("SELECT low, high FROM lost ORDER BY high") { (low: $0.integer(0), high: $0.integer(1)) }
    }
}

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
            let columns = LogEvent.columns
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
    /// The columns of `log` and `account` that ``init(row:epoch:in:)`` reads.
    static let columns = """
        log.place, log.type, log.message, log.audience, log.data, \(AccountRecord.columns), log.at, \(StoredEvent.base)
        """

    /// - Parameter row: ``columns``.
    convenience init(row: SQLRow, epoch: String, in transaction: ReadTransaction) throws {
        guard let type = EventType(rawValue: row.text(1)) else { throw ModelError(member: "type") }
        let owner = try transaction.account(row: row, from: 5)
        var (data, team) = try row.event(4, base: 13)
        if type.carriesThread { data = try transaction.db.whole(data) }
        self.init(
            cursor: Cursor(epoch: epoch, offset: row.integer(0)), type: type, data: data,
            members: [AudienceMember](packed: row.blob(3)), deskMembers: owner.deskMembers, team: team,
            owner: owner.key.owner, message: row.isNull(2) ? nil : row.integer(2),
            at: Timestamp(milliseconds: row.integer(12)))
    }
}
