import ChatModel
import ChatStore
import Formats

/// A file that has come whole, to become an attachment (the SDK's `ContentDescriptor`).
public struct FileUpload: Sendable {
    /// Its bytes, already on the disk.
    public var file: StagedFile
    public var name: String
    public var mimeType: String
    /// Bytes.
    public var size: Int64
    /// SHA-256 of its bytes.
    public var digest: [UInt8]

    public init(file: StagedFile, name: String, mimeType: String, size: Int64, digest: [UInt8]) {
        self.file = file
        self.name = name
        self.mimeType = mimeType
        self.size = size
        self.digest = digest
    }
}

/// An attachment to be read.
public struct OpenAttachment: Sendable {
    public var attachment: Attachment
    /// SHA-256 of its bytes.
    public var digest: [UInt8]
    /// The file, open for reading; closing it is the receiver's.
    public var descriptor: Int32

    public init(attachment: Attachment, digest: [UInt8], descriptor: Int32) {
        self.attachment = attachment
        self.digest = digest
        self.descriptor = descriptor
    }
}

extension ChatStore {
    /// Opens an attachment for a reader. Throws `unknownAttachment` also for one that is not for this reader.
    public func open(_ id: String, for reader: Audience) async throws(ChatError) -> OpenAttachment {
        let record = try await read { try $0.attachment(id, for: reader) }
        return OpenAttachment(
            attachment: record.attachment, digest: record.digest, descriptor: try await openFile(of: record.attachment))
    }
}

extension FileUpload {
    /// Keeps the file as an attachment that nobody but its uploader sees until a message carries it.
    ///
    /// Throws `tooManyUploads`, `storageFailed`, `storageFull`.
    public func keep(
        in store: ChatStore, of uploader: Audience, within allowance: UploadAllowance = .account, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        let (attachment, digest) = (Attachment(id: store.environment.makeID(), name: name, mimeType: mimeType, size: size), digest)
        return try await store.keep(file, as: attachment.id) { transaction in
            try transaction.insert(attachment, uploader: uploader, digest: digest, within: allowance)
            let outcome = Outcome(.created, id: attachment.id, body: attachment.canonicalJSON)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }
}
