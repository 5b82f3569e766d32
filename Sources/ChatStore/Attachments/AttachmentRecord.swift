import Bounds
import ChatModel
import Formats

/// A row of `attachment`. The file with the bytes has the attachment's id as its name.
public struct AttachmentRecord: Sendable {
    public var attachment: Attachment
    /// Who uploaded it: an account, or the desk.
    public var uploader: Audience
    /// The number of the message that carries it; nil until it is sent.
    public var message: Int64?
    /// SHA-256 of the file's bytes, 32 bytes; empty while only a remote service has the file.
    public var digest: [UInt8]
    var thread: Int64?

    static let columns =
        "attachment.uploader, attachment.message, attachment.thread, attachment.digest, attachment.json"

    init(row: SQLRow) throws {
        uploader = Audience(number: row.integer(0))
        message = row.isNull(1) ? nil : row.integer(1)
        thread = row.isNull(2) ? nil : row.integer(2)
        digest = row.blob(3)
        attachment = try Attachment(canonicalJSON: row.blob(4))
    }

    /// An upload that was not sent within 24 hours is removed by ``ChatStore/sweepFiles()``.
    public static let lifetimeInMilliseconds: Int64 = 24 * 3_600_000
}

extension ReadTransaction {
    func attachment(_ id: String) throws -> AttachmentRecord? {
        try db.first("SELECT \(AttachmentRecord.columns) FROM attachment WHERE id = ?", [.text(id)]) {
            try AttachmentRecord(row: $0)
        }
    }

    /// The attachment, if this reader may see it: before it is sent, its uploader alone; then everybody who sees the
    /// message.
    ///
    /// A message that its service has not confirmed is visible to its sender only. Throws `unknownAttachment`, also
    /// for an attachment that the reader may not see, so that nobody can test which ids exist.
    public func attachment(_ id: String, for reader: Audience) throws -> AttachmentRecord {
        guard let record = try attachment(id), try isVisible(record, to: reader) else {
            throw ChatError.unknownAttachment(id)
        }
        return record
    }

    /// The channel of the conversation that has the attachment; nil before it is sent. Throws `unknownAttachment`, also for
    /// one that the desk may not see.
    public func channel(ofAttachment id: String) throws -> String? {
        try attachment(id, for: .desk).thread.flatMap { try thread(number: $0, for: .desk)?.owner.key.channel }
    }

    private func isVisible(_ record: AttachmentRecord, to reader: Audience) throws -> Bool {
        // A message that is not confirmed yet is visible to its sender only.
        if record.uploader == reader, try record.message.map(isOutgoing) ?? true { return true }
        guard let number = record.message else { return false }
        guard let thread = try record.thread.flatMap({ try thread(number: $0, for: reader) }),
            let id = try db.first("SELECT id FROM message WHERE number = ?", [.integer(number)], { $0.text(0) })
        else { return false }
        return try message(id, in: thread) != nil
    }

    private func isOutgoing(_ number: Int64) throws -> Bool {
        try db.first("SELECT 1 FROM outgoing WHERE number = ?", [.integer(number)]) { _ in true } == true
    }

    /// The thread as this reader sees it; nil when the reader may not see it. The line of the record is the reader's
    /// own.
    func thread(number: Int64, for reader: Audience) throws -> ThreadRecord? {
        guard let thread = try thread(number: number) else { return nil }
        switch reader {
        case .desk: return thread.isKnownToDesk ? thread : nil
        case .account(let account):
            guard thread.members.contains(where: { $0.account == account }) else { return nil }
            // Only a reading for the account sets the line of its history reset.
            return try self.thread(thread.thread.id, of: account).flatMap { $0.number == number ? $0 : nil }
        case .session, .channel, .everyone: return nil
        }
    }
}

extension ChatError {
    public static func unknownAttachment(_ id: String, pointer: String? = nil) -> ChatError {
        ChatError(.unknownAttachment, "There is no attachment \(id).", pointer: pointer)
    }
}

/// How many files, and bytes, one uploader may have uploaded and not sent yet. An upload that is not sent within a
/// day is removed.
public struct UploadAllowance: Sendable {
    public var count: Int
    /// Bytes of all files together.
    public var byteCount: Int64
    /// Bytes of all its files that count, sent or not; nil if this one is not to count.
    public var quota: Int64?

    /// For one customer: 200 files and 2 GiB, more than one message can carry.
    public static let account = UploadAllowance(count: 200, byteCount: Int64(ByteBound.uploads.bytes))
    /// For an uploader that stands for many people, as the desk does: 2,000 files and 20 GiB.
    public static let shared = UploadAllowance(count: 2000, byteCount: 10 * Int64(ByteBound.uploads.bytes))
}

