import ChatModel
import Glibc

/// Looks whether the files of an open database are still where they were.
///
/// SQLite goes on writing to a file that somebody has removed or replaced: what is committed then is gone when the
/// gateway stops, though it was acknowledged.
struct DatabasePlace: Sendable {
    private struct File: Sendable, Equatable {
        /// As the system takes it, with the zero at its end: it is asked for with each group of writes.
        var path: ContiguousArray<CChar>
        var device: UInt64
        var inode: UInt64

        init?(_ path: ContiguousArray<CChar>) {
            var info = stat()
            guard path.withUnsafeBufferPointer({ stat($0.baseAddress!, &info) }) == 0 else { return nil }
            (self.path, device, inode) = (path, UInt64(info.st_dev), UInt64(info.st_ino))
        }

        var name: String { path.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } }
    }

    private let files: [File]

    /// - Parameter path: of a database that is open in WAL mode, and was written to.
    init(_ path: String) { files = [path, path + "-wal"].compactMap { File($0.utf8CString) } }

    /// The file that is gone, or is another one; nil if there is none. It costs two system calls.
    var lost: String? { files.first { File($0.path) != $0 }?.name }

    /// Throws `storageFailed` for a file that is gone. When it is back, all is well again.
    func check() throws(ChatError) {
        guard let name = lost?.split(separator: "/").last else { return }
        throw ChatError(
            .storageFailed, "The file \(name) was moved, replaced or deleted while the gateway uses it. Put it back.")
    }
}
