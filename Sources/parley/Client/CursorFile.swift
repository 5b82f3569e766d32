import Foundation

/// A file that holds the place up to which a command has printed events.
struct CursorFile {
    let path: String

    /// The cursor; nil when there is no such file yet, or nothing in it. Throws ``CommandFailure`` for one that cannot
    /// be read.
    func read() throws(CommandFailure) -> String? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .usage("The cursor file \(path) cannot be read.")
        }
        let line = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
        return line.isEmpty ? nil : line
    }

    /// Replaces the cursor. The file holds the old one or the new one, whatever happens. Throws ``CommandFailure``.
    func write(_ cursor: String) throws(CommandFailure) {
        let draft = path + ".new"
        let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        defer { if descriptor >= 0 { close(descriptor) } }
        let bytes = Array((cursor + "\n").utf8)
        guard descriptor >= 0, Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0,
            rename(draft, path) == 0
        else {
            throw .usage("The cursor file \(path) cannot be written: \(String.system(errno)).")
        }
    }
}
