import Chat
import ChatModel
import ChatStore
import CXoneWire
import Dispatch
import Glibc

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
        // Reading may block on the disk, and a task must not block its thread.
        let bytes: [UInt8]? = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                defer { Glibc.close(descriptor) }
                continuation.resume(returning: [UInt8](wholeFile: descriptor, count: Int(attachment.size)))
            }
        }
        guard let bytes else { throw ChatError(.storageFailed, "A file could not be read.") }
        return bytes
    }
}

extension [UInt8] {
    /// Nil if the file is shorter than `count`, or cannot be read. The caller closes the descriptor.
    fileprivate init?(wholeFile descriptor: Int32, count: Int) {
        var isWhole = true
        self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            while initialized < count {
                let read = Glibc.read(descriptor, buffer.baseAddress! + initialized, count - initialized)
                if read < 0, errno == EINTR { continue }
                guard read > 0 else { break }
                initialized += read
            }
            isWhole = initialized == count
        }
        if !isWhole { return nil }
    }
}
