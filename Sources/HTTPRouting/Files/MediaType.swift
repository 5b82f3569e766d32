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
