import ChatModel
import Glibc
import Synchronization

/// A file that is being received. It is deleted with its last reference, unless the store has kept it.
///
/// Every operation may wait for the disk, so neither the server's loop nor a task may call it: use a thread that may
/// block. Calls must not overlap.
public final class StagedFile: Sendable {
    private let path: String
    private let descriptor: Int32
    private let isKept = Mutex(false)
    /// Told the code of each failure.
    private let onFailure: @Sendable (Int32) -> Void

    init(path: String, descriptor: Int32, onFailure: @escaping @Sendable (Int32) -> Void) {
        self.path = path
        self.descriptor = descriptor
        self.onFailure = onFailure
    }

    deinit {
        close(descriptor)
        if !isKept.withLock({ $0 }) { unlink(path) }
    }

    /// Appends bytes. Throws `storageFull`, `storageFailed`; the file is of no use then.
    public func write(_ bytes: UnsafeRawBufferPointer) throws(ChatError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, rest.base.baseAddress! + rest.startIndex, rest.count)
            if count < 0 {
                if errno == EINTR { continue }
                throw failure(errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Returns when all bytes that were written are on the disk (`fsync`). To be called before
    /// ``ChatStore/keep(_:as:_:)``.
    public func synchronize() throws(ChatError) {
        guard fsync(descriptor) == 0 else { throw failure(errno) }
    }

    /// Renames the file to its final place on the same file system. From then on it stays when this object goes.
    func move(to place: String) throws(ChatError) {
        guard rename(path, place) == 0 else { throw failure(errno) }
        isKept.withLock { $0 = true }
    }

    private func failure(_ code: Int32) -> ChatError {
        onFailure(code)
        return ChatError(file: code)
    }
}
