import Chat
import ChatModel
import ChatStore

/// Puts the bot's picture into the store, once for each message that shows it.
struct DemoPictures: Sendable {
    let store: ChatStore
    let sha256: @Sendable ([UInt8]) -> [UInt8]

    /// The picture on the disk, not yet an attachment. Throws `storageFull`, `storageFailed`.
    func upload() throws(ChatError) -> FileUpload {
        let (file, png) = (try store.stageFile(), DemoPicture.png)
        var failure: ChatError?
        png.withUnsafeBytes { bytes in
            do throws(ChatError) { try file.write(bytes) } catch { failure = error }
        }
        if let failure { throw failure }
        try file.synchronize()
        return FileUpload(
            file: file, name: DemoPicture.name, mimeType: DemoPicture.mimeType, size: Int64(png.count),
            digest: sha256(png))
    }
}

extension LiveStore {
    /// Like ``write(_:)``. With a file, the same unit makes it an attachment of the desk, and gets its id. When the
    /// unit throws, the file is deleted.
    func write(
        with upload: FileUpload?,
        _ unit: @escaping @Sendable (WriteTransaction, inout LiveChatWork, String?) throws -> Void
    ) async throws(ChatError) {
        guard let upload else { return try await write { try unit($0, &$1, nil) } }
        let attachment = Attachment(
            id: store.environment.makeID(), name: upload.name, mimeType: upload.mimeType, size: upload.size)
        let live = try await store.keep(upload.file, as: attachment.id) { transaction in
            try transaction.insert(attachment, uploader: .desk, digest: upload.digest, within: .shared)
            var live = LiveChatWork()
            try unit(transaction, &live, attachment.id)
            return live
        }
        live.publish(to: store.feed, timer, positions, typing)
    }
}
