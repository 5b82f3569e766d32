import ChatModel
import Formats
import Foundation

/// One bounded step of the index: first through all messages while it is built, afterwards through the log.
///
/// An event only says which message has changed. Its text is read from its row, so an event that is taken twice, or
/// late, does no harm.
///
/// It reads the messages on one session and writes the index on another: their engines may differ.
struct SearchBatch {
    let index: SQLiteConnection
    let rows: ReadTransaction
    let epoch: String
    /// The number up to which threads were checked for removal; nil when there is nothing to check.
    let checkedTo: Int64?
    /// Asked before each row; true ends the step.
    var isOver: () -> Bool = { false }

    /// The step was ended, and is to be undone: another one takes its rows again.
    struct Over: Error {}

    /// The most rows of one step. The index writes less for each of them the more there are, and a step keeps the log
    /// from being checkpointed.
    private static let limit = 2000

    /// The most rows that are asked for at once: an engine may hold them all in memory, with the longest texts.
    private static let portion = 128

    /// The name of the JSON member of a thread whose history was reset.
    private static let resetMember = Array("\"historyResetAt\"".utf8)

    /// Throws ``Over`` when ``isOver`` says so.
    func run() throws -> SearchProgress {
        var progress = try SearchProgress.read(index, rows: rows, epoch: epoch)
        progress.checkedTo = checkedTo
        if let builtTo = progress.builtTo {
            try build(from: builtTo, &progress)
        } else {
            try follow(&progress)
        }
        try progress.write(index)
        return progress
    }

    private func goOn() throws { if isOver() { throw Over() } }

    private func build(from number: Int64, _ progress: inout SearchProgress) throws {
        var (last, count) = (number, 0)
        while count < Self.limit {
            let before = count
            let portion = min(Self.portion, Self.limit - count)
            try rows.db.query(
                "SELECT \(IndexedMessage.columns) FROM message WHERE number > ? ORDER BY number LIMIT ?",
                [.integer(last), .integer(Int64(portion))]
            ) { row in
                try goOn()
                (last, count) = (row.integer(0), count + 1)
                if let message = try IndexedMessage(row: row) { try indexMessage(message, &progress) }
                return true
            }
            guard count - before == portion else {
                // Messages that arrive during the build are in the log after the offset noted at its beginning.
                progress.builtTo = nil
                return
            }
        }
        progress.builtTo = last
    }

    private func follow(_ progress: inout SearchProgress) throws {
        let events = try rows.db.all(
            "SELECT place, type, owner, message, data, \(StoredEvent.base) FROM log WHERE place > ? ORDER BY place LIMIT ?",
            [.integer(progress.offset), .integer(Int64(Self.limit))]
        ) { row in
            try goOn()
            let type = EventType(rawValue: row.text(1))
            var data: [UInt8] = []
            switch type {
            case .messageRemoved, .threadRemoved: data = try row.event(4, base: 5).data
            case .threadUpdated:
                data = try row.event(4, base: 5).data
                // Nearly no thread has one, and there is such an event for each message.
                if !data.contains(Self.resetMember) { data = [] }
            default: break
            }
            return (offset: row.integer(0), type: type, owner: row.integer(2), message: row.integer(3), data: data)
        }
        // Old history is stored without events, but each of its rows takes an offset as its number.
        let numbers = try rows.db.all(
            "SELECT number FROM message WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(progress.offset), .integer(Int64(Self.limit))]
        ) { $0.integer(0) }
        var through = try rows.headOffset()
        for full in [events.map(\.offset), numbers] where full.count == Self.limit {
            through = min(through, full[Self.limit - 1])
        }
        let isAtEnd = max(events.count, numbers.count) < Self.limit
        let reached = events.filter { $0.offset <= through }
        let changed = reached.filter { $0.type == .messageCreated || $0.type == .messageUpdated }.map(\.message)
        try indexMessages(Set(numbers.filter { $0 <= through } + changed).sorted(), &progress)
        // All entries are as the rows are now. What is gone now leaves the index afterwards.
        for event in reached {
            switch event.type {
            case .messageRemoved: try remove(event.data, owner: event.owner, &progress)
            case .threadUpdated: try noteReset(event.data, owner: event.owner)
            case .threadRemoved: try noteRemoval(event.data, owner: event.owner, &progress)
            default: continue
            }
        }
        progress.offset = through
        progress.isAtEnd = try forget(&progress) && isAtEnd
    }

