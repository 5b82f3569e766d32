import ChatModel
import Formats
import Foundation
import GRDB

/// One bounded step of the index: first through all messages while it is built, afterwards through the log.
///
/// An event only says which message has changed. Its text is read from its row, so an event that is taken twice, or
/// late, does no harm.
struct SearchBatch {
    let db: Database
    let epoch: String
    /// The number up to which threads were checked for removal; nil when there is nothing to check.
    let checkedTo: Int64?

    /// The most rows of one step. The index writes less for each of them the more there are, and a step keeps the log
    /// from being checkpointed.
    private static let limit = 2000

    /// The name of the JSON member of a thread whose history was reset.
    private static let resetMember = Array("\"historyResetAt\"".utf8)

    func run() throws -> SearchProgress {
        var progress = try SearchProgress.read(db, epoch: epoch)
        progress.checkedTo = checkedTo
        if let builtTo = progress.builtTo {
            try build(from: builtTo, &progress)
        } else {
            try follow(&progress)
        }
        try progress.write(db)
        return progress
    }

    private func build(from number: Int64, _ progress: inout SearchProgress) throws {
        let numbers = try db.all(
            "SELECT number FROM message WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(number), .integer(Int64(Self.limit))]
        ) { $0.integer(0) }
        for number in numbers { try take(message: number, &progress) }
        // Messages that arrive during the build are in the log after the offset noted at its beginning.
        progress.builtTo = numbers.count == Self.limit ? numbers.last : nil
    }

