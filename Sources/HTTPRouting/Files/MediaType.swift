/// A media type as an upload declares it (RFC 9110, 8.3.1).
package struct MediaType: Sendable, Equatable {
    /// `type/subtype` in lower case, then the parameters as they came.
    package let text: String
    package let essence: String

    /// Nil unless it is well-formed: what is not could not be sent back.
    package init?(_ header: String) {
        guard header.utf8.count <= 255 else { return nil }
        var scanner = ParameterScanner(header)
        guard let type = scanner.token(), scanner.skip("/"), let subtype = scanner.token(),
            let parameters = scanner.parameters()
        else {
            return nil
        }
        essence = "\(type)/\(subtype)".lowercased()
        text = parameters.reduce(essence) { text, parameter in
            let isToken = !parameter.value.isEmpty && parameter.value.utf8.allSatisfy(ParameterScanner.isToken)
            let quoted = parameter.value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            return "\(text); \(parameter.name)=\(isToken ? parameter.value : "\"\(quoted)\"")"
        }
        // Written with its quotes it may be longer than it came.
        guard text.utf8.count <= 255, text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
    }

    /// Types that a browser shows without running anything in them.
    private static let shown: Set<String> = [
        "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif", "image/bmp", "audio/mpeg", "audio/ogg",
        "audio/wav", "audio/webm", "audio/mp4", "audio/aac", "audio/flac", "video/mp4", "video/webm", "video/ogg",
    ]

    /// Of a body that a web form makes (`curl -F`, `curl -d`).
    package var isForm: Bool { essence.hasPrefix("multipart/") || essence == "application/x-www-form-urlencoded" }

    /// Whether it may be shown where it is linked. SVG, HTML, PDF and all the rest are to be saved.
    package var isShown: Bool { Self.shown.contains(essence) }
}
