import Crypto
import Dispatch
import Glibc
import Synchronization

/// Files as the bodies of calls and of answers. Disks may block, and a task must not block its thread: all work is done
/// on other threads.
public enum FileBody {
    /// The whole file in memory; nil if it is shorter than `count`, or cannot be read. The descriptor is closed.
    public static func read(_ descriptor: Int32, count: Int) async -> [UInt8]? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                defer { Glibc.close(descriptor) }
                continuation.resume(returning: [UInt8](wholeFile: descriptor, count: count))
            }
        }
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

/// Writes the pieces of an answer to a file as they come, and computes size and SHA-256. One receiver serves one file. The
/// caller makes a call only after the call before has returned.
public final class FileReceiver: Sendable {
    private let write: @Sendable (UnsafeRawBufferPointer) throws -> Void
    private let synchronize: @Sendable () throws -> Void
    /// The blocking calls run here, one after the other.
    private let queue = DispatchQueue(label: "received-file")
    /// The digest and the size of what is written so far.
    private let state = Mutex((hash: SHA256(), size: Int64(0)))

    /// - Parameters:
    ///   - write: appends bytes to the file.
    ///   - synchronize: makes sure that what was written is on the disk.
    public init(
        write: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void,
        synchronize: @escaping @Sendable () throws -> Void
    ) {
        (self.write, self.synchronize) = (write, synchronize)
    }

    /// Returns when the piece is written. Throws what the file throws.
    public func take(_ piece: [UInt8]) async throws {
        try await onQueue { [self] in
            try piece.withUnsafeBytes { try write($0) }
            state.withLock { state in
                state.hash.update(data: piece)
                state.size += Int64(piece.count)
            }
        }
    }

    /// Synchronizes the file to the disk, and returns its size and SHA-256. To be called once, after the last piece.
    public func finish() async throws -> (size: Int64, digest: [UInt8]) {
        try await onQueue { [self] in try synchronize() }
        return state.withLock { ($0.size, Array($0.hash.finalize())) }
    }

    private func onQueue(_ work: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try work() }) }
        }
    }
}
