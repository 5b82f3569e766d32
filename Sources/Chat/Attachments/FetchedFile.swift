import ChatModel
import ChatStore

/// A platform's file that was written to the disk.
public struct FetchedFile: Sendable {
    /// Bytes.
    public var size: Int64
    /// SHA-256 of them.
    public var digest: [UInt8]

    public init(size: Int64, digest: [UInt8]) {
        self.size = size
        self.digest = digest
    }
}

extension ChatService {
    /// Fetches a file straight to the disk, and makes it that of an attachment, whose size is known now.
    ///
    /// Throws `serverError`, `eventTimeout`, `storageFailed`, `storageFull`, `unknownAttachment` if it was removed meanwhile.
    func fetch(_ attachment: Attachment, at url: String, limit: Int, into store: ChatStore) async throws(ChatError) {
        let staged = try store.stageFile()
        let file = try await fetch(url, into: staged, limit: limit)
        var attachment = attachment
        attachment.size = file.size
        let whole = attachment
        try await store.keep(staged, as: whole.id) { try $0.fetched(whole, digest: file.digest) }
    }
}
