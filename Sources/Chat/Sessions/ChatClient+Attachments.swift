import ChatModel
import ChatStore

/// Files: uploaded first, sent with a message after.
extension ChatClient {
    /// Which files the session's channel takes. Throws `unsupportedCapability`.
    public func fileRestrictions() throws(ChatError) -> FileRestrictions {
        let channel = channel
        try ThreadRules.check(.attachments, on: channel)
        return channel.fileRestrictions
    }

    /// Makes a file an attachment, which a message may carry within 24 hours.
    ///
    /// Throws `attachmentError`, `invalidFileType`, `invalidFileSize`, `emptyFile`, `unsupportedCapability`,
    /// `notConnected`.
    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try fileRestrictions().check(mimeType: upload.mimeType, size: upload.size)
        return try await connection.perform(within: Self.limit(size: upload.size)) { (connection) throws(ChatError) in
            try await connection.attach(upload, receipt: receipt)
        }
    }

    /// An attachment of the session's threads, or one that the session has uploaded. The caller must close its file.
    /// Throws `unknownAttachment`.
    ///
    /// A platform's file is fetched when it is first asked for, once for all who ask. Throws `serverError` when the
    /// platform does not deliver it, and `eventTimeout` after 9 s. The fetch goes on then, and a later call finds the
    /// file.
    public func attachment(_ id: String) async throws(ChatError) -> OpenAttachment {
        let (account, store) = (account, store)
        let (record, remote) = try await store.read {
            (try $0.attachment(id, for: .account(account)), try $0.remoteFile(id))
        }
        guard let remote else { return try await store.open(id, for: .account(account)) }
        if !remote.isHere { try await fetch(record.attachment, at: remote.url, isDamaged: false) }
        do throws(ChatError) {
            return try await store.open(id, for: .account(account))
        } catch {
            // A file that is damaged or gone here is still at the platform.
            guard remote.isHere, error.code == .storageFailed || error.code == .unknownAttachment else { throw error }
            try await fetch(record.attachment, at: remote.url, isDamaged: true)
            return try await store.open(id, for: .account(account))
        }
    }

    /// - Parameter isDamaged: fetch the file again, although the store says that its bytes are here.
    private func fetch(_ attachment: Attachment, at url: String, isDamaged: Bool) async throws(ChatError) {
        let (service, store, channel) = (service, store, channel.id)
        try await remote.files.join(attachment.id, of: account) { () throws(ChatError) in
            // The fetch before this one may have ended just now.
            let isHere = try await store.read { try $0.remoteFile(attachment.id)?.isHere } == true
            guard isDamaged || !isHere else { return }
            try await service.fetch(attachment, at: url, of: channel, limit: Self.largestFile, into: store)
        }
    }

    /// How long an upload may take: a file that goes on to a platform gets a second more for each 256 KiB.
    private static func limit(size: Int64) -> Duration { Deadline.limit + .seconds(size >> 18) }

    /// How many bytes a platform's file may have.
    private static let largestFile = 64 << 20
}
