import Formats
import Glibc

/// Small files that are read and replaced as a whole: secrets, tokens, positions. Every call waits for the disk.
public enum WholeFile {
    /// Why a file could not be used. The description names the file and the system's reason.
    public struct Failure: Error, Sendable, CustomStringConvertible {
        public let description: String
        /// The description without the path and the full stop.
        let reason: String

        /// - Parameter code: the system's; 0 for none.
        init(_ path: String, _ problem: String, code: Int32 = errno) {
            reason = "\(problem)\(code == 0 ? "" : ": " + String(cString: strerror(code)))"
            description = "\(path) \(reason)."
        }
    }

    /// The bytes of a file; nil only if there is none. A file that cannot be read is there all the same: whoever
    /// would write a new one in its place must not take it for missing.
    ///
    /// Throws also for a file of more than `limit` bytes, and for one that is no regular file.
    public static func read(_ path: String, limit: Int = 1 << 20) throws(Failure) -> [UInt8]? {
        // Not blocking: a FIFO without a writer would be waited for.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw Failure(path, "cannot be read")
        }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0 else { throw Failure(path, "cannot be read") }
        guard info.st_mode & S_IFMT == S_IFREG else { throw Failure(path, "is no regular file", code: 0) }
        guard info.st_size <= limit else { throw Failure(path, "cannot be read", code: EFBIG) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw Failure(path, "cannot be read") }
            if count == 0 { return bytes }
            // It may grow while it is read.
            guard bytes.count + count <= limit else { throw Failure(path, "cannot be read", code: EFBIG) }
            bytes += piece[..<count]
        }
    }

    /// Replaces a file, or makes it. After a crash the old one or the new one is there, and after the return it is the
    /// new one: file and name are on the disk.
    ///
    /// It is written under the name `path` with `.new` behind it and renamed then; so one caller at a time may write a
    /// file.
    public static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws(Failure) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard descriptor >= 0 else { throw Failure(path, "cannot be written") }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure(path, draft) }
            written += count
        }
        guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw failure(path, draft) }
        try synchronizeFolder(of: path)
    }

    private static func failure(_ path: String, _ draft: String) -> Failure {
        let failure = Failure(path, "cannot be written")
        unlink(draft)
        return failure
    }

    /// Gives a file another name, under which no write replaces it: its own with `.aside-1` behind it, or the next
    /// number that is free. Returns the new path; nil if there is no such file.
    public static func setAside(_ path: String) throws(Failure) -> String? {
        var number = 1
        var info = stat()
        while lstat("\(path).aside-\(number)", &info) == 0 { number += 1 }
        let aside = "\(path).aside-\(number)"
        guard rename(path, aside) == 0 else {
            if errno == ENOENT { return nil }
            throw Failure(path, "cannot be set aside")
        }
        try synchronizeFolder(of: path)
        return aside
    }

    /// Deletes a file, its draft, and what ``setAside(_:)`` has put aside of it. Does nothing where there is none.
    public static func remove(_ path: String) throws(Failure) {
        var info = stat()
        var number = 1
        var names = [path + ".new", path]
        while lstat("\(path).aside-\(number)", &info) == 0 {
            names.append("\(path).aside-\(number)")
            number += 1
        }
        for name in names where unlink(name) != 0 && errno != ENOENT { throw Failure(name, "cannot be removed") }
        // Without its folder there was no file.
        try? synchronizeFolder(of: path)
    }

    /// Makes a folder with mode 0700, unless it is there. The folder above it must be there.
    public static func makeFolder(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else {
            if errno == EEXIST { return }
            throw Failure(path, "cannot be made")
        }
        try synchronizeFolder(of: path)
    }

    /// Without this a power failure could take a name back, and with it what was stored under it.
    private static func synchronizeFolder(of path: String) throws(Failure) {
        let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Failure(folder, "cannot be synchronized") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw Failure(folder, "cannot be synchronized") }
    }
}
