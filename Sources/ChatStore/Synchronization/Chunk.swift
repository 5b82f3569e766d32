import ChatModel

/// A range of a thread's time in which the store has every message of the remote service, without a gap.
///
/// The edges are times. Strictly between them everything is known. At an edge, another message with the same time may
/// be missing, because a page may have ended between the two.
public struct Chunk: Sendable, Equatable {
    /// Milliseconds since 1970; `Int64.min` when nothing older exists.
    public var low: Int64
    public var high: Int64
    /// Whether the range reaches to the newest message and live events extend it. True only while a connection lasts.
    public var isOpen: Bool

    public init(low: Int64, high: Int64, isOpen: Bool = false) {
        self.low = low
        self.high = high
        self.isOpen = isOpen
    }

    /// Whether the range reaches back to the thread's first message.
    public var isOldest: Bool { low == .min }

    /// Whether a message with this time would be in the store.
    public func contains(_ time: Int64) -> Bool { low < time && (time < high || isOpen) }
}

/// The range of a thread's time that one answer of a service covers.
public struct HistoryCoverage: Sendable, Equatable {
    public var low: Int64
    public var high: Int64
    /// Whether the answer has every message with exactly the time of this edge, because the request included that
    /// time.
    public var isLowComplete: Bool
    public var isHighComplete: Bool
    /// Whether there was no newer message when the service answered.
    public var isNewest: Bool

    /// - Parameters:
    ///   - low: nil when nothing older exists.
    ///   - high: nil when the answer is empty.
    public init(
        low: Int64?, high: Int64?, isLowComplete: Bool = false, isHighComplete: Bool = false, isNewest: Bool = false
    ) {
        self.low = low ?? .min
        self.high = high ?? .min
        self.isLowComplete = isLowComplete || low == nil
        self.isHighComplete = isHighComplete
        self.isNewest = isNewest
    }

    /// Whether no message can be missing between the answer and the chunk. They must overlap; a common edge is enough
    /// only when the answer has all messages of that time.
    public func touches(_ chunk: Chunk) -> Bool {
        let (high, chunkHigh) = (isNewest ? .max : high, chunk.isOpen ? .max : chunk.high)
        return (chunk.low < high || chunk.low == high && isHighComplete)
            && (low < chunkHigh || low == chunkHigh && isLowComplete)
    }
}

extension [Chunk] {
    /// These chunks, ascending, together with the range of an answer. Ranges that touch it become one.
    func adding(_ coverage: HistoryCoverage) -> [Chunk] {
        assert(zip(self, dropFirst()).allSatisfy { $0.high <= $1.low }, "Chunks ascend and do not overlap.")
        var merged = Chunk(low: coverage.low, high: coverage.high, isOpen: coverage.isNewest)
        var result: [Chunk] = []
        for chunk in self {
            if coverage.touches(chunk) {
                merged.low = Swift.min(merged.low, chunk.low)
                merged.high = Swift.max(merged.high, chunk.high)
                merged.isOpen = merged.isOpen || chunk.isOpen
            } else {
                result.append(chunk)
            }
        }
        result.append(merged)
        return result.sorted { $0.low < $1.low }
    }

    /// The chunk that contains a place; nil if the place is in a gap.
    ///
    /// A place after the newest chunk belongs to that chunk, so that a list of the newest messages can be shown at
    /// once.
    public func chunk(around place: MessagePosition) -> Chunk? {
        if let inside = first(where: { $0.low < place.createdAt && (place.createdAt <= $0.high || $0.isOpen) }) {
            return inside
        }
        guard let last, place.createdAt > last.high else { return nil }
        return last
    }
}

extension ReadTransaction {
    /// The complete ranges of a thread, ascending.
    public func chunks(of thread: Int64) throws -> [Chunk] {
        try db.all("SELECT low, high, isOpen FROM chunk WHERE thread = ? ORDER BY low", [.integer(thread)]) {
            Chunk(low: $0.integer(0), high: $0.integer(1), isOpen: $0.flag(2))
        }
    }

    /// Whether a thread of the account has an open chunk: see ``Chunk/isOpen``.
    public func hasOpenChunks(of account: Int64) throws -> Bool {
        try db.first(
            """
            SELECT 1 FROM member JOIN chunk ON chunk.thread = member.thread
            WHERE member.account = ? AND chunk.isOpen = 1 LIMIT 1
            """, [.integer(account)]
        ) { _ in true } == true
    }
}

extension ReadTransaction {
    /// What the writer keeps of a remote service's thread; read when it is not kept.
    func remoteFacts(of thread: ThreadRecord) throws -> HotRows.RemoteFacts {
        if let known = hot?.remoteFacts(of: thread.number) {
            #if DEBUG
                try checkHot(known, is: readRemoteFacts(of: thread))
            #endif
            return known
        }
        let facts = try readRemoteFacts(of: thread)
        hot?.cache(facts, of: thread.number)
        return facts
    }

