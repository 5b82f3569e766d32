/// A WebSocket to one client, as a session uses it: text goes out in the order of the calls, and nothing waits.
///
/// It is not read while the session has much to deal with; the session deals with nothing while ``backlog`` is great. Thus
/// a client that does not read is not read either. If it takes no byte for a while, the socket closes.
package protocol SandboxSocket: AnyObject, Sendable {
    /// Bytes of the texts that were sent and that the kernel has not taken yet.
    var backlog: Int { get }
    func send(text: [UInt8])
    func ping()
    /// Says goodbye, and closes when the client has answered or soon.
    func close(_ code: CloseCode)
    /// Closes without a word.
    func abort()
    /// A text of this many bytes was handled, so others may come.
    func handled(_ byteCount: Int)
}

/// What a socket tells its session.
package enum SocketNews: Sendable {
    /// A whole text message; valid UTF-8.
    case text([UInt8])
    /// Much of what was sent has gone out, after there was too much of it.
    case drained
    case closed(CloseReason)
}

/// Why a socket is closed, as the protocol's status codes have it (RFC 6455, 7.4.1).
package enum CloseCode: UInt16, Sendable {
    case normal = 1000, goingAway = 1001, protocolError = 1002, unsupportedData = 1003, invalidText = 1007
    case policyViolation = 1008, tooLarge = 1009
}

/// How a connection came to its end, for the log.
package enum CloseReason: Sendable, Equatable {
    /// The client closed it, by a frame or by going away.
    case client
    /// The client broke the protocol, or was silent for too long.
    case refused(CloseCode)
    case server
}
