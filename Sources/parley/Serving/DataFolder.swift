import ChatModel
import ChatStore
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
        var here = [CChar](repeating: 0, count: Int(PATH_MAX))
        if !path.hasPrefix("/"),
            getcwd(&here, here.count) == nil
                || String(validating: here.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self) == nil
        {
            throw DataFolderError(
                "The data folder \(path) cannot be used: the path of the current folder is not UTF-8. Choose another one."
            )
        }
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
        // For whoever wants to signal the process.
        let number = Array("\(getpid())\n".utf8)
        if ftruncate(lock, 0) == 0 { _ = pwrite(lock, number, number.count, 0) }
    }

    /// The process that uses the folder now; nil if none does.
    static func process(on folder: String) -> Int32? {
        let descriptor = open(folder + "/lock", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
        // 1 and less mean other processes to kill(2): a damaged file must reach none of them.
        return line(folder + "/lock").flatMap { Int32($0) }.flatMap { $0 > 1 ? $0 : nil }
    }

    /// The secret of this name: 32 bytes, stored as base64url in a file of mode 0600. One that is missing is copied from
    /// another file, or made at random.
    ///
    /// A secret that is damaged, cannot be read or differs from the other file's is never replaced, because tokens that
    /// were given out depend on it. Throws ``DataFolderError``.
    ///
    /// - Parameter source: the path of the other file; "" for none.
    func secret(_ name: String, from source: String = "") throws -> [UInt8] {
        let secrets = try secrets(name, from: source)
        guard secrets.count == 1, let secret = secrets.first else {
            throw DataFolderError("\(path)/\(name) must hold one secret.")
        }
        return secret
    }

    /// The same where a file may hold several, one in each line, the present one first: a secret is exchanged in steps,
    /// and two hold meanwhile. If the other file shares one with the folder's, the folder follows it.
    func secrets(_ name: String, from source: String = "") throws -> [[UInt8]] {
        let file = "\(path)/\(name)"
        let given = source.isEmpty ? nil : try Self.givenSecrets(name, source)
        if let secrets = try Self.knownSecrets(name, in: path) {
            guard let given, given != secrets else { return secrets }
            guard given.contains(where: secrets.contains) else {
                throw DataFolderError(
                    "\(file) holds another secret than \(source). Remove it to use that of \(source) from now on.")
            }
            try Self.write(given, to: name, in: path)
            return given
        }
        let secrets = given ?? [Self.newSecret()]
        try Self.write(secrets, to: name, in: path)
        return secrets
    }

    /// The secrets of a folder's file, without making any; nil if there is no such file. Throws ``DataFolderError``.
    static func knownSecrets(_ name: String, in folder: String) throws(DataFolderError) -> [[UInt8]]? {
        let file = "\(folder)/\(name)"
        guard let lines = try lines(file) else { return nil }
        guard let secrets = decoded(lines) else {
            throw DataFolderError(
                "\(file) is damaged. Restore it, or remove it, and the gateway makes a new one at its start.")
        }
        return secrets
    }

    /// 32 bytes at random.
    static func newSecret() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Writes the secrets into a file of mode 0600, a line each. Throws ``DataFolderError``.
    static func write(_ secrets: [[UInt8]], to name: String, in folder: String) throws(DataFolderError) {
        try write(secrets.map { Base64URL.encode($0) + "\n" }.joined(), at: "\(folder)/\(name)")
    }

    /// The most secrets of one file.
    static let mostSecrets = 4

    private static func givenSecrets(_ name: String, _ file: String) throws(DataFolderError) -> [[UInt8]] {
        guard let lines = try lines(file) else { throw DataFolderError("There is no file \(file).") }
        guard let secrets = decoded(lines) else {
            throw DataFolderError(
                "\(file) must hold 32 bytes as base64url, as the file `\(name)` of a data folder does.")
        }
        return secrets
    }

    /// The secrets of a file's lines; nil unless there are one to ``mostSecrets``, each of 32 bytes.
    private static func decoded(_ lines: [String]) -> [[UInt8]]? {
        let secrets = lines.map { Base64URL.decode($0) ?? [] }
        return (1...mostSecrets).contains(secrets.count) && secrets.allSatisfy { $0.count == 32 } ? secrets : nil
    }

    /// Writes a file of mode 0600, so that a crash leaves the old or the new one. Throws ``DataFolderError``.
    func write(_ text: String, to name: String) throws { try Self.write(text, at: "\(path)/\(name)") }

    private static func write(_ text: String, at file: String) throws(DataFolderError) {
        do throws(WholeFile.Failure) {
            try WholeFile.write(Array(text.utf8), to: file)
        } catch {
            throw DataFolderError(error.description)
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
        guard let line = try? lines(file)?.first, !line.isEmpty else { return nil }
        return line
    }

    /// The lines of a file, without empty ones at the end; nil when there is no file. Throws ``DataFolderError`` when
    /// it cannot be read.
    private static func lines(_ file: String) throws(DataFolderError) -> [String]? {
        do throws(WholeFile.Failure) {
            guard let bytes = try WholeFile.read(file, limit: 4096) else { return nil }
            var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            while lines.last?.isEmpty == true { lines.removeLast() }
            return lines.map { String(decoding: $0, as: UTF8.self) }
        } catch {
            throw DataFolderError(error.description)
        }
    }
}

/// Why a data folder cannot be used. The description tells the operator what to do.
struct DataFolderError: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
