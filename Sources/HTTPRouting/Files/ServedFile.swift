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
