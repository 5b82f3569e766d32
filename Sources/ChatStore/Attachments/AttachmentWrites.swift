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

    /// Removes a batch of what nobody has: uploads from before a time that were never sent, and what lost messages carried.
    /// - Returns: whether there may be more.
    func discardOrphans(before time: Timestamp, limit: Int) throws -> Bool {
        let ids = try db.all(
            """
            SELECT id FROM attachment WHERE message IS NULL AND createdAt < ?1
            UNION ALL SELECT id FROM attachment
            WHERE message IS NOT NULL AND NOT EXISTS (SELECT 1 FROM message WHERE message.number = attachment.message)
                AND NOT EXISTS (SELECT 1 FROM outgoing WHERE outgoing.number = attachment.message)
            LIMIT ?2
            """, [.integer(time.milliseconds), .integer(Int64(limit))]) { $0.text(0) }
        for id in ids {
            try db.run("DELETE FROM attachment WHERE id = ?", [.text(id)])
            try db.run("DELETE FROM remoteFile WHERE attachment = ?", [.text(id)])
        }
        discard(files: ids)
        return ids.count == limit
    }
}
