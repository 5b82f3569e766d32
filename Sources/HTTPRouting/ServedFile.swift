import Formats
import MicroHTTP

/// A stored file as an answer: the whole file, or the part that was asked for.
///
/// The file comes from somebody else and is served from the gateway's own origin, so nothing in it may run. Types that
/// are not known to be harmless are sent as a download; the others are shown in a CSP sandbox.
package struct ServedFile: Sendable {
    private let file: HTTPFile
    private let name: String
    private let type: MediaType?
    /// Bytes.
    private let size: Int64
    /// SHA-256 of the file's bytes; 32 bytes. It makes the strong `ETag`.
    private let digest: [UInt8]

    /// - Parameters:
    ///   - descriptor: of the file, open for reading. The new object owns and closes it.
    ///   - type: as the uploader declared it. If it is not well-formed, the file is served as
    ///     `application/octet-stream`.
    package init(owning descriptor: Int32, name: String, type: String, size: Int64, digest: [UInt8]) {
        file = HTTPFile(owning: descriptor)
        self.name = name
        // Without a valid type the browser would guess one.
        self.type = MediaType(type)
        self.size = size
        self.digest = digest
    }

    /// Answers 200, 206 for a range, or 304 if `If-None-Match` names the file. Throws `rangeNotSatisfiable`. It reads
    /// nothing: the server sends the bytes from the descriptor.
    package func response(to request: HTTPRequest) throws(Problem) -> HTTPResponse {
        let tag = Hexadecimal.encode(digest.prefix(16))
        var headers = [
            ("ETag", "\"\(tag)\""), ("Cache-Control", "private, no-cache"), ("Accept-Ranges", "bytes"),
            ("Content-Security-Policy", "sandbox; " + SecurityHeaders.dataPolicy),
        ]
        if let header = request.headers["If-None-Match"], TagCondition(header).contains(opaque: tag) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers += [
            ("Content-Type", type?.text ?? "application/octet-stream"),
            ("Content-Disposition", FileNameHeader.disposition(name, isShown: type?.isShown ?? false)),
            ("Repr-Digest", DigestField.text(sha256: digest)),
        ]
        switch range(of: request, tag) {
        case .whole: return HTTPResponse(status: 200, headers: headers, body: .file(file, 0..<size))
        case .part(let part):
            headers.append(("Content-Range", "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"))
            return HTTPResponse(status: 206, headers: headers, body: .file(file, part))
        case .unsatisfiable:
            throw Problem(
                .rangeNotSatisfiable, "The file has \(size) bytes.", headers: [("Content-Range", "bytes */\(size)")])
        }
    }

    /// The range that counts. `Range` is ignored unless the method is GET, and when `If-Range` names another version of
    /// the file (RFC 9110, 13.1.5).
    private func range(of request: HTTPRequest, _ tag: String) -> ByteRange {
        guard request.method == "GET", let header = request.headers["Range"] else { return .whole }
        if let current = request.headers["If-Range"], current != "\"\(tag)\"" { return .whole }
        return ByteRange(header, size: size)
    }
}

/// The part of a file that a `Range` header asks for (RFC 9110, 14.1.2 and 14.2).
package enum ByteRange: Equatable {
    /// Answer 200 with everything: the header cannot be understood, or asks for more than one range.
    case whole
    /// Answer 206 with these bytes. The range is half-open, not empty, and lies within the file.
    case part(Range<Int64>)
    /// Answer 416: the range is well-formed, but the file has none of its bytes.
    case unsatisfiable

    /// Reads the header for a file of `size` bytes; it cannot fail. RFC 9110 allows a server to ignore a header with
    /// several ranges, another unit, or a syntax error.
    package init(_ header: String, size: Int64) {
        self = .whole
        let text = header.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard text.hasPrefix("bytes="), !text.contains(",") else { return }
        let parts = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        func number(_ digits: Substring) -> Int64? {
            guard digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), !digits.isEmpty
            else { return nil }
            return Int64(digits) ?? .max
        }
        switch (number(parts[0]), number(parts[1])) {
        case (let first?, let last?) where first <= last:
            self = first < size ? .part(first..<min(last, size - 1) + 1) : .unsatisfiable
        case (let first?, nil) where parts[1].isEmpty:
            self = first < size ? .part(first..<size) : .unsatisfiable
        case (nil, let count?) where parts[0].isEmpty:
            // An empty file has no last byte, so no suffix range fits it (RFC 9110, 14.1.2).
            self = count > 0 && size > 0 ? .part(max(0, size - count)..<size) : .unsatisfiable
        default: return
        }
    }
}

