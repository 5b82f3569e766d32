import Chat
import ChatModel
import ChatStore
import Crypto
import CXoneWire
import Dispatch
import Glibc
import Synchronization

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

/// Writes the pieces of a file to the disk as they come, and computes size and SHA-256. For one file; the caller
/// waits for each call before the next one.
final class FileReceiver: Sendable {
    private let file: StagedFile
    /// Blocking calls run here, one after the other, and not on the threads of tasks.
    private let queue = DispatchQueue(label: "cxone-file")
    /// The digest and the size of what is written so far.
    private let state = Mutex((hash: SHA256(), size: Int64(0)))

    init(_ file: StagedFile) { self.file = file }

    /// Returns when the piece is written. Throws `storageFull`, `storageFailed`.
    func write(_ piece: [UInt8]) async throws {
        try await onQueue { [self] in
            try piece.withUnsafeBytes { try file.write($0) }
            state.withLock { state in
                state.hash.update(data: piece)
                state.size += Int64(piece.count)
            }
        }
    }

    /// Synchronizes the file to the disk, and returns its size and SHA-256. To be called once, after the last
    /// piece. Throws `storageFull`, `storageFailed`.
    func finish() async throws(ChatError) -> FetchedFile {
        do {
            try await onQueue { [self] in try file.synchronize() }
        } catch {
            throw error as? ChatError ?? ChatError(.storageFailed, "A file could not be stored.")
        }
        return state.withLock { FetchedFile(size: $0.size, digest: Array($0.hash.finalize())) }
    }

    private func onQueue(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
