import ChatModel
import ChatStore

/// Files: uploaded first, sent with a message after.
extension ChatClient {
    /// Which files the session's channel takes. Throws `unsupportedCapability`.
    public nonisolated func fileRestrictions() throws(ChatError) -> FileRestrictions {
        let channel = channel
        try ThreadRules.check(.attachments, on: channel)
        return channel.fileRestrictions
    }

    /// Makes a file an attachment, which a message may carry within 24 hours.
    ///
    /// Throws `attachmentError`, `invalidFileType`, `invalidFileSize`, `unsupportedCapability`, `notConnected`.
    public nonisolated func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try fileRestrictions().check(mimeType: upload.mimeType, size: upload.size)
        return try await perform { (connection) throws(ChatError) in try await connection.attach(upload, receipt: receipt) }
    }

    /// An attachment of the session's threads, or one that it has uploaded. Throws `unknownAttachment`.
    ///
    /// A file that the session's platform keeps is fetched when it is first asked for. Throws `serverError` when it cannot be had.
    public nonisolated func attachment(_ id: String) async throws(ChatError) -> OpenAttachment {
        let account = account
        let (record, remote) = try await store.read { (try $0.attachment(id, for: .account(account)), try $0.remoteFile(id)) }
        if let remote, !remote.isHere {
            try await service.file(at: remote.url, limit: Self.largestFile).keep(as: record.attachment, in: store)
        }
        return try await store.open(id, for: .account(account))
    }

    /// Bytes of a platform's file.
    private static let largestFile = 64 << 20
}
