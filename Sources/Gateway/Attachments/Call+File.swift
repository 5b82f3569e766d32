import Chat
import ChatModel
import Formats
import MicroHTTP

extension Call {
    /// A file, or the part of it that was asked for; 304 when the client has it. Throws `rangeNotSatisfiable`.
    ///
    /// It comes from somebody else and is on the gateway's own origin: nothing in it may run, so what
    /// is not known to be harmless is to be saved, and the rest is shown in a sandbox.
    func file(_ open: OpenAttachment) throws(Problem) -> HTTPResponse {
        let file = HTTPFile(owning: open.descriptor)
        let (attachment, size) = (open.attachment, open.attachment.size)
        guard file.size >= size else {
            throw Problem(ChatError(.storageFailed, "The file on the disk has \(file.size) bytes; \(size) were stored."))
        }
        // What a platform calls its type may be no type; a header that cannot be sent would leave it to be guessed.
        let type = MediaType(attachment.mimeType)
        let tag = Hexadecimal.encode(open.digest.prefix(16))
        var headers = [
            ("ETag", "\"\(tag)\""), Self.revalidate, ("Accept-Ranges", "bytes"),
            ("Content-Security-Policy", "sandbox; " + SecurityHeaders.dataPolicy),
        ]
        if let header = request.headers["If-None-Match"], TagCondition(header).contains(opaque: tag) {
            return HTTPResponse(status: 304, headers: headers)
        }
        var range = ByteRange.whole
        if request.method == "GET", let header = request.headers["Range"], isRangeCurrent(tag) { range = ByteRange(header, size: size) }
        headers += [
            ("Content-Type", type?.text ?? "application/octet-stream"),
            ("Content-Disposition", FileNameHeader.disposition(attachment.name, isShown: type?.isShown ?? false)),
            ("Repr-Digest", ReprDigest.text(sha256: open.digest)),
        ]
        switch range {
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
    private func isRangeCurrent(_ tag: String) -> Bool {
        guard let header = request.headers["If-Range"] else { return true }
        return header == "\"\(tag)\""
    }
}
