import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// A file as it is served: read once, with the tag of its content. Clients that take gzip get texts compressed.
///
/// The compressed copy is made when it is first asked for, and kept. It is shorter than the file, so all files together
/// never hold twice their own bytes.
struct StaticFile: Sendable {
    let bytes: [UInt8]
    let contentType: String
    /// Opaque part of the tag, without quotes.
    let tag: String
    private let compressed = CompressedCopy()

    /// How long a client may use the file without asking.
    enum Validity: Sendable {
        /// Not at all: it asks each time whether the file is the same.
        case checked
        /// For good: the address names the content.
        case immutable

        fileprivate var text: String {
            switch self {
            case .checked: "no-cache"
            case .immutable: "public, max-age=31536000, immutable"
            }
        }
    }

    init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
        tag = Hexadecimal.encode(SHA256.hash(bytes).prefix(16))
    }

    init(bytes: [UInt8], name: String) { self.init(bytes: bytes, contentType: Self.contentType(of: name)) }

    func response(to request: HTTPRequest, _ validity: Validity = .checked) -> HTTPResponse {
        let coded =
            isText && Gzip.isTaken(by: request.headers.all("Accept-Encoding")) ? compressed.bytes(of: bytes) : nil
        // A strong tag names one representation (RFC 9110, 8.8.3).
        // Not with the ending that proxies add: they mean the same representation by it.
        let sent = coded == nil ? tag : "\(tag).gz"
        // A 304 replaces the headers of the page that the browser keeps, so it must carry the page's own policy.
        var headers = [
            ("ETag", "\"\(sent)\""), ("Cache-Control", validity.text),
            ("Content-Security-Policy", SecurityHeaders.pagePolicy),
        ]
        if isText { headers.append(("Vary", "Accept-Encoding")) }
        if let header = request.headers["If-None-Match"], TagCondition(header).contains(opaque: sent) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers.append(("Content-Type", contentType))
        if coded != nil { headers.append(("Content-Encoding", Gzip.name)) }
        return HTTPResponse(status: 200, headers: headers, body: .bytes(coded ?? bytes))
    }

    /// Pictures and fonts are compressed already.
    private var isText: Bool {
        contentType.hasPrefix("text/") || contentType == "application/json" || contentType == "image/svg+xml"
    }

    private static func contentType(of name: String) -> String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js", "mjs": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "json", "webmanifest": "application/json"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        case "ico": "image/x-icon"
        case "woff2": "font/woff2"
        case "py", "pyi": "text/x-python; charset=utf-8"
        case "md": "text/markdown; charset=utf-8"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}

/// A file's bytes in gzip, made at their first use.
private final class CompressedCopy: Sendable {
    /// Nil as long as nobody has asked; then the copy, or nil where it would not be shorter.
    private let copy = Mutex<[UInt8]??>(nil)

    func bytes(of file: [UInt8]) -> [UInt8]? {
        copy.withLock { copy in
            if let copy { return copy }
            let made = Gzip.compress(file)
            copy = .some(made)
            return made
        }
    }
}
