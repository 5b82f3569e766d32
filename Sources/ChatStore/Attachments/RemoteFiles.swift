import ChatModel
import Formats

/// Where a remote service keeps an attachment's file.
public struct RemoteFile: Sendable, Hashable {
    public var url: String
    /// Whether this gateway has the bytes too: they were fetched, or uploaded here.
    public var isHere: Bool
}

extension ReadTransaction {
    /// Where a remote service keeps the attachment; nil if no service has it.
    public func remoteFile(_ attachment: String) throws -> RemoteFile? {
        try db.first("SELECT url, isHere FROM remoteFile WHERE attachment = ?", [.text(attachment)]) {
            RemoteFile(url: $0.text(0), isHere: $0.flag(1))
        }
    }

    /// The address of a remote service's channel, exactly as the service wrote it; nil if it is not known.
    public func remoteChannel(_ id: String, of service: String) throws -> String? {
        try db.first("SELECT address FROM remoteChannel WHERE service = ? AND id = ?", [.text(service), .text(id)]) {
            $0.text(0)
        }
    }

    /// All channels of a remote service whose addresses are known, by their ids.
    public func remoteChannels(of service: String) throws -> [(id: String, address: String)] {
        try db.all("SELECT id, address FROM remoteChannel WHERE service = ? ORDER BY id", [.text(service)]) {
            ($0.text(0), $0.text(1))
        }
    }
}

extension WriteTransaction {
    /// Stores the address of a remote service's channel, in place of the one before.
    public func saveRemoteChannel(_ id: String, of service: String, address: String) throws {
        try db.run(
            """
            INSERT INTO remoteChannel (service, id, address) VALUES (?, ?, ?)
            ON CONFLICT (service, id) DO UPDATE SET address = excluded.address
            """,
            [.text(service), .text(id), .text(address)])
    }

    /// Notes where the service keeps an upload of this gateway, so that a resend does not upload it again.
    public func saveRemoteFile(_ attachment: String, at url: String) throws {
        try db.run(
            """
            INSERT INTO remoteFile (attachment, url, isHere) VALUES (?, ?, 1)
            ON CONFLICT (attachment) DO UPDATE SET url = excluded.url, isHere = 1
            """, [.text(attachment), .text(url)])
    }

    /// Adds attachments for files that a message of the service carries, so that they can be fetched later. Files
    /// that were fetched already stay.
    func addRemoteFiles(_ files: [(Attachment, url: String)], of message: MessageRecord, in thread: ThreadRecord) throws
    {
        for (attachment, url) in files {
            // After the cache was cleared, the same message has a new number.
            try db.run(
                """
                INSERT INTO attachment (id, uploader, thread, message, createdAt, digest, json) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET thread = excluded.thread, message = excluded.message
                """,
                [
                    .text(attachment.id), .integer(thread.owner.number), .integer(thread.number),
                    .integer(message.number),
                    .integer(now.milliseconds), .blob([]), .blob(attachment.canonicalJSON),
                ])
            try db.run(
                """
                INSERT INTO remoteFile (attachment, url, isHere) VALUES (?, ?, 0) ON CONFLICT (attachment) DO NOTHING
                """,
                [.text(attachment.id), .text(url)])
        }
    }

    /// Notes that a file's bytes are in their place now, with their digest. Throws `unknownAttachment` if the
    /// attachment was removed meanwhile.
    public func fetched(_ attachment: Attachment, digest: [UInt8]) throws {
        let changes = try db.change(
            "UPDATE attachment SET digest = ?, json = ? WHERE id = ?",
            [.blob(digest), .blob(attachment.canonicalJSON), .text(attachment.id)])
        guard changes > 0 else { throw ChatError.unknownAttachment(attachment.id) }
        try db.run("UPDATE remoteFile SET isHere = 1 WHERE attachment = ?", [.text(attachment.id)])
    }
}