/// Reads and writes the file name in `Content-Disposition` (RFC 6266). ``FileName`` says what a name may contain.
package enum FileNameHeader {
    /// The name that the header gives, cleaned by ``FileName``; `filename*` (RFC 8187) wins over `filename`.
    ///
    /// Without a header or without either parameter it is the name that ``FileName`` makes of an empty text. Throws
    /// `invalidHeader` for a header that is not well-formed.
    package static func read(_ header: String?) throws(Problem) -> String {
        guard let header else { return FileName.clean("") }
        var scanner = ParameterScanner(header)
        guard scanner.token() != nil, let parameters = scanner.parameters() else {
            throw Problem(
                .invalidHeader, "Content-Disposition must be like attachment; filename=\"name.ext\" (RFC 6266).")
        }
        if let extended = parameters.first(where: { $0.name == "filename*" })?.value {
            return FileName.clean(try decode(extended))
        }
        return FileName.clean(parameters.first { $0.name == "filename" }?.value ?? "")
    }

    /// Decodes `UTF-8'language'percent-encoded`, the extended value of RFC 8187; UTF-8 is the only accepted charset.
    private static func decode(_ value: String) throws(Problem) -> String {
        let malformed = Problem(.invalidHeader, "filename* is like UTF-8''na%C3%AFve.txt (RFC 8187).")
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { throw malformed }
        var bytes: [UInt8] = []
        var rest = parts[2].utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2,
                rest.first != UInt8(ascii: "+")
            else { throw malformed }
            bytes.append(decoded)
            rest = rest.dropFirst(2)
        }
        guard let name = String(validating: bytes, as: UTF8.self) else { throw malformed }
        return name
    }

    /// The value of `Content-Disposition` for a stored name: `filename` in ASCII for old clients, and `filename*` with
    /// the whole name where the two differ.
    ///
    /// The name is cleaned again here, because names that were stored by an older version may contain characters that a
    /// header must not have.
    /// - Parameter isShown: `inline` if true, otherwise `attachment`.
    package static func disposition(_ name: String, isShown: Bool) -> String {
        let name = FileName.clean(name)
        let ascii = name.escapingScalars {
            (" "..."~").contains($0) && !"\"\\%".unicodeScalars.contains($0) ? nil : "_"
        }
        let kind = isShown ? "inline" : "attachment"
        return "\(kind); filename=\"\(ascii)\"" + (ascii == name ? "" : "; filename*=UTF-8''\(name.percentEncoded)")
    }
}

/// A media type as an upload declares it (RFC 9110, 8.3.1).
package struct MediaType: Sendable, Equatable {
    /// `type/subtype` in lower case, then the parameters in their order, quoted where necessary. At most 255 bytes of
    /// printable ASCII, so that it can go into a header.
    package let text: String
    /// `type/subtype` in lower case, without parameters: what decisions are based on.
    package let essence: String
    /// The parameter `boundary`, which `multipart` types have.
    package let boundary: String?

    /// Nil unless the header is well-formed and short enough. A type that is not well-formed could not be sent back in
    /// a header when the file is downloaded.
    package init?(_ header: String) {
        guard header.utf8.count <= 255 else { return nil }
        var scanner = ParameterScanner(header)
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token(),
            let parameters = scanner.parameters()
        else {
            return nil
        }
        essence = "\(type)/\(subtype)".lowercased()
        boundary = parameters.first { $0.name == "boundary" }?.value
        text = parameters.reduce(essence) { text, parameter in
            let isToken = !parameter.value.isEmpty && parameter.value.utf8.allSatisfy(ParameterScanner.isToken)
            let quoted = parameter.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\(text); \(parameter.name)=\(isToken ? parameter.value : "\"\(quoted)\"")"
        }
        // The quotes that were added can make it longer than the original.
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    }

    /// Types that a browser shows without running anything in them.
    private static let shown: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "audio/mpeg", "audio/ogg",
        "audio/wav", "audio/webm", "audio/mp4", "audio/aac", "audio/flac", "video/mp4", "video/webm", "video/ogg",
    ]

    /// Whether it is the type of a form (`curl -F`, `curl -d`), which may wrap a file and is none.
    package var isForm: Bool { essence.hasPrefix("multipart/") || essence == "application/x-www-form-urlencoded" }

    /// Whether a browser may show the file inline. SVG, HTML, PDF and all types that are not listed could run scripts,
    /// so they are downloaded.
    package var isShown: Bool { Self.shown.contains(essence) }
}

/// Reads the parts that header values consist of, from left to right: tokens, quoted strings, and `;name=value` (RFC
/// 9110, 5.6).
struct ParameterScanner {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    /// Whether the byte is a `tchar` of RFC 9110, 5.6.2.
    static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }

    private mutating func skipSpace() {
        while next == 0x20 || next == 0x09 { position += 1 }
    }

    /// Consumes the character if it comes next. False, and nothing consumed, when another one does.
    mutating func skip(_ mark: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: mark) else { return false }
        position += 1
        return true
    }

    /// The longest token from here on; nil, and nothing consumed, when the next byte is not part of a token.
    mutating func token() -> String? {
        let start = position
        while let byte = next, Self.isToken(byte) { position += 1 }
        return start == position ? nil : String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func quotedString() -> String? {
        guard skip("\"") else { return nil }
        var value: [UInt8] = []
        while let byte = next {
            position += 1
            if byte == UInt8(ascii: "\"") { return String(validating: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard let escaped = next else { return nil }
                position += 1
                value.append(escaped)
            } else {
                value.append(byte)
            }
        }
        return nil
    }

    /// The parameters up to the end of the text, with names in lower case; empty if nothing is left.
    ///
    /// White space around `;` and `=` and a last `;` are tolerated. Nil when the text is not well-formed, or when a
    /// name comes twice, for it is not clear which value would count.
    mutating func parameters() -> [(name: String, value: String)]? {
        var parameters: [(name: String, value: String)] = []
        while true {
            skipSpace()
            if next == nil { return parameters }
            guard skip(";") else { return nil }
            skipSpace()
            if next == nil { return parameters }
            guard let name = token()?.lowercased() else { return nil }
            skipSpace()
            guard skip("=") else { return nil }
            skipSpace()
            guard let value = next == UInt8(ascii: "\"") ? quotedString() : token(),
                !parameters.contains(where: { $0.name == name })
            else { return nil }
            parameters.append((name, value))
        }
    }
}
