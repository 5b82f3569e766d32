import Chat
import ChatModel
import ChatStore
import Crypto
import Dispatch
import Synchronization

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
