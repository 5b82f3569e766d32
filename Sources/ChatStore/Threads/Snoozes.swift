import ChatModel
import Formats

/// Threads that are out of the desk's list until a time.
extension ReadTransaction {
    /// When the next one ends; nil if there is none.
    public func nextSnooze() throws -> Timestamp? {
        try db.first("SELECT snoozedUntil FROM thread WHERE snoozedUntil IS NOT NULL ORDER BY snoozedUntil LIMIT 1") {
            Timestamp(milliseconds: $0.integer(0))
        }
    }

    /// At most `limit` threads whose time has come, the earliest first.
    public func dueSnoozes(at time: Timestamp, limit: Int) throws -> [ThreadRecord] {
        try threads(
            numbered: db.all(
                "SELECT number FROM thread WHERE snoozedUntil <= ? ORDER BY snoozedUntil, number LIMIT ?",
                [.integer(time.milliseconds), .integer(Int64(limit))]
            ) { $0.integer(0) })
    }
}

extension WriteTransaction {
    /// Saves a change that the desk alone sees, and logs `thread.updated` for the desk. Its members' version of the thread
    /// stays: an entity tag must not tell them that something has happened.
    public func saveForDesk(_ record: inout ThreadRecord) throws {
        try save(&record, logging: .threadUpdated, to: [AudienceMember(.desk)], isDesksAlone: true)
    }
}

extension ReadTransaction {
    /// What other agents than this one have said in a thread since a message or note, the newest first; at most 20 ids.
    ///
    /// Throws `unknownMessage` when the thread has no such message or note.
    public func answers(
        ofOthersThan agent: String, since id: String, in record: ThreadRecord
    ) throws -> [String] {
        let place =
            try db.first(
                "SELECT number FROM message WHERE thread = ? AND id = ?", [.integer(record.number), .text(id)]
            ) { $0.integer(0) }
            ?? db.first("SELECT number FROM note WHERE thread = ? AND id = ?", [.integer(record.number), .text(id)]) {
                $0.integer(0)
            }
        guard let place else {
            throw ChatError(.unknownMessage, "The thread has no message or note \(id).", pointer: "/ifLatest")
        }
        func isOthers(_ json: [UInt8]) throws -> Bool {
            let author = try JSONParser.parse(json)["author"].map { (value) throws(ModelError) in
                try Author(json: value)
            }
            return author.map { ($0.kind == .agent || $0.kind == .bot) && $0.id != agent } ?? false
        }
        var found: [(number: Int64, id: String)] = []
        // Numbers grow with the order in which things were said. A list ends at the first older one.
        let lists = [
            "message WHERE thread = ? AND isInThread = 1 ORDER BY createdAt DESC, number DESC",
            "note WHERE thread = ? ORDER BY createdAt DESC, number DESC",
        ]
        for list in lists {
            try db.query("SELECT number, id, json FROM \(list) LIMIT 20", [.integer(record.number)]) { row in
                guard row.integer(0) > place else { return false }
                if try isOthers(row.blob(2)) { found.append((row.integer(0), row.text(1))) }
                return true
            }
        }
        return found.sorted { $0.number > $1.number }.map(\.id)
    }
}
