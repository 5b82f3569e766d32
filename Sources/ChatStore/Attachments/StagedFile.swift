import ChatModel
import Glibc
import Synchronization

/// A file that is being received. It is removed when nobody holds it any more, unless the store has kept it.
///
/// Every operation may wait for the disk: not for the server's loop, nor for tasks.
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

    /// Appends bytes. Throws `storageFull`, `storageFailed`.
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

    /// Brings everything that was written onto the disk.
    public func synchronize() throws(ChatError) {
        guard fsync(descriptor) == 0 else { throw failure(errno) }
    }

    /// Gives the file its place for good.
    func move(to place: String) throws(ChatError) {
        guard rename(path, place) == 0 else { throw failure(errno) }
        isKept.withLock { $0 = true }
    }

    private func failure(_ code: Int32) -> ChatError {
        onFailure(code)
        return ChatError(file: code)
    }
}
