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
