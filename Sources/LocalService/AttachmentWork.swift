import Chat
import ChatModel
import ChatStore

/// Files, for both sides of the embedded service.
struct AttachmentWork {
    let store: ChatStore
    let uploader: Audience

    /// Keeps a file as an attachment that nobody but its uploader sees until a message carries it.
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let attachment = Attachment(
            id: store.environment.makeID(), name: upload.name, mimeType: upload.mimeType, size: upload.size)
        return try await store.keep(upload.file, as: attachment.id) { transaction in
            try transaction.insert(attachment, uploader: uploader, digest: upload.digest)
            let outcome = Outcome(.created, id: attachment.id, body: attachment.canonicalJSON)
            try transaction.record(receipt, outcome)
            return outcome
        }
    }
}

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
        try await AttachmentWork(store: store, uploader: .account(account)).attach(upload, receipt: receipt)
    }
}

extension LocalDesk {
    public func fileRestrictions() throws(ChatError) -> FileRestrictions {
        let all = try channels().map(\.fileRestrictions).filter(\.isAttachmentsEnabled)
        return FileRestrictions(
            isAttachmentsEnabled: !all.isEmpty, maximumSize: all.map(\.maximumSize).max() ?? 0,
            allowedTypes: Set(all.flatMap(\.allowedTypes)).sorted())
    }

    public func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try fileRestrictions().check(mimeType: upload.mimeType, size: upload.size)
        return try await AttachmentWork(store: store, uploader: .desk).attach(upload, receipt: receipt)
    }

    public func attachment(_ id: String) async throws(ChatError) -> OpenAttachment { try await store.open(id, for: .desk) }
}
