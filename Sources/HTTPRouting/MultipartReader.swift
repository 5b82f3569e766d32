import Glibc

/// Reads a form (`multipart/form-data`, RFC 7578) whose bytes come in pieces of any size. It keeps a part's headers, and
/// never a part's content.
///
/// libmicrohttpd's own reader (`MHD_post_process`, 0.9.75) is not used. It ignores `filename*`, and cuts a quoted name
/// at an escaped quote. It loses the whole form without an error when another parameter follows the boundary. It does
/// not bound a part's headers, it takes a form with an epilogue for a broken one, and it works only on a connection.
package struct MultipartReader: Sendable {
    /// The headers of one part may have this many bytes: 8 KiB.
    package static let headerLimit = 8 << 10

    /// Where in the form the next byte is.
    private enum Place {
        case preamble, delimited, headers, content, epilogue
    }

    /// CRLF, two hyphens and the boundary: what ends a content.
    private let delimiter: [UInt8]
    private var place = Place.preamble
    /// Bytes of the delimiter that the last bytes were equal to. A line end is assumed before the form's first byte.
    private var matched = 2
    /// The byte before, in the rest of the line that begins with a boundary.
    private var before: UInt8?
    /// The headers of a part, as far as they have come.
    private var head: [UInt8] = []

    /// Throws `invalidForm` unless the boundary has 1 to 70 printable ASCII characters, the last of which is no space
    /// (RFC 2046, 5.1.1).
    package init(boundary: String?) throws(Problem) {
        guard let boundary else {
            throw Problem(
                .invalidForm, "Content-Type has no boundary. The program that writes the form has to set the header.")
        }
        guard (1...70).contains(boundary.utf8.count), boundary.utf8.allSatisfy({ (0x20...0x7E).contains($0) }),
            boundary.utf8.last != 0x20
        else { throw Problem(.invalidForm, "The boundary has to be 1 to 70 printable ASCII characters.") }
        delimiter = Array("\r\n--\(boundary)".utf8)
    }

    /// Reads up to the next part, or to the end of the bytes.
    ///
    /// - Parameters:
    ///   - bytes: what has come; what is read is removed from it.
    ///   - content: gets the content of the part that was found last.
    /// - Returns: the next part. Nil when all bytes have been read.
    /// - Throws: `invalidForm`. The reader must not be used any more then.
    package mutating func next(
        in bytes: inout UnsafeRawBufferPointer.SubSequence, content: inout [UInt8]
    ) throws(Problem) -> MultipartPart? {
        while let byte = bytes.first {
            switch place {
            case .preamble:
                skipToDelimiter(&bytes)
            case .content:
                readContent(&bytes, into: &content)
            case .delimited:
                bytes.removeFirst()
                try afterDelimiter(byte)
            case .headers:
                bytes.removeFirst()
                guard head.count < Self.headerLimit else {
                    throw Problem(.invalidForm, "A part's headers have more than \(Self.headerLimit) bytes.")
                }
                head.append(byte)
                guard byte == 0x0A, head == [0x0D, 0x0A] || head.suffix(4) == [0x0D, 0x0A, 0x0D, 0x0A] else { break }
                let part = try MultipartPart(head: head)
                head = []
                place = .content
                return part
            case .epilogue:
                bytes = bytes.suffix(0)
            }
        }
        return nil
    }

    /// Checks that the form is complete. Throws `invalidForm`.
    package func finish() throws(Problem) {
        let boundary = String(decoding: delimiter.dropFirst(2), as: UTF8.self)
        switch place {
        case .epilogue: return
        case .preamble:
            throw Problem(.invalidForm, "No line of the body is \(boundary), which Content-Type gives as the boundary.")
        case .delimited, .headers, .content:
            throw Problem(.invalidForm, "The body ends early: the last line of a form is \(boundary)--.")
        }
    }

    /// What may follow a boundary on its line: two hyphens, which end the form, or white space and the line's end.
    private mutating func afterDelimiter(_ byte: UInt8) throws(Problem) {
        switch (before, byte) {
        case (nil, UInt8(ascii: "-")), (nil, 0x20), (nil, 0x09), (0x20, 0x20), (0x20, 0x09), (nil, 0x0D), (0x20, 0x0D):
            // A tab counts as a space from here on.
            before = byte == 0x09 ? 0x20 : byte
        case (UInt8(ascii: "-"), UInt8(ascii: "-")): place = .epilogue
        case (0x0D, 0x0A): place = .headers
        default:
            throw Problem(
                .invalidForm, "The boundary is in the middle of a line. It must not occur in what the form carries.")
        }
    }

    private mutating func skipToDelimiter(_ bytes: inout UnsafeRawBufferPointer.SubSequence) {
        var ignored: [UInt8] = []
        readContent(&bytes, into: &ignored)
    }

    /// Reads up to the end of the next delimiter, or of the bytes. The delimiter's first byte occurs in it only once, so
    /// a comparison that has failed begins again with the byte at which it failed.
    private mutating func readContent(
        _ bytes: inout UnsafeRawBufferPointer.SubSequence, into content: inout [UInt8]
    ) {
        // Bytes of the delimiter that were matched before this piece. They are content if the rest does not follow.
        var held = matched
        var position = bytes.startIndex
        defer { bytes = bytes[position...] }
        while position < bytes.endIndex {
            if matched == 0 {
                // Most of a file is no line end, so this is where the time goes.
                let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
                guard let found = memchr(rest.baseAddress!, 0x0D, rest.count) else {
                    position = bytes.endIndex
                    break
                }
                position += UnsafeRawPointer(found) - rest.baseAddress! + 1
                matched = 1
            } else if bytes[position] == delimiter[matched] {
                position += 1
                matched += 1
                guard matched < delimiter.count else {
                    content.append(contentsOf: bytes[..<max(bytes.startIndex, position - (matched - held))])
                    (place, matched, before) = (.delimited, 0, nil)
                    return
                }
            } else {
                content.append(contentsOf: delimiter[..<held])
                (matched, held) = (0, 0)
            }
        }
        content.append(contentsOf: bytes[..<(position - (matched - held))])
    }
}

