import Chat
import ChatModel
import ChatStore

extension MessageWork {
    /// The uploads with these ids, in the order of the ids, for one message of this sender.
    ///
    /// The thread's own channel is checked here, because the desk uploads a file before it names a thread. Throws
    /// `unknownAttachment`, `attachmentInUse`, and the errors of ``FileRestrictions/check(mimeType:size:pointer:)``
    /// with a pointer to the entry.
    func uploads(_ ids: [String], of sender: Audience, for record: ThreadRecord) throws -> [Attachment] {
        guard !ids.isEmpty else { return [] }
        let channel = record.owner.key.channel
        let restrictions = try transaction.channel(channel, of: LocalService.serviceID)?.fileRestrictions ?? .embedded
        let uploads = try transaction.uploads(ids, of: sender)
        for (index, upload) in uploads.enumerated() {
            try restrictions.check(mimeType: upload.mimeType, size: upload.size, pointer: "/attachments/\(index)/id")
        }
        return uploads
    }
}

extension LocalConnection {
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await upload.keep(in: store, of: .account(account), receipt: receipt)
    }
}

extension LocalDesk {
    /// Keeps a file for any agent of the desk. A type or size that no channel takes is refused; the channel of the
    /// thread is checked when the file is sent.
    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await fileRestrictions().check(mimeType: upload.mimeType, size: upload.size)
        return try await upload.keep(in: store, of: .desk, within: .shared, receipt: receipt)
    }

    /// Opens a file that the desk has uploaded, or that is in a message which the desk sees.
    public func attachment(_ id: String) async throws(ChatError) -> OpenAttachment {
        try await store.open(id, for: .desk)
    }
}
