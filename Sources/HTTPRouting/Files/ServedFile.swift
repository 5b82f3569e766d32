import Formats
import MicroHTTP

/// A file of a stranger as it is served: whole, or the part that was asked for.
///
/// It comes from somebody else and is on the gateway's own origin: nothing in it may run, so what
/// is not known to be harmless is to be saved, and the rest is shown in a sandbox.
package struct ServedFile: Sendable {
    private let file: HTTPFile
    private let name: String
    private let type: MediaType?
    /// Bytes.
    private let size: Int64
    /// SHA-256 of its bytes.
    private let digest: [UInt8]

    /// - Parameters:
    ///   - descriptor: of the file, open for reading. It belongs to the new object.
    ///   - type: as it was told; it may be no type at all.
    package init(owning descriptor: Int32, name: String, type: String, size: Int64, digest: [UInt8]) {
        file = HTTPFile(owning: descriptor)
        self.name = name
        // A header that cannot be sent would leave the type to be guessed.
        self.type = MediaType(type)
        self.size = size
        self.digest = digest
    }

    /// 200, 206, or 304 when the client has it. Throws `rangeNotSatisfiable`.
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
            ("Repr-Digest", ReprDigest.text(sha256: digest)),
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

    /// Without If-Range any range is wanted; with it only one of the file that the client has begun with.
    private func range(of request: HTTPRequest, _ tag: String) -> ByteRange {
        guard request.method == "GET", let header = request.headers["Range"] else { return .whole }
        if let current = request.headers["If-Range"], current != "\"\(tag)\"" { return .whole }
        return ByteRange(header, size: size)
    }
}
