import Formats

/// Status and headers of an answer (RFC 9112).
struct AnswerHead: Equatable {
    var status: Int
    /// In the order of the answer.
    var headers: [(name: String, value: String)]
    /// The bytes as they came, with the empty line at the end.
    var bytes: [UInt8]

    /// The most bytes of a head.
    static let maximumLength = 64 << 10

    /// The value of the first header of this name, in any case.
    subscript(name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// Takes the head from the front of the bytes. Returns nil while it is not complete. Throws ``BrokenAnswer``.
    static func parse(from bytes: inout ArraySlice<UInt8>) throws(BrokenAnswer) -> AnswerHead? {
        guard let end = end(of: bytes) else {
            if bytes.count > maximumLength { throw BrokenAnswer("its head is too long") }
            return nil
        }
        let head = Array(bytes[..<end])
        var lines = String(decoding: head, as: UTF8.self).split(
            separator: "\r\n", omittingEmptySubsequences: true
        )[...]
        let start = lines.popFirst()?.split(separator: " ", maxSplits: 2) ?? []
        guard start.count >= 2, start[0].hasPrefix("HTTP/1."), start[1].utf8.count == 3,
            let status = Int(digits: start[1])
        else { throw BrokenAnswer("it is not HTTP") }
        var headers: [(String, String)] = []
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { throw BrokenAnswer("a header has no name") }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            headers.append((String(line[..<colon]), String(value)))
        }
        bytes = bytes[end...]
        return AnswerHead(status: status, headers: headers, bytes: head)
    }

    /// The index after the empty line.
    private static func end(of bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + 4 <= bytes.endIndex, index - bytes.startIndex <= maximumLength {
            if bytes[index..<index + 4].elementsEqual([13, 10, 13, 10]) { return index + 4 }
            index += 1
        }
        return nil
    }

    static func == (left: AnswerHead, right: AnswerHead) -> Bool { left.bytes == right.bytes }
}

/// An answer that breaks the rules of HTTP, or that ends too early. The text completes "The gateway's answer cannot be
/// read: ".
struct BrokenAnswer: Error, Equatable {
    var reason: String
    init(_ reason: String) { self.reason = reason }
}

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
    mutating func decode(from bytes: inout ArraySlice<UInt8>) throws(BrokenAnswer) -> [UInt8] {
        var body: [UInt8] = []
        while !bytes.isEmpty {
            switch place {
            case .end: return body
            case .open:
                body += bytes
                bytes = []
            case .counted(let left):
                let count = move(left, from: &bytes, into: &body)
                place = count == left ? .end : .counted(left - count)
            case .chunk(let left):
                let count = move(left, from: &bytes, into: &body)
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

    private func move(_ count: Int, from bytes: inout ArraySlice<UInt8>, into body: inout [UInt8]) -> Int {
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