    private func readRemoteFacts(of thread: ThreadRecord) throws -> HotRows.RemoteFacts {
        let alias = try db.first("SELECT 1 FROM remoteID WHERE thread = ? LIMIT 1", [.integer(thread.number)]) { _ in
            true
        }
        return HotRows.RemoteFacts(
            chunks: try chunks(of: thread.number), hasAliases: alias == true, unsentCount: try outgoingCount(of: thread)
        )
    }
}

extension WriteTransaction {
    /// Changes what is kept of a remote service's thread, after its rows were changed in the same way.
    func changeRemoteFacts(in thread: Int64, _ change: (inout HotRows.RemoteFacts) -> Void) {
        guard let hot, var facts = hot.remoteFacts(of: thread) else { return }
        change(&facts)
        hot.cache(facts, of: thread)
    }

    /// Replaces the chunks of a thread.
    ///
    /// - Parameter old: the stored ones; only the differences are written.
    func save(_ chunks: [Chunk], insteadOf old: [Chunk], of thread: Int64) throws {
        for chunk in old where !chunks.contains(where: { $0.low == chunk.low }) {
            try db.run("DELETE FROM chunk WHERE thread = ? AND low = ?", [.integer(thread), .integer(chunk.low)])
        }
        for chunk in chunks where !old.contains(chunk) {
            try db.run(
                """
                INSERT INTO chunk (thread, low, high, isOpen) VALUES (?, ?, ?, ?)
                ON CONFLICT (thread, low) DO UPDATE SET high = excluded.high, isOpen = excluded.isOpen
                """,
                [.integer(thread), .integer(chunk.low), .integer(chunk.high), .flag(chunk.isOpen)])
        }
        changeRemoteFacts(in: thread) { $0.chunks = chunks }
    }

    /// Forgets which ranges of a thread's time are complete: pages tell it anew. No message is deleted.
    public func forgetCoverage(of thread: ThreadRecord) throws {
        try save([], insteadOf: remoteFacts(of: thread).chunks, of: thread.number)
    }

    /// Closes all chunks of an account, because its connection is lost: newer messages may exist from now on.
    public func closeChunks(of account: Int64) throws {
        hot?.forgetRemoteFacts(of: account)
        try db.run(
            "UPDATE chunk SET isOpen = 0 WHERE isOpen = 1 AND thread IN (SELECT thread FROM member WHERE account = ?)",
            [.integer(account)])
    }
}

/// What a token of a remote service continues. The gateway stores the token and hands it back to read on from there.
public enum SyncPosition: String, Sendable {
    /// The changes of a thread's messages.
    case messageChanges
    /// The list of the account's threads: the next page; empty when all were listed.
    case threadList
    /// The changes of that list.
    case threadChanges
}

extension ReadTransaction {
    /// The token that was stored last; nil if there is none.
    ///
    /// - Parameter thread: the thread's id; empty for positions of the account.
    public func position(_ kind: SyncPosition, of account: Int64, thread: String = "") throws -> String? {
        try db.first(
            "SELECT token FROM syncPosition WHERE account = ? AND thread = ? AND kind = ?",
            [.integer(account), .text(thread), .text(kind.rawValue)]
        ) { $0.text(0) }
    }
}

extension ReadTransaction {
    /// At most `limit` of the account's threads after another one: open threads first, each group by latest activity.
    public func synchronizedThreads(of account: Int64, after last: ThreadRecord?, limit: Int) throws -> [ThreadRecord] {
        let isClosed = last.map { $0.thread.state == .closed } ?? false
        let numbers = try db.all(
            """
            SELECT thread FROM member WHERE account = ?1 AND (isClosed, -activity, id) > (?2, ?3, ?4)
            ORDER BY isClosed, activity DESC, id LIMIT ?5
            """,
            [
                .integer(account), .integer(last == nil ? -1 : isClosed ? 1 : 0),
                .integer(-(last?.thread.lastActivityAt.milliseconds ?? 0)), .text(last?.thread.id ?? ""),
                .integer(Int64(limit)),
            ]
        ) { $0.integer(0) }
        return try threads(numbered: numbers)
    }
}

extension WriteTransaction {
    /// Stores how far an account, or one of its threads, was read, in place of the token before.
    public func save(_ token: String, as kind: SyncPosition, of account: Int64, thread: String = "") throws {
        try db.run(
            """
            INSERT INTO syncPosition (account, thread, kind, token) VALUES (?, ?, ?, ?)
            ON CONFLICT (account, thread, kind) DO UPDATE SET token = excluded.token
            """,
            [.integer(account), .text(thread), .text(kind.rawValue), .text(token)])
    }
}