    /// Notes that the messages of a thread before a reset must leave the index. Each later `thread.updated` of the
    /// thread repeats the time, so a missed event does no harm.
    private func noteReset(_ data: [UInt8], owner: Int64) throws {
        // Nearly none was: data is empty.
        guard !data.isEmpty, let thread = try JSONParser.parse(data)["thread"],
            let id = thread["id"]?.string, let time = thread["historyResetAt"]?.string.flatMap(Timestamp.init(rfc3339:))
        else { return }
        let place = Self.place(createdAt: time.milliseconds + 1, number: 0)
        for thread in try threads(id, of: owner) {
            try index.run(
                """
                INSERT INTO forgetting (thread, place, isDone) VALUES (?, ?, 0) ON CONFLICT (thread)
                DO UPDATE SET place = excluded.place, isDone = 0 WHERE excluded.place > forgetting.place
                """, [.integer(thread), .integer(place)])
        }
    }

    /// After `thread.removed`: if the thread's row is gone, begins to check all threads, because the number by which
    /// the index names it is gone too. If nobody sees the thread any more, it is being erased, and leaves the index. In
    /// all other cases only a member has left.
    private func noteRemoval(_ data: [UInt8], owner: Int64, _ progress: inout SearchProgress) throws {
        guard let id = try JSONParser.parse(data)["threadId"]?.string else { return }
        let left = try threads(id, of: owner)
        if left.isEmpty { progress.checkedTo = 0 }
        for thread in left where try isUnseen(thread) {
            try index.run(
                """
                INSERT INTO forgetting (thread, place, isDone) VALUES (?, ?, 0) ON CONFLICT (thread)
                DO UPDATE SET place = excluded.place, isDone = 0
                """, [.integer(thread), .integer(Self.everyPlace)])
        }
    }

    /// Behind all places that entries have.
    private static let everyPlace = Int64.max

    private func isUnseen(_ thread: Int64) throws -> Bool {
        try rows.db.first(
            """
            SELECT 1 FROM thread WHERE number = ? AND isKnownToDesk = 0
            AND NOT EXISTS (SELECT 1 FROM member WHERE member.thread = thread.number)
            """, [.integer(thread)]
        ) { _ in true } == true
    }

    /// The numbers of the threads that have this id and owner; also where the owner was joined to another account, and
    /// the thread came along.
    private func threads(_ id: String, of owner: Int64) throws -> [Int64] {
        func find(_ owner: Int64) throws -> [Int64] {
            try rows.db.all("SELECT number FROM thread WHERE id = ? AND owner = ?", [.text(id), .integer(owner)]) {
                $0.integer(0)
            }
        }
        let own = try find(owner)
        guard own.isEmpty, let account = try rows.accountJoined(by: owner) else { return own }
        return try find(account.number)
    }

    /// Removes one bounded part of what must leave the index. Returns whether nothing is left.
    private func forget(_ progress: inout SearchProgress) throws -> Bool {
        let next = try index.first(
            "SELECT thread, place FROM forgetting WHERE isDone = 0 LIMIT 1", [],
            { (thread: $0.integer(0), place: $0.integer(1)) })
        guard let next else { return try forgetThreads(&progress) }
        let places = try index.all(
            "SELECT place FROM entry WHERE thread = ? AND place < ? LIMIT ?",
            [.integer(next.thread), .integer(next.place), .integer(Int64(Self.limit))]
        ) { $0.integer(0) }
        for place in places { try remove(place: place, &progress) }
        if places.count < Self.limit {
            // The line of a reset is kept, so that the next event of the thread does not begin anew.
            let end =
                next.place == Self.everyPlace
                ? "DELETE FROM forgetting WHERE thread = ?" : "UPDATE forgetting SET isDone = 1 WHERE thread = ?"
            try index.run(end, [.integer(next.thread)])
        }
        return false
    }

    /// Removes one bounded part of the entries whose threads are gone. Returns whether all threads were checked.
    private func forgetThreads(_ progress: inout SearchProgress) throws -> Bool {
        guard var thread = progress.checkedTo else { return true }
        var count = 0
        while count < Self.limit {
            let known = try nextThreads(after: thread)
            guard let last = known.last else {
                progress.checkedTo = nil
                return true
            }
            if let gone = try firstThatIsGone(of: known) {
                try forget(thread: gone, &progress)
                // It comes once more if there is more of it.
                progress.checkedTo = gone - 1
                return false
            }
            (thread, count) = (last, count + known.count)
        }
        progress.checkedTo = thread
        return false
    }

    /// The next threads that have entries, in ascending order. Each is found by a step in an index: a thread may have
    /// millions of entries.
    private func nextThreads(after number: Int64) throws -> [Int64] {
        var threads: [Int64] = []
        while threads.count < Self.portion {
            let next = try index.first(
                "SELECT thread FROM entry WHERE thread > ? ORDER BY thread LIMIT 1", [.integer(threads.last ?? number)]
            ) { $0.integer(0) }
            guard let next else { break }
            threads.append(next)
        }
        return threads
    }

