import Chat
import ChatModel
import ChatStore
import CXoneWire
import Dispatch
import Glibc

/// Files of messages: kept here when they are uploaded, sent to the platform with the message that carries them.
extension CXoneConnection {
    func attach(_ upload: FileUpload, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await upload.keep(in: store, of: .account(account.number), receipt: receipt)
    }

    /// One after the other; a file that is there already is not sent again. Throws `invalidFileSize`, `invalidFileType`,
    /// `serverError`.
    func upload(_ attachments: [Attachment]) async throws(ChatError) -> [WireAttachment] {
        var sent: [WireAttachment] = []
        for attachment in attachments {
            let known = try await store.read { try $0.remoteFile(attachment.id) }
            let url: String
            if let known {
                url = known.url
            } else {
                let file = AttachmentUpload(
                    content: try await bytes(of: attachment), fileName: attachment.name, mimeType: attachment.mimeType)
                url = try await service.http.upload(file, channel: channel, address)
                try await store.write { try $0.saveRemoteFile(attachment.id, at: url) }
            }
            sent.append(WireAttachment(
                url: url, friendlyName: attachment.name, mimeType: attachment.mimeType, fileName: attachment.name))
        }
        return sent
    }

    private func bytes(of attachment: Attachment) async throws(ChatError) -> [UInt8] {
        let descriptor = try await store.openFile(of: attachment)
        // Reading may wait for the disk, and tasks may not.
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
