import ChatModel
import Formats
import Foundation

/// The folder that holds everything the gateway stores: database, files, secrets and its address. One process uses it
/// at a time.
struct DataFolder {
    /// Absolute, without a slash at the end.
    let path: String
    /// The descriptor of the locked file. It stays open as long as the process lives; the kernel then removes the
    /// lock, also after a kill.
    private let lock: Int32

    /// Makes the folder with mode 0700 if it is missing, and locks it. Throws ``DataFolderError``, also when another
    /// gateway has the lock.
    init(_ path: String) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw DataFolderError("The data folder \(path) cannot be made. Choose another one.")
        }
        guard access(path, W_OK | X_OK) == 0 else {
            throw DataFolderError("The data folder \(path) is not writable. Choose another one.")
        }
        self.path = URL(fileURLWithPath: path).standardizedFileURL.path
        lock = open(path + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else {
            throw DataFolderError("The data folder \(path) is not writable. Choose another one.")
        }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
            throw DataFolderError(
                "Another gateway is running on the data folder \(path). Stop it, or choose another folder.")
        }
    }

    /// The secret of this name: 32 bytes, stored as base64url in a file of mode 0600. One that is missing is copied from
    /// another file, or made at random.
    ///
    /// A secret that is damaged, cannot be read or differs from the other file's is never replaced, because tokens that
    /// were given out depend on it. Throws ``DataFolderError``.
    ///
    /// - Parameter source: the path of the other file; "" for none.
    func secret(_ name: String, from source: String = "") throws -> [UInt8] {
        let file = "\(path)/\(name)"
        let given = source.isEmpty ? nil : try Self.givenSecret(name, source)
        if let text = try Self.read(file) {
            guard let bytes = Base64URL.decode(text), bytes.count == 32 else {
                throw DataFolderError(
                    "\(file) is damaged. Restore it, or remove it, and the gateway makes a new one at its start.")
            }
            guard given == nil || given == bytes else {
                throw DataFolderError(
                    "\(file) holds another secret than \(source). Remove it to use that of \(source) from now on.")
            }
            return bytes
        }
        var generator = SystemRandomNumberGenerator()
        let bytes = given ?? (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        try write(Base64URL.encode(bytes) + "\n", to: name)
        return bytes
    }

    private static func givenSecret(_ name: String, _ file: String) throws(DataFolderError) -> [UInt8] {
        guard let text = try read(file) else { throw DataFolderError("There is no file \(file).") }
        guard let bytes = Base64URL.decode(text), bytes.count == 32 else {
            throw DataFolderError(
                "\(file) must hold 32 bytes as base64url, as the file `\(name)` of a data folder does.")
        }
        return bytes
    }

    /// Writes a file of mode 0600 under a temporary name, synchronizes and renames it, so that a crash leaves the old
    /// or the new file. Throws ``DataFolderError``.
    func write(_ text: String, to name: String) throws {
        let (file, draft) = ("\(path)/\(name)", "\(path)/\(name).new")
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        defer { if descriptor >= 0 { close(descriptor) } }
        let bytes = Array(text.utf8)
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(draft, file) == 0
        else {
            throw DataFolderError("\(file) cannot be written: \(String(cString: strerror(errno))).")
        }
        // Without this a power failure could take the file's name back, and with it a key that was used already.
        let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if folder >= 0 { close(folder) } }
        guard folder >= 0, fsync(folder) == 0 else {
            throw DataFolderError("\(path) cannot be synchronized: \(String(cString: strerror(errno))).")
        }
    }

    /// Deletes a file of the folder; a missing one is no error.
    func remove(_ name: String) { unlink("\(path)/\(name)") }

    /// Whether there is a file of this name, readable or not.
    func has(_ name: String) -> Bool {
        var info = stat()
        return stat("\(path)/\(name)", &info) == 0
    }

    /// The first line of a file; nil when it is missing, empty or cannot be read.
    static func line(_ file: String) -> String? {
        guard let line = try? read(file), !line.isEmpty else { return nil }
        return line
    }

    /// The first line of a file; nil when there is none. Throws ``DataFolderError`` when it cannot be read.
    private static func read(_ file: String) throws(DataFolderError) -> String? {
        // Not blocking: a FIFO without a writer would be waited for.
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw DataFolderError("\(file) cannot be read: \(String(cString: strerror(errno))).")
        }
        defer { close(descriptor) }
        var info = stat()
        guard fstat(descriptor, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
            throw DataFolderError("\(file) is no regular file.")
        }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw DataFolderError("\(file) cannot be read: \(String(cString: strerror(errno))).") }
        return String(decoding: bytes[..<count].prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }
}

/// Why a data folder cannot be used. The description tells the operator what to do.
struct DataFolderError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
