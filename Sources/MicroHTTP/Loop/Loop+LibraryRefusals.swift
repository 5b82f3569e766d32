import CMicroHTTPD
import Glibc

/// Requests that the library refuses by itself, after it has read the head and before ``RequestGate`` sees it.
///
/// There are two cases. For a Content-Length that is not a number, the library writes the head of its 400 twice, and a
/// client reads that as two answers. For cookies that do not fit in its pool, it sends an HTML page of its own. Neither
/// can be switched off, but the library logs before it answers. At that moment the loop sends its own answer and shuts
/// the socket for writing. The library's answer then fails, and the library closes the connection.
///
/// While a head is incomplete, the log message does not tell whose it is. So a target or a head that is too long still
/// gets the library's page.
extension Loop {
    /// The running daemon has logged something.
    /// - Parameter ofMemory: the message is about a connection's pool that is used up.
    func libraryComplained(ofMemory: Bool) {
        guard let daemon = current else { return }
        // `heads` has the connections for which the access handler has not been called. If the head of one of them is
        // complete and not answered, the library is refusing that one now.
        let complete = daemon.heads.first {
            $0.mhd.map { cmhd_head_size($0) > 0 && cmhd_is_answered($0) == 0 } ?? false
        }
        guard let connection = complete else { return }
        forgetHead(connection)
        let refusal =
            ofMemory
            ? headTooLarge
            : HTTPRefusal(
                status: 400, code: "contentLength", detail: "Content-Length may come only once, and must be a number.")
        refusePlainly(connection, refusal)
    }

    private var headTooLarge: HTTPRefusal {
        HTTPRefusal(
            status: 400, code: "malformedHead",
            detail: "The head has too many or too long headers, cookies or parameters.")
    }

    /// In bytes, rounded up: what the library keeps in the connection's pool for each header and each cookie.
    private static let record = 64
    /// In bytes: the part of the pool that stays free for the head of the answer.
    private static let room = 1536

    /// Refuses a request whose head leaves too little of the connection's pool for the head of the answer. Without this
    /// the library would close the connection without an answer, perhaps after the request has been carried out.
    func refusalForRoom(_ mhd: OpaquePointer) -> HTTPRefusal? {
        let pool = configuration.pool
        var used = cmhd_head_size(mhd) + Self.record * Int(MHD_get_connection_values_n(mhd, .HEADER_KIND, nil, nil))
        let cookies = Int(MHD_get_connection_values_n(mhd, .COOKIE_KIND, nil, nil))
        if cookies > 0 {
            // The library keeps a copy of the Cookie header, which it splits in place.
            var length = 0
            _ = MHD_lookup_connection_value_n(mhd, .HEADER_KIND, "Cookie", 6, nil, &length)
            used += Self.record * cookies + length
        }
        return used > pool - min(Self.room, pool / 5) ? headTooLarge : nil
    }

    /// Writes the answer past the library, then shuts the socket for writing, so that the library closes it.
    func refusePlainly(_ connection: Connection, _ refusal: HTTPRefusal) {
        connection.phase = .refused
        connection.status = refusal.status
        sendPlainly(refused(refusal, connection.request), to: connection)
        shutdown(connection.descriptor, Int32(SHUT_WR))
        connection.lingers = true
    }

    /// Writes a whole answer to the socket, past the library; only for requests that the library does not answer. What
    /// the kernel does not take at once is lost.
    func sendPlainly(_ response: HTTPResponse, to connection: Connection) {
        let bytes = plainAnswer(response)
        bytes.withUnsafeBytes { _ = Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func plainAnswer(_ response: HTTPResponse) -> [UInt8] {
        let response = response.unshared
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
