import ChatModel
import Formats

/// A file that a remote service keeps.
public struct RemoteFile: Sendable, Hashable {
    public var url: String
    /// Its bytes were fetched, or come from here.
    public var isHere: Bool
}

extension ReadTransaction {
    /// Where the attachment is at its service; nil if no service has it.
    public func remoteFile(_ attachment: String) throws -> RemoteFile? {
        try db.first("SELECT url, isHere FROM remoteFile WHERE attachment = ?", [.text(attachment)]) {
            RemoteFile(url: $0.text(0), isHere: $0.flag(1))
        }
    }

    /// Where a remote service's channel is, as the service wrote it.
    public func remoteChannel(_ id: String, of service: String) throws -> String? {
        try db.first("SELECT address FROM remoteChannel WHERE service = ? AND id = ?", [.text(service), .text(id)]) { $0.text(0) }
    }

    /// All channels of a remote service whose addresses are known, by their ids.
    public func remoteChannels(of service: String) throws -> [(id: String, address: String)] {
        try db.all("SELECT id, address FROM remoteChannel WHERE service = ? ORDER BY id", [.text(service)]) {
            ($0.text(0), $0.text(1))
        }
    }
}

extension WriteTransaction {
    /// Notes where a remote service's channel is, or that it is elsewhere now.
    public func saveRemoteChannel(_ id: String, of service: String, address: String) throws {
        try db.run(
            "REPLACE INTO remoteChannel (service, id, address) VALUES (?, ?, ?)", [.text(service), .text(id), .text(address)])
    }

    /// An upload from here has its place at the service: it is not sent there twice.
    public func saveRemoteFile(_ attachment: String, at url: String) throws {
        try db.run(
            "REPLACE INTO remoteFile (attachment, url, isHere) VALUES (?, ?, 1)", [.text(attachment), .text(url)])
    }

    /// Notes files that a message of the service carries, so that they can be fetched. What was fetched stays.
    func addRemoteFiles(_ files: [(Attachment, url: String)], of message: MessageRecord, in thread: ThreadRecord) throws {
        for (attachment, url) in files {
            // After the cache was cleared the message is another row.
            try db.run(
                """
                INSERT INTO attachment (id, uploader, thread, message, createdAt, digest, json) VALUES (?, ?, ?, ?, ?, x'', ?)
                ON CONFLICT DO UPDATE SET thread = excluded.thread, message = excluded.message
                """,
                [.text(attachment.id), .integer(thread.owner.number), .integer(thread.number), .integer(message.number),
                 .integer(now.milliseconds), .blob(attachment.canonicalJSON)])
            try db.run(
                "INSERT OR IGNORE INTO remoteFile (attachment, url, isHere) VALUES (?, ?, 0)",
                [.text(attachment.id), .text(url)])
        }
    }

    /// A file's bytes are in their place now. Throws `unknownAttachment` if it was removed meanwhile.
    public func fetched(_ attachment: Attachment, digest: [UInt8]) throws {
        try db.run(
            "UPDATE attachment SET digest = ?, json = ? WHERE id = ?",
            [.blob(digest), .blob(attachment.canonicalJSON), .text(attachment.id)])
        guard db.changesCount > 0 else { throw ChatError.unknownAttachment(attachment.id) }
        try db.run("UPDATE remoteFile SET isHere = 1 WHERE attachment = ?", [.text(attachment.id)])
    }
}
