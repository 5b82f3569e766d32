import Chat
import ChatModel
import ChatStore
import Crypto
import Dispatch
import Formats
import HTTPRouting
import SendbirdWire

/// Files of messages.
extension SendbirdSandbox {
    /// Where a message's file is. Whoever has the address has the file, as at the platform.
    func file(_ id: String) async throws(SendbirdError) -> ServedFile {
        let (desk, embedded) = (service.desk, channel)
        // What is not sent yet has no address.
        let channel = try await act { () throws(ChatError) in try await store.read { try $0.channel(ofAttachment: id) }
        }
        guard channel == embedded else { throw SendbirdError(.notFound, "No such file.") }
        let open = try await act { () throws(ChatError) in try await desk.attachment(id, within: [embedded]) }
        return ServedFile(
            owning: open.descriptor, name: open.attachment.name, type: open.attachment.mimeType,
            size: open.attachment.size, digest: open.digest)
    }

    private static let queue = DispatchQueue(label: "sendbird-sandbox-files", attributes: .concurrent)

    /// Writes a file to the disk under a temporary name, on a thread that may wait for the disk. It is kept only when the
    /// store has its row.
    func stage(_ file: FileForm.File) async throws(SendbirdError) -> FileUpload {
        let store = store
        let result: Result<FileUpload, ChatError> = await withCheckedContinuation { continuation in
            Self.queue.async {
                continuation.resume(
                    returning: Result { () throws(ChatError) in
                        let staged = try store.stageFile()
                        try staged.write(file.bytes)
                        try staged.synchronize()
                        return FileUpload(
                            file: staged, name: file.name, mimeType: file.type, size: Int64(file.bytes.count),
                            digest: Array(SHA256.hash(data: file.bytes)))
                    })
            }
        }
        return try await act { () throws(ChatError) in try result.get() }
    }
}

extension StagedFile {
    fileprivate func write(_ bytes: [UInt8]) throws(ChatError) {
        let written: Result<Void, ChatError> = bytes.withUnsafeBytes { bytes in
            Result { () throws(ChatError) in try write(bytes) }
        }
        try written.get()
    }
}

extension SendbirdFile {
    init(_ attachment: Attachment, at origin: String) {
        self.init(
            url: "\(origin)/v3/files/\(attachment.id)/\(Self.escaped(attachment.name))", name: attachment.name,
            type: attachment.mimeType, size: attachment.size)
    }

    /// A name as a segment of a path.
    private static func escaped(_ name: String) -> String {
        var escaped = ""
        for byte in name.utf8 {
            let scalar = UnicodeScalar(byte)
            if byte < 0x80, scalar.properties.isAlphabetic || "0123456789-_.~".unicodeScalars.contains(scalar) {
                escaped.unicodeScalars.append(scalar)
            } else {
                escaped += "%" + Hexadecimal.encode([byte]).uppercased()
            }
        }
        return escaped
    }
}
