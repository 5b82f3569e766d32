import CMicroHTTPD
import Glibc

/// What the library refuses by itself, after the head and before our gate.
///
/// For a Content-Length that is no number it writes the head of its 400 twice, which a client reads as two answers. It
/// offers no way to prevent that, but it logs before it answers: at that moment we send the one answer, and shut the
/// socket for writing, so that the library's own fails and it closes.
extension Loop {
    func libraryComplained() {
        guard let daemon = current else { return }
        // The one whose head is complete and unanswered while our handler has not been called: the library is refusing it now.
        guard let connection = daemon.heads.first(where: { cmhd_head_size($0.mhd!) > 0 && cmhd_is_answered($0.mhd!) == 0 }) else { return }
        forgetHead(connection)
        connection.phase = .refused
        let refusal = HTTPRefusal(status: 400, code: "contentLength", detail: "There may be one Content-Length, a number.")
        sendPlainly(refused(refusal, nil), to: connection)
        shutdown(connection.descriptor, Int32(SHUT_WR))
        connection.lingers = true
    }

    /// Writes an answer to the socket, past the library; only where the library writes none.
    func sendPlainly(_ response: HTTPResponse, to connection: Connection) {
        let bytes = plainAnswer(response)
        bytes.withUnsafeBytes { _ = Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func plainAnswer(_ response: HTTPResponse) -> [UInt8] {
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        var head = "HTTP/1.1 \(response.status) \(String(cString: MHD_get_reason_phrase_for(UInt32(clamping: response.status))))\r\n"
        for (name, value) in response.headers where !(name + value).utf8.contains(where: { $0 < 0x20 }) { head += "\(name): \(value)\r\n" }
        head += "Connection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}
