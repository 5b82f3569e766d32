import CMicroHTTPD
import Glibc

/// What the library refuses by itself, after the head and before our gate.
///
/// For a Content-Length that is no number it writes the head of its 400 twice, which a client reads as two answers, and
/// for cookies that its pool has no room for a page of its own. It offers no way to prevent that, but it logs before it
/// answers: at that moment we send the one answer, and shut the socket for writing, so that the library's own fails and
/// it closes.
///
/// While a head is not complete the log does not tell whose it is: a target or a head that is too long gets the
/// library's page.
extension Loop {
    func libraryComplained(ofMemory: Bool) {
        guard let daemon = current else { return }
        // The one whose head is complete and unanswered while our handler has not been called: the library is refusing
        // it now.
        let complete = daemon.heads.first {
            $0.mhd.map { cmhd_head_size($0) > 0 && cmhd_is_answered($0) == 0 } ?? false
        }
        guard let connection = complete else { return }
        forgetHead(connection)
        let refusal =
            ofMemory
            ? headTooLarge
            : HTTPRefusal(status: 400, code: "contentLength", detail: "There may be one Content-Length, a number.")
        refusePlainly(connection, refusal)
    }

    private var headTooLarge: HTTPRefusal {
        HTTPRefusal(
            status: 400, code: "malformedHead",
            detail: "The head has too many or too long headers, cookies or parameters.")
    }

    /// What the library keeps for each header and each cookie in the connection's pool, rounded up.
    private static let record = 64
    /// What stays for the head of an answer.
    private static let room = 1536

    /// The head of the answer goes into what the request's has left of the pool. If there were too little, the library
    /// would close without an answer, perhaps when what was asked for has been done.
    func refusalForRoom(_ mhd: OpaquePointer) -> HTTPRefusal? {
        let pool = configuration.pool
        var used = cmhd_head_size(mhd) + Self.record * Int(MHD_get_connection_values_n(mhd, .HEADER_KIND, nil, nil))
        let cookies = Int(MHD_get_connection_values_n(mhd, .COOKIE_KIND, nil, nil))
        if cookies > 0 {
            // The library has made a copy of the header to cut it up.
            var length = 0
            _ = MHD_lookup_connection_value_n(mhd, .HEADER_KIND, "Cookie", 6, nil, &length)
            used += Self.record * cookies + length
        }
        return used > pool - min(Self.room, pool / 5) ? headTooLarge : nil
    }

    /// Answers in the library's place and lets it close.
    func refusePlainly(_ connection: Connection, _ refusal: HTTPRefusal) {
        connection.phase = .refused
        connection.status = refusal.status
        sendPlainly(refused(refusal, connection.request), to: connection)
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
        var head =
            "HTTP/1.1 \(response.status) \(String(cString: MHD_get_reason_phrase_for(UInt32(clamping: response.status))))\r\n"
        for (name, value) in response.headers where !(name + value).utf8.contains(where: { $0 < 0x20 }) {
            head += "\(name): \(value)\r\n"
        }
        head += "Connection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}
