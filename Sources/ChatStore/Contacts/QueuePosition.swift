import ChatModel
import Formats

/// A live chat's place in its queue, and the accounts that are told it.
public struct QueuePlace: Sendable, Equatable {
    public var threadID: String
    /// From 1; nil when the thread has left the queue.
    public var position: Int?
    public var accounts: [Int64]

    init(_ record: ThreadRecord) {
        threadID = record.thread.id
        position = record.thread.queuePosition
        accounts = record.members.map(\.account)
    }
}

/// The queues of live chats: the threads of a channel that no agent has taken, those that have waited longest first.
///
/// A position is a member of its thread, so that it is logged. A change of a queue rewrites only the next few threads
/// behind it; those farther behind are told in steps, by ``tellPositions(in:behind:)``, so that one departure costs the
/// same however many wait, and so does joining. `waiting.told` is the position that a thread shows.
extension WriteTransaction {
    /// At a change, the positions of this many threads behind it are told in the same unit.
    private static var promptly: Int { 32 }
    /// The most rows that one later step looks at, and the most threads that it rewrites.
    private static var stepLimits: (rows: Int, threads: Int) { (1024, 32) }

    /// Puts the thread into its channel's queue and sets `queuePosition`. The caller saves the thread.
    ///
    /// - Parameter time: since when the thread waits. A thread that waits again keeps its old time, so it does not go
    ///   to the end.
    /// - Returns: the places that have changed, to be told after the commit.
    public func joinQueue(_ record: inout ThreadRecord, since time: Timestamp) throws -> QueueChange {
        let key = record.owner.key
        try db.run(
            """
            INSERT INTO waiting (thread, service, channel, since, told) VALUES (?, ?, ?, ?, 0)
            ON CONFLICT (thread) DO NOTHING
            """,
            [.integer(record.number), .text(key.service), .text(key.channel), .integer(time.milliseconds)])
        let place = MessagePosition(createdAt: time.milliseconds, number: record.number)
        let position = try nextPosition(behind: place, in: Queue(key), isThere: true)
        record.thread.queuePosition = position
        try noteTold(position, of: record.number)
        return try tellQueue(QueuePlace(record), behind: place, from: position + 1, in: Queue(key))
    }

    /// Takes the thread out of its queue and clears `queuePosition`. The caller saves the thread. Nil if it was not
    /// waiting.
    public func leaveQueue(_ record: inout ThreadRecord) throws -> QueueChange? {
        let since = try db.first("SELECT since FROM waiting WHERE thread = ?", [.integer(record.number)]) {
            $0.integer(0)
        }
        guard let since, record.thread.queuePosition != nil else { return nil }
        try db.run("DELETE FROM waiting WHERE thread = ?", [.integer(record.number)])
        record.thread.queuePosition = nil
        let place = MessagePosition(createdAt: since, number: record.number)
        let queue = Queue(record.owner.key)
        return try tellQueue(QueuePlace(record), behind: place, from: nextPosition(behind: place, in: queue), in: queue)
    }

    /// One bounded step through a queue: threads whose position has changed are saved with the new one, which logs
    /// `thread.updated`.
    ///
    /// - Parameter place: where the last step ended; nil begins at the head of the queue.
    /// - Returns: the places to tell after the commit, and where the next step begins; nil at the end.
    public func tellPositions(
        in queue: Queue, behind place: MessagePosition?
    ) throws -> (places: [QueuePlace], next: MessagePosition?) {
        let start = place ?? .start
        let (rows, threads) = Self.stepLimits
        return try tellPositions(
            in: queue, behind: start, from: nextPosition(behind: start, in: queue), rows: rows, threads: threads)
    }

    private func tellQueue(
        _ own: QueuePlace, behind place: MessagePosition, from first: Int, in queue: Queue
    ) throws -> QueueChange {
        let (places, next) = try tellPositions(
            in: queue, behind: place, from: first, rows: Self.promptly, threads: Self.promptly)
        return QueueChange(places: [own] + places, unfinished: next == nil ? nil : queue)
    }

    private func tellPositions(
        in queue: Queue, behind place: MessagePosition, from first: Int, rows limit: Int, threads: Int
    ) throws -> (places: [QueuePlace], next: MessagePosition?) {
        let rows = try db.all(
            """
            SELECT since, thread, told FROM waiting WHERE service = ? AND channel = ? AND (since, thread) > (?, ?)
            ORDER BY since, thread LIMIT ?
            """,
            [
                .text(queue.service), .text(queue.channel), .integer(place.createdAt), .integer(place.number),
                .integer(Int64(limit + 1)),
            ]
        ) { (place: MessagePosition(createdAt: $0.integer(0), number: $0.integer(1)), told: Int($0.integer(2))) }
        var places: [QueuePlace] = []
        var (told, last) = (0, place)
        for (position, row) in zip(first..., rows.prefix(limit)) {
            if row.told != position {
                if told == threads { return (places, last) }
                told += 1
                if let place = try savePosition(position, of: row.place.number) { places.append(place) }
            }
            last = row.place
        }
        return (places, rows.count > limit ? last : nil)
    }

    /// Saves a thread with a position that is to be told. Returns its place, or nil if the thread shows the position already.
    private func savePosition(_ position: Int, of number: Int64) throws -> QueuePlace? {
        try noteTold(position, of: number)
        guard var record = try thread(number: number), record.thread.queuePosition != position else { return nil }
        record.thread.queuePosition = position
        record.thread.updatedAt = max(now, record.thread.updatedAt.advanced(byMilliseconds: 1))
        // Whoever has moved the queue did nothing to this thread.
        try acting(as: .system) { try save(&record, logging: .threadUpdated, withDesk: true) }
        return QueuePlace(record)
    }

    private func noteTold(_ position: Int, of number: Int64) throws {
        try db.run("UPDATE waiting SET told = ? WHERE thread = ?", [.integer(Int64(position)), .integer(number)])
    }

    /// The position of the next thread behind a place: one more than the thread there shows, or the last one before it.
    ///
    /// It reads one row, however many wait. While the queue is being told its positions, that thread may still show an
    /// old one. The same pass then comes to those behind it, too.
    ///
    /// - Parameter isThere: whether the thread at the place has a row already, which is passed over.
    private func nextPosition(
        behind place: MessagePosition, in queue: Queue, isThere: Bool = false
    ) throws -> Int {
        let last = try db.first(
            """
            SELECT told FROM waiting WHERE service = ? AND channel = ? AND (since, thread) \(isThere ? "<" : "<=") (?, ?)
            ORDER BY since DESC, thread DESC LIMIT 1
            """,
            [.text(queue.service), .text(queue.channel), .integer(place.createdAt), .integer(place.number)]
        ) { Int($0.integer(0)) }
        return (last ?? 0) + 1
    }
}

/// Names a queue: each live chat channel of a service has one.
public struct Queue: Sendable, Hashable {
    public var service: String
    public var channel: String

    public init(service: String, channel: String) {
        self.service = service
        self.channel = channel
    }

    init(_ key: AccountKey) { self.init(service: key.service, channel: key.channel) }
}

/// What a change of a queue leaves to be done after the commit.
public struct QueueChange: Sendable {
    /// The thread that joined or left, and the threads whose positions have changed.
    public var places: [QueuePlace]
    /// The queue, if threads farther behind must still be told: see ``WriteTransaction/tellPositions(in:behind:)``.
    public var unfinished: Queue?
}
