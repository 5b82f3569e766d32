import Chat
import ChatModel
import ChatStore
import CXoneWire
import HTTPClientPort

/// Files of messages. An upload is kept here first; the platform gets it just before the message that carries it.
struct FileSender {
    let account: ConnectedAccount

    /// Sends files to the platform, one after the other, and returns how the message names them, in the same
    /// order. A file that the platform already has is not sent again: its URL is in the account.store. Throws
    /// `invalidFileSize`, `invalidFileType`, `serverError`, `eventTimeout`, `storageFailed`.
    func upload(_ attachments: [Attachment]) async throws(ChatError) -> [WireAttachment] {
        var sent: [WireAttachment] = []
        for attachment in attachments {
            let known = try await account.store.read { try $0.remoteFile(attachment.id) }
            let url: String
            if let known {
                url = known.url
            } else {
                let file = AttachmentUpload(
                    content: try await bytes(of: attachment), fileName: attachment.name, mimeType: attachment.mimeType)
                url = try await account.service.http.upload(file, channel: account.channel, account.address)
                try await account.store.write { try $0.saveRemoteFile(attachment.id, at: url) }
            }
            sent.append(
                WireAttachment(
                    url: url, friendlyName: attachment.name, mimeType: attachment.mimeType, fileName: attachment.name))
        }
        return sent
    }

    /// The whole file in memory: the protocol sends it as base64 in one JSON body. Throws `storageFailed`.
    private func bytes(of attachment: Attachment) async throws(ChatError) -> [UInt8] {
        let descriptor = try await account.store.openFile(of: attachment)
        let bytes = await FileBody.read(descriptor, count: Int(attachment.size))
        guard let bytes else { throw ChatError(.storageFailed, "A file could not be read.") }
        return bytes
    }
}
