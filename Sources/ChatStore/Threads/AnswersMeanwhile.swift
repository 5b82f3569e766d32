import ChatModel
import Formats

/// The rule that no agent answers over a colleague's head: `ifLatest` names the last thing that the agent has seen.
extension ReadTransaction {
    /// Throws `answeredMeanwhile` when another agent has said something since the message or note, `unknownMessage` when the
    /// thread has none of this id.
    public func checkLatest(_ latest: String, of agent: Agent, in record: ThreadRecord) throws {
        let answers = try answers(ofOthersThan: agent.id, since: latest, in: record)
        guard !answers.isEmpty else { return }
        throw ChatError(
            .answeredMeanwhile, "Another agent has said something since \(latest).",
            faults: answers.map { .init(.answeredMeanwhile, $0, pointer: "/ifLatest") })
    }

    /// What other agents than this one have said in a thread since a message or note, the newest first; at most 20 ids.
    ///
    /// Throws `unknownMessage` when the thread has no such message or note.
    private func answers(ofOthersThan agent: String, since id: String, in record: ThreadRecord) throws -> [String] {
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
