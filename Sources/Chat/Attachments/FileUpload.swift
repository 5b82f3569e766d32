import ChatModel
import ChatStore
import Formats

/// A file that was received completely and is to become an attachment (the SDK's `ContentDescriptor`).
public struct FileUpload: Sendable {
    /// Its bytes, already on the disk.
    public var file: StagedFile
    public var name: String
    public var mimeType: String
    /// Bytes.
    public var size: Int64
    /// SHA-256 of its bytes.
    public var digest: [UInt8]
    /// Whether it counts for the quota of its customer's files: the customer's own token sends it.
    public var isCounted = false

    public init(file: StagedFile, name: String, mimeType: String, size: Int64, digest: [UInt8]) {
        self.file = file
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.digest = digest
    }
}

/// An attachment whose file is open, so that the server can send it without a copy in memory.
public struct OpenAttachment: Sendable {
    public var attachment: Attachment
    /// SHA-256 of its bytes.
    public var digest: [UInt8]
    /// The file, open for reading. Whoever receives this value must close it.
    public var descriptor: Int32

    public init(attachment: Attachment, digest: [UInt8], descriptor: Int32) {
        self.attachment = attachment
        self.digest = digest
        self.descriptor = descriptor
    }
}

extension ChatStore {
    /// Opens an attachment for a reader. Throws `unknownAttachment`, also for one that this reader may not see, so that
    /// ids cannot be probed; `storageFailed`.
    public func open(_ id: String, for reader: Audience) async throws(ChatError) -> OpenAttachment {
        let record = try await read { try $0.attachment(id, for: reader) }
        return OpenAttachment(
            attachment: record.attachment, digest: record.digest, descriptor: try await openFile(of: record.attachment))
    }
}

extension FileUpload {
    /// Stores the file as an attachment. Until a message carries it, only its uploader sees it, and it is removed after
    /// 24 hours.
    ///
    /// Throws `tooManyUploads`, `quotaExceeded`, `storageFailed`, `storageFull`.
    ///
    /// - Parameter allowance: how much this uploader may have stored without sending it.
    public func keep(
        in store: ChatStore, of uploader: Audience, within allowance: UploadAllowance = .account, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let (attachment, digest) = (
            Attachment(id: store.environment.makeID(), name: name, mimeType: mimeType, size: size), digest
        )
        var allowance = allowance
        if isCounted { allowance.quota = store.quotas.files }
        return try await store.keep(file, as: attachment.id) { [allowance] transaction in
            try transaction.insert(attachment, uploader: uploader, digest: digest, within: allowance)
            let outcome = Outcome(.created, id: attachment.id, body: attachment.canonicalJSON)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }
}
