import Foundation

/// A file, or standard input, that is read in pieces.
struct InputPieces {
    private let descriptor: Int32
    /// The size of a regular file; nil for anything else.
    let size: Int64?
    private(set) var readCount: Int64 = 0

    /// Throws ``CommandFailure``.
    ///
    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(CommandFailure) {
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .usage("\(path) cannot be read: \(String.system(errno)).") }
        var info = stat()
        size = fstat(descriptor, &info) == 0 && info.st_mode & S_IFMT == S_IFREG ? Int64(info.st_size) : nil
    }

    /// The share of the file that has been read, in percent.
    var share: Int? { size.map { $0 == 0 ? 100 : Int(min(100, readCount * 100 / $0)) } }

    /// The next bytes; nil at the end. Throws ``CommandFailure``.
    mutating func next() throws(CommandFailure) -> [UInt8]? {
        var piece = [UInt8](repeating: 0, count: 256 << 10)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw .usage("The file cannot be read: \(String.system(errno)).") }
            readCount += Int64(count)
            return count == 0 ? nil : Array(piece[..<count])
        }
    }

    func close() { if descriptor != STDIN_FILENO { Glibc.close(descriptor) } }
}

/// The lines of a file, without their ends, each with its number from 1. A line that is too long is told as such, and passed
/// over.
struct InputLines {
    struct Line {
        let number: Int
        /// Nil for one that is too long.
        let bytes: [UInt8]?
    }

    private(set) var pieces: InputPieces
    private let limit: Int
    private var rest: [UInt8] = []
    private var isTooLong = false
    private var number = 0
    private var lines: [Line] = []
    private var isEnd = false

    /// - Parameter limit: bytes of a line.
    init(_ pieces: InputPieces, limit: Int) { (self.pieces, self.limit) = (pieces, limit) }

    /// The next line that is not empty; nil at the end. Throws ``CommandFailure``.
    mutating func next() throws(CommandFailure) -> Line? {
        while lines.isEmpty, !isEnd {
            guard let piece = try pieces.next() else {
                isEnd = true
                if !rest.isEmpty || isTooLong { end([]) }
                break
            }
            var start = 0
            while let index = piece[start...].firstIndex(of: UInt8(ascii: "\n")) {
                end(piece[start..<index])
                start = index + 1
            }
            append(piece[start...])
        }
        return lines.isEmpty ? nil : lines.removeFirst()
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        if isTooLong || rest.count + bytes.count > limit {
            (isTooLong, rest) = (true, [])
        } else {
            rest += bytes
        }
    }

    private mutating func end(_ bytes: ArraySlice<UInt8>) {
        append(bytes)
        number += 1
        defer { (rest, isTooLong) = ([], false) }
        if isTooLong { return lines.append(Line(number: number, bytes: nil)) }
        if rest.last == UInt8(ascii: "\r") { rest.removeLast() }
        if number == 1, rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest.removeFirst(3) }
        if !rest.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { lines.append(Line(number: number, bytes: rest)) }
    }
}
