import Foundation

/// Lines of standard input, read as they come. A line ends with LF or CR LF.
struct LineInput {
    private var bytes: [UInt8] = []
    private var lines: ArraySlice<String> = []
    private var isEnded = false

    /// Reads what is there, once, and returns the complete lines; nil at the end of the input. What stands behind the
    /// last line end is the last line.
    mutating func read() -> [String]? { fill() ? left() : nil }

    /// The lines that were read and not taken.
    mutating func left() -> [String] {
        defer { lines = [] }
        return Array(lines)
    }

    /// The next line, which is waited for; nil at the end of the input.
    mutating func next() -> String? {
        while true {
            if let line = lines.popFirst() { return line }
            if !fill() { return nil }
        }
    }

    /// Reads what is there, once. False at the end of the input.
    mutating func fill() -> Bool {
        if isEnded { return false }
        var piece = [UInt8](repeating: 0, count: 64 << 10)
        let count = Glibc.read(STDIN_FILENO, &piece, piece.count)
        if count < 0 { return errno == EINTR || errno == EAGAIN }
        bytes += piece[..<count]
        if count == 0 {
            isEnded = true
            if bytes.isEmpty { return false }
            bytes.append(UInt8(ascii: "\n"))
        }
        guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else { return true }
        lines += bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map { line in
            String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
        }
        bytes.removeSubrange(...end)
        return true
    }
}
