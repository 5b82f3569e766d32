import Formats
import HTTPRouting
import MicroHTTP

/// A file as it is served: read once, with the tag of its content.
struct StaticFile: Sendable {
    let bytes: [UInt8]
    let contentType: String
    /// Opaque part of the tag, without quotes.
    let tag: String

    init(bytes: [UInt8], contentType: String) {
        self.bytes = bytes
        self.contentType = contentType
        tag = Hexadecimal.encode(SHA256.hash(bytes).prefix(16))
    }

    init(bytes: [UInt8], name: String) { self.init(bytes: bytes, contentType: Self.contentType(of: name)) }

    func response(to request: HTTPRequest) -> HTTPResponse {
        // A 304 replaces the headers of the page that the browser keeps, so it must carry the page's own policy.
        var headers = [
            ("ETag", "\"\(tag)\""), ("Cache-Control", "no-cache"),
            ("Content-Security-Policy", SecurityHeaders.pagePolicy),
        ]
        if let header = request.headers["If-None-Match"], TagCondition(header).contains(opaque: tag) {
            return HTTPResponse(status: 304, headers: headers)
        }
        headers.append(("Content-Type", contentType))
        return HTTPResponse(status: 200, headers: headers, body: .bytes(bytes))
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
        case "md": "text/markdown; charset=utf-8"
        case "txt": "text/plain; charset=utf-8"
        default: "application/octet-stream"
        }
    }
}
