import ChatStore
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
        do throws(WholeFile.Failure) {
            try WholeFile.write(Array((cursor + "\n").utf8), to: path, mode: 0o666)
        } catch {
            throw .usage("The cursor file \(error)")
        }
    }
}