extension WriteTransaction {
    /// Adds the row of an attachment whose file is in its place already: see ``ChatStore/storeFile(_:as:_:)``.
    ///
    /// Throws `tooManyUploads` when the uploader has too many files, or bytes, that were not sent, and `quotaExceeded`
    /// when all its files that count would be too great.
    public func insert(
        _ attachment: Attachment, uploader: Audience, digest: [UInt8], within allowance: UploadAllowance = .account
    ) throws {
        try check(attachment, of: uploader, within: allowance)
        let payer = allowance.quota == nil ? nil : uploader.number
        if let payer { try count(files: attachment.size, of: payer) }
        try db.run(
            "INSERT INTO attachment (id, uploader, createdAt, digest, json, bytes) VALUES (?, ?, ?, ?, ?, ?)",
            [
                .text(attachment.id), .optional(uploader.number), .integer(now.milliseconds), .blob(digest),
                .blob(attachment.canonicalJSON), .integer(payer == nil ? 0 : attachment.size),
            ])
    }

    private func check(_ attachment: Attachment, of uploader: Audience, within allowance: UploadAllowance) throws {
        let unsent = try db.first(
            """
            SELECT count(*), CAST(coalesce(sum(\(db.jsonNumber(of: "json", at: "size"))), 0) AS bigint) FROM attachment
            WHERE uploader = ? AND message IS NULL
            """, [.optional(uploader.number)]
        ) { (count: $0.integer(0), byteCount: $0.integer(1)) }
        guard let unsent else { return }
        guard unsent.count < allowance.count, unsent.byteCount + attachment.size <= allowance.byteCount else {
            throw ChatError(
                .tooManyUploads,
                """
                At most \(allowance.count) files, of \(allowance.byteCount) bytes together, may wait to be sent; there are \
                \(unsent.count), of \(unsent.byteCount) bytes.
                """)
        }
        guard let quota = allowance.quota, let account = uploader.number else { return }
        let kept = try usage(of: account).files
        guard kept + attachment.size <= quota else {
            throw ChatError(
                .quotaExceeded,
                "The files of one customer have at most \(quota) bytes together; these have \(kept), and this one has \(attachment.size)."
            )
        }
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

    /// Gives uploads that were not sent, and count for nobody, to another uploader. Ids that do not belong to the first
    /// uploader are skipped without an error.
    public func handOver(_ ids: [String], from uploader: Audience, to other: Audience) throws {
        for id in ids {
            try db.run(
                "UPDATE attachment SET uploader = ? WHERE id = ? AND uploader = ? AND message IS NULL AND bytes = 0",
                [.optional(other.number), .text(id), .optional(uploader.number)])
        }
    }

    /// Ties uploads to a message, by its arrival number. From then on the message's readers may see them, and they
    /// are removed with it.
    public func bind(_ attachments: [Attachment], to message: Int64, in thread: ThreadRecord) throws {
        for attachment in attachments {
            try db.run(
                "UPDATE attachment SET thread = ?, message = ? WHERE id = ?",
                [.integer(thread.number), .integer(message), .text(attachment.id)])
        }
    }

    /// Removes the rows of a message's attachments; the files are deleted after the commit.
    func discardAttachments(of message: Int64) throws {
        try discard(
            attachments: db.all("SELECT id FROM attachment WHERE message = ?", [.integer(message)]) { $0.text(0) })
    }

    /// Removes up to `limit` uploads that were made before a time and never sent. Returns whether there may be more.
    func discardUnsent(before time: Timestamp, limit: Int) throws -> Bool {
        let ids = try db.all(
            "SELECT id FROM attachment WHERE message IS NULL AND createdAt < ? LIMIT ?",
            [.integer(time.milliseconds), .integer(Int64(limit))]
        ) { $0.text(0) }
        try discard(attachments: ids)
        return ids.count == limit
    }

    /// Removes the attachments of messages that no table has any more. It looks once more whether each is gone, since
    /// they were found outside this unit: ``ReadTransaction/lostMessages(after:limit:)``.
    func discardAttachments(ofLost messages: [Int64]) throws {
        for message in messages where try isLost(message) {
            try discard(
                attachments: db.all("SELECT id FROM attachment WHERE message = ?", [.integer(message)]) { $0.text(0) })
        }
    }

    func discard(attachments ids: [String]) throws {
        guard !ids.isEmpty else { return }
        try giveBack(attachments: ids)
        for id in ids {
            try db.run("DELETE FROM attachment WHERE id = ?", [.text(id)])
            try db.run("DELETE FROM remoteFile WHERE attachment = ?", [.text(id)])
            if db.keepsFiles { try removeParts(of: id) }
        }
        discard(files: ids)
    }
}

extension ReadTransaction {
    /// Goes through the numbers of messages that attachments name, `limit` at a time, and returns those that neither
    /// `message` nor `outgoing` has.
    ///
    /// `next` is the number after which to go on; nil at the end.
    func lostMessages(after number: Int64, limit: Int) throws -> (lost: [Int64], next: Int64?) {
        let numbers = try db.all(
            "SELECT DISTINCT message FROM attachment WHERE message > ? ORDER BY message LIMIT ?",
            [.integer(number), .integer(Int64(limit))]
        ) { $0.integer(0) }
        return (try numbers.filter(isLost), numbers.count == limit ? numbers.last : nil)
    }

    fileprivate func isLost(_ message: Int64) throws -> Bool {
        for table in ["message", "outgoing"] {
            let isThere =
                try db.first("SELECT 1 FROM \(table) WHERE number = ?", [.integer(message)]) { _ in true } ?? false
            if isThere { return false }
        }
        return true
    }
}
