import Formats

/// Takes the body out of the bytes of an answer: by Content-Length, in chunks, or up to the end of the connection
/// (RFC 9112, 6 and 7).
///
/// It takes what is there and keeps its place, so that bytes may come in pieces of any length.
struct BodyDecoder: Equatable {
    private enum Place: Equatable {
        /// So many bytes of the body, or of a chunk, are still to come.
        case counted(Int)
        case chunk(left: Int)
        /// The line with the next chunk's length.
        case length
        /// The line end behind a chunk.
        case chunkEnd
        /// Lines behind the last chunk, up to an empty one.
        case trailer
        case open
        case end
    }

    private var place: Place

    /// The most bytes of a line between chunks.
    private static let longestLine = 1024

    /// - Parameter method: of the request: an answer to HEAD has no body.
    init(_ head: AnswerHead, method: String) throws(BrokenAnswer) {
        if method == "HEAD" || head.status == 204 || head.status == 304 {
            place = .end
        } else if head["Transfer-Encoding"]?.lowercased() == "chunked" {
            place = .length
        } else if let length = head["Content-Length"] {
            guard let count = Int(digits: length) else { throw BrokenAnswer("its length is no number") }
            place = count == 0 ? .end : .counted(count)
        } else {
            place = .open
        }
    }

    /// Whether the body is complete.
    var isEnd: Bool { place == .end }
    /// Whether the body may end where the connection ends.
    var mayEnd: Bool { place == .end || place == .open }

    /// Removes what it understands from the front of the bytes and returns the body's bytes among them.
    mutating func take(from bytes: inout ArraySlice<UInt8>) throws(BrokenAnswer) -> [UInt8] {
        var body: [UInt8] = []
        while !bytes.isEmpty {
            switch place {
            case .end: return body
            case .open:
                body += bytes
                bytes = []
            case .counted(let left):
                let count = take(left, from: &bytes, into: &body)
                place = count == left ? .end : .counted(left - count)
            case .chunk(let left):
                let count = take(left, from: &bytes, into: &body)
                place = count == left ? .chunkEnd : .chunk(left: left - count)
            case .chunkEnd:
                guard let line = try line(from: &bytes) else { return body }
                guard line.isEmpty else { throw BrokenAnswer("a chunk is longer than it says") }
                place = .length
            case .length:
                guard let line = try line(from: &bytes) else { return body }
                let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") }
                guard digits.count <= 8, let length = Int(String(decoding: digits, as: UTF8.self), radix: 16),
                    length >= 0
                else { throw BrokenAnswer("a chunk's length is no number") }
                place = length == 0 ? .trailer : .chunk(left: length)
            case .trailer:
                guard let line = try line(from: &bytes) else { return body }
                if line.isEmpty { place = .end }
            }
        }
        return body
    }

    private func take(_ count: Int, from bytes: inout ArraySlice<UInt8>, into body: inout [UInt8]) -> Int {
        let piece = bytes.prefix(count)
        body += piece
        bytes = bytes.dropFirst(piece.count)
        return piece.count
    }

    /// The next line without its end; nil while it is not complete.
    private func line(from bytes: inout ArraySlice<UInt8>) throws(BrokenAnswer) -> ArraySlice<UInt8>? {
        guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            if bytes.count > Self.longestLine { throw BrokenAnswer("a line between chunks is too long") }
            return nil
        }
        var line = bytes[..<end]
        bytes = bytes[(end + 1)...]
        if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
        return line
    }
}
