import ChatModel
import Formats

/// The words with which the desk sorts its threads.
extension ReadTransaction {
    /// All tags in their order.
    public func tags() throws -> [DeskTag] {
        try db.all("SELECT json FROM tag WHERE position >= 0 ORDER BY position, id") {
            try DeskTag(canonicalJSON: $0.blob(0))
        }
    }

    /// Throws `unknownTag`.
    public func tag(_ id: String) throws -> DeskTag {
        let tag = try db.first("SELECT json FROM tag WHERE id = ? AND position >= 0", [.text(id)]) {
            try DeskTag(canonicalJSON: $0.blob(0))
        }
        guard let tag else { throw ChatError(.unknownTag, "The desk has no tag \(id).") }
        return tag
    }

    /// At most `limit` threads with a tag that was removed, and the tag; nil when no tag is being removed.
    public func threadsOfRemovedTag(limit: Int) throws -> (tag: String, threads: [ThreadRecord])? {
        let tag = try db.first("SELECT id FROM tag WHERE position < 0 LIMIT 1") { $0.text(0) }
        guard let tag else { return nil }
        let numbers = try db.all(
            "SELECT thread FROM threadTag WHERE tag = ? LIMIT ?", [.text(tag), .integer(Int64(limit))]
        ) { $0.integer(0) }
        return (tag, try threads(numbered: numbers))
    }
}

extension WriteTransaction {
    /// Adds a tag at the end. Throws `tooManyTags`, `tagExists`.
    public func addTag(_ name: String, _ colour: DeskTag.Colour) throws -> DeskTag {
        let (count, last) =
            try db.first("SELECT count(*), coalesce(max(position), -1) FROM tag WHERE position >= 0") {
                ($0.integer(0), $0.integer(1))
            }
            ?? (0, -1)
        guard count < DeskTag.maximumCount else {
            throw ChatError(.tooManyTags, "The desk has \(DeskTag.maximumCount) tags, and there may not be more.")
        }
        let tag = DeskTag(id: environment.makeID(), name: name, colour: colour, position: Int(last) + 1)
        try save(tag)
        return tag
    }

    /// Changes a tag, which may be new. Throws `tagExists` for a name that another one has, without regard to case.
    public func save(_ tag: DeskTag) throws {
        let key = tag.name.lowercased()
        let other = try db.first("SELECT id FROM tag WHERE name = ?", [.text(key)]) { $0.text(0) }
        guard other == nil || other == tag.id else {
            throw ChatError(.tagExists, "Another tag has this name.", pointer: "/name")
        }
        try db.run(
            """
            INSERT INTO tag (id, name, position, json) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE
            SET name = excluded.name, position = excluded.position, json = excluded.json
            """,
            [.text(tag.id), .text(key), .integer(Int64(tag.position)), .blob(tag.canonicalJSON)])
    }

    /// Removes a tag, whose name is free then. Its threads keep the id until ``drop(tag:of:)`` is called for them. Throws
    /// `unknownTag`.
    public func removeTag(_ id: String) throws {
        // No name has a line feed.
        let changed = try db.change(
            "UPDATE tag SET position = -1, name = ? WHERE id = ? AND position >= 0", [.text("\n" + id), .text(id)])
        guard changed == 1 else { throw ChatError(.unknownTag, "The desk has no tag \(id).") }
    }

    /// Forgets a tag that was removed, and that no thread has any more.
    public func forgetTag(_ id: String) throws {
        try db.run("DELETE FROM tag WHERE id = ? AND position < 0", [.text(id)])
    }

    /// Takes a tag that was removed off the thread. The caller saves it.
    public func drop(tag id: String, of record: inout ThreadRecord) throws {
        try db.run("DELETE FROM threadTag WHERE tag = ? AND thread = ?", [.text(id), .integer(record.number)])
        record.team.tags.removeAll { $0 == id }
    }

    /// Gives the thread these tags in place of those that it has. The caller saves it. Throws `unknownTag` with a pointer.
    public func setTags(_ ids: [String], of record: inout ThreadRecord) throws {
        for (index, id) in ids.enumerated() {
            do { _ = try tag(id) } catch let error as ChatError {
                throw ChatError(error.code, error.detail, pointer: "/tags/\(index)")
            }
        }
        try replaceTags(of: &record, with: ids)
    }

    private func replaceTags(of record: inout ThreadRecord, with ids: [String]) throws {
        for id in record.team.tags where !ids.contains(id) {
            try db.run("DELETE FROM threadTag WHERE tag = ? AND thread = ?", [.text(id), .integer(record.number)])
        }
        for id in ids where !record.team.tags.contains(id) {
            try db.run(
                "INSERT INTO threadTag (tag, thread) VALUES (?, ?) ON CONFLICT (tag, thread) DO NOTHING",
                [.text(id), .integer(record.number)])
        }
        record.team.tags = ids
    }
}
