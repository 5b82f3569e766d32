import Chat
import ChatModel
import ChatStore

extension MessageWork {
    /// What a message is to carry, if its sender may send it and the thread's channel takes it.
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
    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await fileRestrictions().check(mimeType: upload.mimeType, size: upload.size)
        return try await upload.keep(in: store, of: .desk, within: .shared, receipt: receipt)
    }

    public func attachment(_ id: String) async throws(ChatError) -> OpenAttachment { try await store.open(id, for: .desk) }
}
