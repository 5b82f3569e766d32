import ChatModel
import Formats
import Bounds
import DequeModule
import Synchronization

/// Deletes what retention no longer keeps: events, and receipts older than a day. One batch at a time, between
/// groups, on the writer's thread.
///
/// A batch is a transaction of its own and costs an fsync. A log at its limit is therefore trimmed when a whole batch
/// is due or a second has passed, not after each group.
package final class LogTrimmer: @unchecked Sendable {  // confined to the writer's thread, but for `retention`
    private let rules: Mutex<Retention>
    private let feed: EventFeed
    private let environment: ModelEnvironment
    /// The offset of the oldest row at the last look; nil before the first.
    private var lowest: Int64?
    private var lastLook = Timestamp.earliest
    private var weight = LogWeight()
    /// The head up to which the log is weighed; nil until all that was there at the start is.
    private var weighedTo: Int64?
    private var hasMore = false

    /// Ranges of offsets that no event has, in their order: those above `low` up to `high`. They do not count as events.
    private var gaps: [(low: Int64, high: Int64)] = []

    private static let interval: Int64 = 1000
    /// How many pieces of the log are measured at a look, so that a long log is known soon after the start and no group
    /// waits long.
    private static let measuredAtOnce = 8

    package init(retention: Retention, feed: EventFeed, environment: ModelEnvironment) {
        rules = Mutex(retention)
        self.feed = feed
        self.environment = environment
    }

    /// What is kept. Any thread may change it; the next batch follows it.
    package var retention: Retention {
        get { rules.withLock { $0 } }
        set { rules.withLock { $0 = newValue } }
    }

    /// Learns which ranges of offsets no event has.
    func readGaps(_ db: DatabaseSession) throws { gaps = try db.lostOffsets() }

    /// The same on a connection to another engine.
    package func readGaps(reading session: any EngineSession) throws { try readGaps(.engine(session)) }

    /// Runs the statements of one batch in a transaction.
    package typealias Transact = (_ body: () throws -> Void) throws -> Void

    /// The same on a connection to another engine.
    package func trim(reading session: any EngineSession, isAsked: Bool, _ transact: Transact) throws -> Bool {
        try trim(.engine(session), isAsked: isAsked, transact)
    }

    /// Deletes one batch, if one is due or was asked for. Returns whether there is more to delete.
    func trim(_ db: DatabaseSession, isAsked: Bool, _ transact: Transact) throws -> Bool {
        let now = environment.now()
        let surplus = lastSurplus - (lowest ?? 0) + 1
        // A clock that was set back must not stop the trimming until it has caught up.
        let isTime = now < lastLook || now.milliseconds - Self.interval >= lastLook.milliseconds
        guard isAsked || lowest == nil || hasMore || surplus >= retention.batch || isTime else { return false }
        lastLook = now
        hasMore = try trim(db, now: now, transact)
        return hasMore
    }

    /// The offset of the newest event that is one too many.
    private var lastSurplus: Int64 {
        var (end, left) = (feed.head, retention.maximumCount)
        for gap in gaps.reversed() {
            guard end - gap.high < left else { break }
            left -= end - gap.high
            end = gap.low
        }
        return end - left
    }

    /// Weighs the events of a commit, so that they need not be read for it.
    package func weigh(_ transaction: WriteTransaction) {
        // Others have written, or the log of an earlier start is not weighed yet: ``heaviest(_:)`` reads it.
        guard weighedTo == transaction.firstHead else { return }
        for event in transaction.events {
            guard let offset = event.offset, offset > weight.measured else { continue }
            _ = weight.add(LogWeight.Piece(count: 1, last: offset, byteCount: Int64(event.storedByteCount)))
        }
        weighedTo = transaction.head
    }

    /// The last event that must go because the log has too many bytes; 0 for none.
    private func heaviest(_ db: DatabaseSession) throws -> Int64 {
        if let lowest { weight.forget(through: lowest - 1) }
        if weighedTo.map({ $0 < feed.head }) ?? true {
            let head = feed.head
            weighedTo = nil
            for _ in 0..<Self.measuredAtOnce {
                guard weight.add(try db.logPiece(after: weight.measured, atMost: weight.room)) else {
                    weighedTo = head
                    break
                }
            }
        }
        return weight.surplus(beyond: retention.maximumBytes) ?? 0
    }

    private func trim(_ db: DatabaseSession, now: Timestamp, _ transact: Transact) throws -> Bool {
        let oldest = now.milliseconds - retention.maximumAgeInMilliseconds
        let last = max(lastSurplus, try heaviest(db))
        // Offsets and times grow together, so the oldest rows stand first: no scan past what is deleted.
        var rows: [(offset: Int64, members: [AudienceMember])] = []
        lowest = feed.head + 1
        try db.query(
            "SELECT place, audience, at FROM log WHERE place > 0 ORDER BY place LIMIT ?",
            [.integer(retention.batch + 1)]
        ) { row in
            lowest = row.integer(0)
            guard row.integer(0) <= last || row.integer(2) < oldest else { return false }
            rows.append((row.integer(0), [AudienceMember](packed: row.blob(1))))
            return true
        }
        let isFull = rows.count > retention.batch
        rows = Array(rows.prefix(Int(retention.batch)))
        let receipts = now.milliseconds - Receipt.lifetimeInMilliseconds
        let hasReceipts = try db.first("SELECT 1 FROM receipt WHERE at < ?", [.integer(receipts)]) { _ in true } == true
        guard !rows.isEmpty || hasReceipts else { return false }
        try transact {
            for row in rows { try db.deleteLogRow(row.offset, members: row.members) }
            if let last = rows.last {
                try db.run("UPDATE meta SET value = ? WHERE name = 'floor'", [.integer(last.offset)])
                // Cursors below the floor have expired anyway.
                try db.run("DELETE FROM lost WHERE high <= ?", [.integer(last.offset)])
            }
            try db.run(
                "DELETE FROM receipt WHERE scope IN (SELECT scope FROM receipt WHERE at < ? LIMIT ?)",
                [.integer(receipts), .integer(retention.batch)])
        }
        if let last = rows.last { feed.raiseFloor(to: last.offset) }
        return isFull || hasReceipts
    }
}