    private func follow(_ progress: inout SearchProgress) throws {
        let rows = try db.all(
            "SELECT place, type, owner, message, data FROM log WHERE place > ? ORDER BY place LIMIT ?",
            [.integer(progress.offset), .integer(Int64(Self.limit))]
        ) { row in
            let type = EventType(rawValue: row.text(1))
            let isRead =
                switch type {
                case .messageRemoved, .threadRemoved: true
                // Nearly no thread has one, and there is such an event for each message.
                case .threadUpdated: row.withBlob(4) { $0.contains(Self.resetMember) }
                default: false
                }
            return (
                offset: row.integer(0), type: type, owner: row.integer(2), message: row.integer(3),
                data: isRead ? row.blob(4) : []
            )
        }
        // Old history is stored without events, but each of its rows takes an offset as its number.
        let numbers = try db.all(
            "SELECT number FROM message WHERE number > ? ORDER BY number LIMIT ?",
            [.integer(progress.offset), .integer(Int64(Self.limit))]
        ) { $0.integer(0) }
        var through = try ReadTransaction(db: .lite(db)).headOffset()
        for full in [rows.map(\.offset), numbers] where full.count == Self.limit {
            through = min(through, full[Self.limit - 1])
        }
        let isAtEnd = max(rows.count, numbers.count) < Self.limit
        var taken: Set<Int64> = []
        for number in numbers where number <= through {
            taken.insert(number)
            try take(message: number, &progress)
        }
        for row in rows where row.offset <= through {
            switch row.type {
            case .messageCreated, .messageUpdated:
                if taken.insert(row.message).inserted { try take(message: row.message, &progress) }
            case .messageRemoved: try remove(row.data, owner: row.owner, &progress)
            case .threadUpdated: try noteReset(row.data, owner: row.owner)
            case .threadRemoved: try noteRemoval(row.data, owner: row.owner, &progress)
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
        try db.run(
            """
            INSERT INTO forgetting (thread, place, isDone) SELECT number, ?1, 0 FROM thread WHERE id = ?2 AND owner = ?3
            ON CONFLICT (thread) DO UPDATE SET place = excluded.place, isDone = 0 WHERE excluded.place > forgetting.place
            """, [.integer(Self.place(createdAt: time.milliseconds + 1, number: 0)), .text(id), .integer(owner)])
    }

    /// After `thread.removed`: if the thread's row is gone, begins to check all threads, because the number by which
    /// the index names it is gone too. If the row is there, only a member has left.
    private func noteRemoval(_ data: [UInt8], owner: Int64, _ progress: inout SearchProgress) throws {
        guard let id = try JSONParser.parse(data)["threadId"]?.string else { return }
        let isThere =
            try db.first("SELECT 1 FROM thread WHERE id = ? AND owner = ?", [.text(id), .integer(owner)]) { _ in true }
            == true
        if !isThere { progress.checkedTo = 0 }
    }

    /// Removes one bounded part of what must leave the index. Returns whether nothing is left.
    private func forget(_ progress: inout SearchProgress) throws -> Bool {
        let next = try db.first(
            "SELECT thread, place FROM forgetting WHERE isDone = 0 LIMIT 1", [],
            { (thread: $0.integer(0), place: $0.integer(1)) })
        guard let next else { return try forgetThreads(&progress) }
        let places = try db.all(
            "SELECT place FROM entry WHERE thread = ? AND place < ? LIMIT ?",
            [.integer(next.thread), .integer(next.place), .integer(Int64(Self.limit))]
        ) { $0.integer(0) }
        for place in places { try remove(place: place, &progress) }
        if places.count < Self.limit {
            try db.run("UPDATE forgetting SET isDone = 1 WHERE thread = ?", [.integer(next.thread)])
        }
        return false
    }

    /// Removes one bounded part of the entries whose threads are gone. Returns whether all threads were checked.
    private func forgetThreads(_ progress: inout SearchProgress) throws -> Bool {
        guard var thread = progress.checkedTo else { return true }
        for _ in 0..<Self.limit {
            let found = try db.first(
                "SELECT thread FROM entry WHERE thread > ? ORDER BY thread LIMIT 1", [.integer(thread)]
            ) { $0.integer(0) }
            guard let next = found else {
                progress.checkedTo = nil
                return true
            }
            if try db.first("SELECT 1 FROM thread WHERE number = ?", [.integer(next)], { _ in true }) == nil {
                let places = try db.all(
                    "SELECT place FROM entry WHERE thread = ? LIMIT ?", [.integer(next), .integer(Int64(Self.limit))]
                ) { $0.integer(0) }
                for place in places { try remove(place: place, &progress) }
                try db.run("DELETE FROM forgetting WHERE thread = ?", [.integer(next)])
                // The thread comes once more if there is more of it.
                break
            }
            thread = next
        }
        progress.checkedTo = thread
        return false
    }

    /// Brings the index entry of a message up to date with its row.
    private func take(message number: Int64, _ progress: inout SearchProgress) throws {
        // Messages that are still to be erased are hidden already, and the event of their reset may be past: they must
        // not get into the index. The same holds for messages of a removed thread.
        let row = try db.first(
            """
            SELECT thread, id, createdAt, json FROM message WHERE number = ? AND NOT EXISTS (
                SELECT 1 FROM erasure WHERE erasure.thread = message.thread AND message.createdAt <= erasure.line)
                AND EXISTS (SELECT 1 FROM thread WHERE thread.number = message.thread)
            """, [.integer(number)]
        ) {
            (
                thread: $0.integer(0), id: $0.text(1), createdAt: $0.integer(2),
                // The rest of the message would cost as much to decode as its words cost the index.
                text: try JSONParser.parse($0.blob(3))["text"]?.string
            )
        }
        // The message was removed since. Its removal comes later in the log.
        guard let row else { return }
        var place = Self.place(createdAt: row.createdAt, number: number)
        if let text = row.text, try insert(text, place) { return }
        let known = try db.first(
            "SELECT place FROM entry WHERE thread = ? AND id = ?", [.integer(row.thread), .text(row.id)]
        ) { $0.integer(0) }
        if let known {
            if try db.first("SELECT body FROM words WHERE rowid = ?", [.integer(known)], { $0.text(0) }) == row.text {
                return
            }
            try remove(place: known, &progress)
        }
        guard let text = row.text else { return }
        while try !insert(text, place) { place += 1 }

        /// False when the message is in the index already, or another one has its place.
        func insert(_ text: String, _ place: Int64) throws -> Bool {
            try db.run(
                "INSERT OR IGNORE INTO entry (place, thread, id) VALUES (?, ?, ?)",
                [.integer(place), .integer(row.thread), .text(row.id)])
            guard db.changesCount == 1 else { return false }
            try db.run(
                "INSERT INTO words (rowid, scope, body) VALUES (?, ?, ?)",
                [.integer(place), .text("t\(row.thread)"), .text(text)])
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
        let places = try db.all(
            """
            SELECT entry.place FROM thread JOIN entry ON entry.thread = thread.number AND entry.id = ?
            WHERE thread.id = ? AND thread.owner = ?
            """, [.text(message), .text(thread), .integer(owner)]
        ) { $0.integer(0) }
        for place in places { try remove(place: place, &progress) }
    }

    private func remove(place: Int64, _ progress: inout SearchProgress) throws {
        try db.run("DELETE FROM entry WHERE place = ?", [.integer(place)])
        try db.run("DELETE FROM words WHERE rowid = ?", [.integer(place)])
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
