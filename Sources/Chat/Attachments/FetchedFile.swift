import ChatModel
import ChatStore
import Dispatch

/// A file that a platform has handed over.
public struct FetchedFile: Sendable {
    public var bytes: [UInt8]
    /// SHA-256 of them.
    public var digest: [UInt8]

    public init(bytes: [UInt8], digest: [UInt8]) {
        self.bytes = bytes
        self.digest = digest
    }

    /// Stores the bytes as those of an attachment, whose size is known now.
    func keep(as attachment: Attachment, in store: ChatStore) async throws(ChatError) {
        let staged = try store.stageFile()
        let bytes = bytes
        // Writing may wait for the disk, and tasks may not.
        let failure: ChatError? = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: bytes.withUnsafeBytes { buffer -> ChatError? in
                    do throws(ChatError) {
                        try staged.write(buffer)
                        try staged.synchronize()
                        return nil
                    } catch {
                        return error
                    }
                })
            }
        }
        if let failure { throw failure }
        var attachment = attachment
        attachment.size = Int64(bytes.count)
        let (whole, digest) = (attachment, digest)
        try await store.keep(staged, as: attachment.id) { try $0.fetched(whole, digest: digest) }
    }
}