/// How long events stay in the log. A stream that resumes before the oldest one gets a reset.
public struct Retention: Sendable {
    public var maximumAgeInMilliseconds: Int64
    /// Events beyond the newest ones of this number are deleted, however young they are.
    public var maximumCount: Int64
    /// Of what the events say, in bytes. Beyond it the oldest ones are deleted, about a thousand at a time; the newest
    /// thousand stay.
    public var maximumBytes: Int64
    /// The most rows that are deleted between two groups of writes: a send waits for no more than this.
    public var batch: Int64

    public init(
        maximumAgeInMilliseconds: Int64 = 7 * 86_400_000, maximumCount: Int64 = 1_000_000, batch: Int64 = 256,
        maximumBytes: Int64 = Int64(ByteBound.log.bytes)
    ) {
        self.maximumAgeInMilliseconds = maximumAgeInMilliseconds
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
        self.batch = batch
    }
}

/// How many bytes the events of the log have, and which must go so that they have no more than they may.
///
/// It is learnt from the oldest event on, a piece at a time, so that no start waits for it. Until all is known, it is
/// less than the log has.
struct LogWeight {
    /// Events that follow one another.
    struct Piece: Equatable {
        var count: Int64
        /// The offset of the last one.
        var last: Int64
        var byteCount: Int64
    }

    /// The most events of a piece: as many go at once.
    static let pieceCount: Int64 = 1000

    /// Pieces that are complete.
    private var pieces: Deque<Piece> = []
    private var byteCount: Int64 = 0
    /// The newest events, which are no complete piece yet.
    private var rest = Piece(count: 0, last: 0, byteCount: 0)

    /// After which offset to measure next, so that each event is measured once.
    var measured: Int64 { rest.last }

    /// How many events the piece that is not complete has room for.
    var room: Int64 { Self.pieceCount - rest.count }

    /// Takes the events after ``measured``, at most as many as there is ``room`` for. Returns whether others may follow.
    mutating func add(_ next: Piece) -> Bool {
        assert(next.count <= room && next.last >= measured, "Events are measured in their order, each once.")
        rest.count += next.count
        rest.last = next.last
        rest.byteCount += next.byteCount
        guard rest.count == Self.pieceCount else { return false }
        pieces.append(rest)
        byteCount += rest.byteCount
        rest = Piece(count: 0, last: rest.last, byteCount: 0)
        return true
    }

    /// Events up to this offset are gone.
    mutating func forget(through offset: Int64) {
        while let first = pieces.first, first.last <= offset { byteCount -= pieces.removeFirst().byteCount }
        if rest.last <= offset { rest = Piece(count: 0, last: offset, byteCount: 0) }
    }

    /// The last of the oldest events that must go; nil when there is room for all. The newest ones stay in any case.
    func surplus(beyond limit: Int64) -> Int64? {
        var left = byteCount + rest.byteCount
        var last: Int64?
        for piece in pieces {
            guard left > limit else { break }
            left -= piece.byteCount
            last = piece.last
        }
        return last
    }
}

extension DatabaseSession {
    /// The next events of the log after an offset, at most so many.
    func logPiece(after offset: Int64, atMost count: Int64) throws -> LogWeight.Piece {
        // The length stands inside, so that SQLite does not read what the events say.
        let found = try first(
            """
            SELECT count(*), coalesce(max(place), ?1), coalesce(sum(bytes), 0)
            FROM (SELECT place, length(data) AS bytes FROM log WHERE place > ?1 ORDER BY place LIMIT ?2) AS piece
            """, [.integer(offset), .integer(count)]
        ) { LogWeight.Piece(count: $0.integer(0), last: $0.integer(1), byteCount: $0.integer(2)) }
        return found ?? LogWeight.Piece(count: 0, last: offset, byteCount: 0)
    }
}
