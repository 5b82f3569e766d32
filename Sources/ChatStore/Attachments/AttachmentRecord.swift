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
