import Foundation

/// Where an export goes: a file that has its name only when it is whole, or standard output. It is written in pieces.
final class ExportFile {
    private let output: Output
    private let path: String?
    private let isJSON: Bool
    private var descriptor: Int32 = STDOUT_FILENO
    private var text: ForeignText
    private var waiting: [UInt8] = []

    private static let piece = 64 << 10

    /// Opens the file, beside which nothing may stand that is being written. Throws ``CommandFailure``.
    ///
    /// - Parameter path: nil for standard output.
    init(_ path: String?, _ output: Output, isJSON: Bool) throws(CommandFailure) {
        (self.output, self.path, self.isJSON) = (output, path, isJSON)
        text = ForeignText(output, isJSON: isJSON)
        guard let path else { return }
        descriptor = open(Self.unfinished(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .usage("\(path) cannot be written: \(String.system(errno)).") }
    }

    /// The name of the file until it is whole.
    static func unfinished(_ path: String) -> String { path + ".part" }

    /// Throws ``CommandFailure``.
    func write(_ bytes: some Sequence<UInt8>) throws(CommandFailure) {
        waiting += bytes
        if waiting.count >= Self.piece { try flush() }
    }

    private func flush() throws(CommandFailure) {
        defer { waiting.removeAll(keepingCapacity: true) }
        if path == nil { return text.write(waiting) }
        if !Output.write(waiting, to: descriptor) { throw failure(errno) }
    }

    private func failure(_ number: Int32) -> CommandFailure {
        CommandFailure(.refused, code: "notWritten", "\(path ?? "") cannot be written: \(String.system(number)).")
    }

    /// Gives the file its final name. Called after the last write. Throws ``CommandFailure``.
    func finish() throws(CommandFailure) {
        try flush()
        guard let path else { return text.end() }
        guard fsync(descriptor) == 0 || errno == EINVAL, close(descriptor) == 0,
            rename(Self.unfinished(path), path) == 0
        else { throw failure(errno) }
    }

    /// The export ends early. The file goes; what is on standard output ends with a line that nobody can read as one.
    func giveUp() {
        if let path {
            close(descriptor)
            unlink(Self.unfinished(path))
        } else {
            text.write(waiting + Array((isJSON ? "{\"brokenOff" : "\"the export broke off").utf8))
            text.end()
        }
    }
}