/// The headers of one part of a form (RFC 7578, 4.2 to 4.8). Headers that a form has no use for are ignored.
package struct MultipartPart: Sendable {
    /// The field that the part belongs to.
    package let name: String
    /// The whole `Content-Disposition`: ``FileNameHeader`` finds a file's name in it.
    package let disposition: String
    /// The `Content-Type`, as it came; nil without one.
    package let type: String?

    /// - Parameter head: the header lines, with the empty one.
    /// - Throws: `invalidForm`.
    init(head: [UInt8]) throws(Problem) {
        var found: [String: String] = [:]
        for line in Self.lines(head) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
                line[..<colon].allSatisfy(ParameterScanner.isToken)
            else { throw Problem(.invalidForm, "A line in a part's headers is not like Name: value.") }
            let name = String(decoding: line[..<colon], as: UTF8.self).lowercased()
            guard ["content-disposition", "content-type", "content-transfer-encoding"].contains(name) else { continue }
            let value = line[(colon + 1)...].trimmingPrefix { $0 == 0x20 || $0 == 0x09 }
            guard found.updateValue(String(decoding: value, as: UTF8.self), forKey: name) == nil else {
                throw Problem(.invalidForm, "A part has the header \(name) twice.")
            }
        }
        let form = "A part needs Content-Disposition: form-data; name=\"file\"; filename=\"name.ext\"."
        guard let disposition = found["content-disposition"] else { throw Problem(.invalidForm, form) }
        var scanner = ParameterScanner(disposition)
        guard scanner.token()?.lowercased() == "form-data",
            let name = scanner.parameters()?.first(where: { $0.name == "name" })?.value
        else { throw Problem(.invalidForm, form) }
        // Deprecated by RFC 7578, 4.7. What is encoded would be kept as it is, and be another file.
        let encoding = found["content-transfer-encoding"]?.lowercased() ?? "binary"
        guard ["binary", "8bit", "7bit"].contains(encoding) else {
            throw Problem(.invalidForm, "A part has a Content-Transfer-Encoding. The file has to come as it is.")
        }
        self.name = name
        self.disposition = disposition
        type = found["content-type"]
    }

    /// The lines without their ends, up to the empty one.
    private static func lines(_ head: [UInt8]) -> [ArraySlice<UInt8>] {
        var lines: [ArraySlice<UInt8>] = []
        var start = head.startIndex
        for end in head.indices.dropFirst() where head[end] == 0x0A && head[end - 1] == 0x0D {
            lines.append(head[start..<(end - 1)])
            start = end + 1
        }
        return lines.dropLast()
    }
}
