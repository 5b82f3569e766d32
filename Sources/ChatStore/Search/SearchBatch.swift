import ChatModel
import GRDB

/// One bounded step of the index: some messages while it is built, some of the log afterwards.
///
/// An event says only which message changed; what it says now is read from its row, so that an event
/// which is taken twice, or late, does no harm.
struct SearchBatch {
    let db: Database
    let epoch: String

    private static let limit = 500

    func run() throws -> SearchProgress {
        var progress = try SearchProgress.read(db, epoch: epoch)
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
            "SELECT number FROM message WHERE number > ? ORDER BY number LIMIT ?", [.integer(number), .integer(Int64(Self.limit))]
        ) { $0.integer(0) }
        for number in numbers { try take(message: number, &progress) }
        // What comes while it is built is in the log after the offset that was noted at the beginning.
        progress.builtTo = numbers.count == Self.limit ? numbers.last : nil
    }

    private func follow(_ progress: inout SearchProgress) throws {
        let rows = try db.all(
            "SELECT offset, type, owner, message, data FROM log WHERE offset > ? ORDER BY offset LIMIT ?",
            [.integer(progress.offset), .integer(Int64(Self.limit))]
        ) { row in
            let type = EventType(rawValue: row.text(1))
            return (
                offset: row.integer(0), type: type, owner: row.integer(2), message: row.integer(3),
                data: type == .messageRemoved ? row.blob(4) : [])
        }
        var taken: Set<Int64> = []
        for row in rows {
            switch row.type {
            case .messageCreated, .messageUpdated:
                if taken.insert(row.message).inserted { try take(message: row.message, &progress) }
            case .messageRemoved: try remove(row.data, owner: row.owner, &progress)
            default: continue
            }
        }
        progress.isAtEnd = rows.count < Self.limit
        progress.offset = progress.isAtEnd ? try ReadTransaction(db: db).headOffset() : rows.last?.offset ?? progress.offset
    }

    /// Puts a message into the index as it is now.
    private func take(message number: Int64, _ progress: inout SearchProgress) throws {
        let row = try db.first("SELECT thread, id, createdAt, json FROM message WHERE number = ?", [.integer(number)]) {
            (thread: $0.integer(0), id: $0.text(1), createdAt: $0.integer(2), text: try Message(canonicalJSON: $0.blob(3)).text)
        }
        // Removed since: its removal comes later in the log.
        guard let row else { return }
        let known = try db.first("SELECT place FROM entry WHERE thread = ? AND id = ?", [.integer(row.thread), .text(row.id)]) { $0.integer(0) }
        if let known {
            if try db.first("SELECT body FROM words WHERE rowid = ?", [.integer(known)], { $0.text(0) }) == row.text { return }
            try remove(place: known, &progress)
        }
        guard let text = row.text else { return }
        var place = Self.place(createdAt: row.createdAt, number: number)
        while true {
            try db.run("INSERT OR IGNORE INTO entry (place, thread, id) VALUES (?, ?, ?)", [.integer(place), .integer(row.thread), .text(row.id)])
            if db.changesCount == 1 { break }
            place += 1
        }
        try db.run("INSERT INTO words (rowid, scope, body) VALUES (?, ?, ?)", [.integer(place), .text("t\(row.thread)"), .text(text)])
    }

    /// Milliseconds, then the arrival number's low bits. Two million messages apart within a millisecond would share one.
    static func place(createdAt: Int64, number: Int64) -> Int64 { min(max(createdAt, 0), 1 << 42 - 1) << 21 | (number & 0x1f_ffff) }

    private func remove(_ data: [UInt8], owner: Int64, _ progress: inout SearchProgress) throws {
        let json = try JSONParser.parse(data)
        guard let thread = json["threadId"]?.string, let message = json["messageId"]?.string else { return }
        let places = try db.all(
            """
            SELECT entry.place FROM thread JOIN entry ON entry.thread = thread.number AND entry.id = ?
            WHERE thread.id = ? AND thread.owner = ?
            """, [.text(message), .text(thread), .integer(owner)]) { $0.integer(0) }
        for place in places { try remove(place: place, &progress) }
    }

    private func remove(place: Int64, _ progress: inout SearchProgress) throws {
        try db.run("DELETE FROM entry WHERE place = ?", [.integer(place)])
        try db.run("DELETE FROM words WHERE rowid = ?", [.integer(place)])
        progress.isUnclean = true
    }
}