    private func firstThatIsGone(of threads: [Int64]) throws -> Int64? {
        try goOn()
        let numbers = Placeholders(threads.map(SQLValue.integer))
        let there = try rows.db.all("SELECT number FROM thread WHERE number IN \(numbers.sql)", numbers.values) {
            $0.integer(0)
        }
        return threads.first { !there.contains($0) }
    }

    private func forget(thread: Int64, _ progress: inout SearchProgress) throws {
        let places = try index.all(
            "SELECT place FROM entry WHERE thread = ? LIMIT ?", [.integer(thread), .integer(Int64(Self.limit))]
        ) { $0.integer(0) }
        for place in places { try remove(place: place, &progress) }
        try index.run("DELETE FROM forgetting WHERE thread = ?", [.integer(thread)])
    }

    /// Brings the index entries of messages up to date with their rows. A message that was removed since has none: its
    /// removal comes later in the log.
    private func indexMessages(_ messages: [Int64], _ progress: inout SearchProgress) throws {
        var rest = messages[...]
        while !rest.isEmpty {
            let numbers = Placeholders(rest.prefix(Self.portion).map(SQLValue.integer))
            rest = rest.dropFirst(Self.portion)
            try rows.db.query(
                "SELECT \(IndexedMessage.columns) FROM message WHERE number IN \(numbers.sql)", numbers.values
            ) { row in
                try goOn()
                if let message = try IndexedMessage(row: row) { try indexMessage(message, &progress) }
                return true
            }
        }
    }

    /// Brings the index entry of a message up to date with its row.
    private func indexMessage(_ message: IndexedMessage, _ progress: inout SearchProgress) throws {
        var place = Self.place(createdAt: message.createdAt, number: message.number)
        if let text = message.text, try insert(text, place) { return }
        let known = try index.first(
            "SELECT place FROM entry WHERE thread = ? AND id = ?", [.integer(message.thread), .text(message.id)]
        ) { $0.integer(0) }
        if let known {
            let body = try index.first("SELECT body FROM words WHERE rowid = ?", [.integer(known)]) { $0.text(0) }
            if body == message.text { return }
            try remove(place: known, &progress)
        }
        guard let text = message.text else { return }
        while try !insert(text, place) { place += 1 }

        /// False when the message is in the index already, or another one has its place.
        func insert(_ text: String, _ place: Int64) throws -> Bool {
            try index.run(
                "INSERT OR IGNORE INTO entry (place, thread, id) VALUES (?, ?, ?)",
                [.integer(place), .integer(message.thread), .text(message.id)])
            guard index.changesCount == 1 else { return false }
            try index.run(
                "INSERT INTO words (rowid, scope, body) VALUES (?, ?, ?)",
                [.integer(place), .text("t\(message.thread) a\(message.owner)"), .text(text)])
            return true
        }
    }

    /// A number that orders messages by time: the milliseconds, then the lowest 21 bits of the arrival number.
    static func place(createdAt: Int64, number: Int64) -> Int64 {
        min(max(createdAt, 0), 1 << 42 - 1) << 21 | (number & 0x1f_ffff)
    }

    private func remove(_ data: [UInt8], owner: Int64, _ progress: inout SearchProgress) throws {
        let json = try JSONParser.parse(data)
        guard let thread = json["threadId"]?.string, let message = json["messageId"]?.string else { return }
        for number in try threads(thread, of: owner) {
            let place = try index.first(
                "SELECT place FROM entry WHERE thread = ? AND id = ?", [.integer(number), .text(message)]
            ) { $0.integer(0) }
            if let place { try remove(place: place, &progress) }
        }
    }

    private func remove(place: Int64, _ progress: inout SearchProgress) throws {
        try goOn()
        try index.run("DELETE FROM entry WHERE place = ?", [.integer(place)])
        try index.run("DELETE FROM words WHERE rowid = ?", [.integer(place)])
        progress.isUnclean = true
    }
}

extension UnsafeRawBufferPointer {
    /// Whether these bytes are in it.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool {
        guard var place = baseAddress, let first = bytes.first else { return false }
        let end = place + count
        while let found = memchr(place, Int32(first), end - place).map({ UnsafeRawPointer($0) }) {
            if end - found < bytes.count { return false }
            if memcmp(found, bytes, bytes.count) == 0 { return true }
            place = found + 1
        }
        return false
    }
}
