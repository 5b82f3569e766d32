import ChatModel

extension WriteTransaction {
    /// Adds an attachment whose file is in its place: see ``ChatStore/keep(_:as:_:)``.
    public func insert(_ attachment: Attachment, uploader: Audience, digest: [UInt8]) throws {
        try db.run(
            "INSERT INTO attachment (id, uploader, createdAt, digest, json) VALUES (?, ?, ?, ?, ?)",
            [.text(attachment.id), .optional(uploader.number), .integer(now.milliseconds), .blob(digest),
             .blob(attachment.canonicalJSON)])
    }

    /// The uploads that a message is to carry, in this order.
    ///
    /// Throws `unknownAttachment` for one that the sender has not uploaded, `attachmentInUse` for one that was sent.
    public func uploads(_ ids: [String], of sender: Audience) throws -> [Attachment] {
        try ids.enumerated().map { index, id in
            let pointer = "/attachments/\(index)/id"
            guard let record = try attachment(id), record.uploader == sender else {
                throw ChatError.unknownAttachment(id, pointer: pointer)
            }
            guard record.message == nil else {
                throw ChatError(.attachmentInUse, "Another message carries the attachment \(id).", pointer: pointer)
            }
            return record.attachment
        }
    }

    /// Makes uploads that were not sent another uploader's; what is not the first one's is left alone.
    public func handOver(_ ids: [String], from uploader: Audience, to other: Audience) throws {
        for id in ids {
            try db.run(
                "UPDATE attachment SET uploader = ? WHERE id = ? AND uploader = ? AND message IS NULL",
                [.optional(other.number), .text(id), .optional(uploader.number)])
        }
    }

    /// Ties uploads to the message that carries them now, sent or about to be.
    public func bind(_ attachments: [Attachment], to message: Int64, in thread: ThreadRecord) throws {
        for attachment in attachments {
            try db.run(
                "UPDATE attachment SET thread = ?, message = ? WHERE id = ?",
                [.integer(thread.number), .integer(message), .text(attachment.id)])
        }
    }

    /// Removes what a message carried. The files go after the commit.
    func discardAttachments(of message: Int64) throws {
        let ids = try db.all("SELECT id FROM attachment WHERE message = ?", [.integer(message)]) { $0.text(0) }
        guard !ids.isEmpty else { return }
        try db.run("DELETE FROM attachment WHERE message = ?", [.integer(message)])
        for id in ids { try db.run("DELETE FROM remoteFile WHERE attachment = ?", [.text(id)]) }
        discard(files: ids)
    }

    /// Removes those of these uploads that nobody has still; see ``ReadTransaction/unsentAttachments(before:limit:)``.
    func discardUnsent(_ ids: [String], before time: Timestamp) throws {
        try discard(ids, where: "message IS NULL AND createdAt < ?2", [.integer(time.milliseconds)])
    }

    /// The same for what lost messages carried; see ``ReadTransaction/lostAttachments(after:limit:)``.
    func discardLost(_ ids: [String]) throws {
        try discard(
            ids,
            where: """
                message IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message WHERE message.number = attachment.message)
                AND NOT EXISTS (SELECT 1 FROM outgoing WHERE outgoing.number = attachment.message)
                """)
    }

    private func discard(_ ids: [String], where condition: String, _ values: [SQLValue] = []) throws {
        for id in ids {
            try db.run("DELETE FROM attachment WHERE id = ?1 AND \(condition)", [.text(id)] + values)
            guard db.changesCount > 0 else { continue }
            try db.run("DELETE FROM remoteFile WHERE attachment = ?", [.text(id)])
            discard(files: [id])
        }
    }
}

extension ReadTransaction {
    /// Uploads from before a time that were never sent, oldest first.
    func unsentAttachments(before time: Timestamp, limit: Int) throws -> [String] {
        try db.all(
            "SELECT id FROM attachment WHERE message IS NULL AND createdAt < ? ORDER BY createdAt LIMIT ?",
            [.integer(time.milliseconds), .integer(Int64(limit))]) { $0.text(0) }
    }

    /// One step through the attachments of messages, in the order of these: those whose messages are gone, and the number of the
    /// message up to which was looked; nil at the end.
    func lostAttachments(after number: Int64, limit: Int) throws -> (ids: [String], through: Int64?) {
        let rows = try db.all(
            """
            SELECT id, message, EXISTS (SELECT 1 FROM message WHERE message.number = attachment.message)
                OR EXISTS (SELECT 1 FROM outgoing WHERE outgoing.number = attachment.message)
            FROM attachment WHERE message IS NOT NULL AND message > ? ORDER BY message LIMIT ?
            """, [.integer(number), .integer(Int64(limit))]) { (id: $0.text(0), message: $0.integer(1), isThere: $0.flag(2)) }
        // The last message's other attachments may be in the next step.
        let isEnd = rows.count < limit
        let through = rows.last.map { isEnd || $0.message == rows[0].message ? $0.message : $0.message - 1 }
        return (rows.filter { !$0.isThere }.map(\.id), isEnd ? nil : through)
    }
}
