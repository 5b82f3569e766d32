import Crypto
import Foundation
import MicroHTTP

/// A WebSocket to one client, as a session uses it. Texts go out in the order of the calls; no call waits. May be
/// used from any thread.
///
/// Flow control works in both directions. The socket is not read while the session has much to handle, and the
/// session handles nothing while ``backlog`` is large. So a client that does not read is not read either. A
/// socket whose client takes no byte for two heartbeats is closed.
package protocol SandboxSocket: AnyObject, Sendable {
    /// Bytes of the texts that were sent and that the kernel has not taken yet.
    var backlog: Int { get }
    /// Writes a text, which leaves with the next ``flush()``. On a closed socket it is dropped. Where its client's share
    /// has no room for it, the socket closes with 1013.
    func send(text: [UInt8])
    /// Sends the texts that were written, together.
    func flush()
    /// Sends a ping. The pong is not reported.
    func ping()
    /// Sends a close frame, and closes when the client has answered, or after a few seconds.
    func close(_ code: CloseCode)
    /// Closes the connection without a close frame.
    func abort()
    /// A text of that many bytes was handled, which makes room for others. To be called once for each text.
    func handled(_ byteCount: Int)
}

/// What a socket tells its session.
package enum SocketNews: Sendable {
    /// A whole text message; valid UTF-8.
    case text([UInt8])
    /// The backlog has fallen below half of the session's limit.
    case drained
    /// The last news of a socket; told once.
    case closed(CloseReason)
}

/// Why a socket is closed, as the protocol's status codes have it (RFC 6455, 7.4.1).
package enum CloseCode: UInt16, Sendable {
    case normal = 1000, goingAway = 1001, protocolError = 1002, unsupportedData = 1003, invalidText = 1007
    case policyViolation = 1008, tooLarge = 1009, tryAgainLater = 1013

    /// What stands in the frame beside the code: why, where the client could do something about it.
    package var reason: String {
        switch self {
        case .tooLarge: "A message has at most \(WebSocketMessages.limit) bytes."
        case .tryAgainLater: "There is no room for more of this client's messages now. Try again later."
        default: ""
        }
    }
}

/// How a connection came to its end, for the log.
package enum CloseReason: Sendable, Equatable {
    /// The client closed it, by a frame or by going away.
    case client
    /// The client broke the protocol, or was silent for too long.
    case refused(CloseCode)
    /// The sandbox closed it.
    case server
}

/// The opening of a WebSocket (RFC 6455, 4.2).
package enum Handshake {
    /// Whether a request asks for WebSocket: `GET` with `Upgrade: websocket`. Any other request stays HTTP.
    package static func isRequested(_ request: HTTPRequest) -> Bool {
        request.method == "GET" && tokens(request, "Upgrade").contains("websocket")
    }

    /// The headers of the 101 answer. Nil for a request that does not follow RFC 6455 (4.2.1): version 13 only,
    /// and a key of 16 bytes.
    package static func headers(for request: HTTPRequest) -> [(String, String)]? {
        guard isRequested(request), tokens(request, "Connection").contains("upgrade"),
            request.headers.all("Sec-WebSocket-Version") == ["13"],
            let key = request.headers["Sec-WebSocket-Key"], Data(base64Encoded: key)?.count == 16
        else { return nil }
        return [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", accept(key))]
    }

    /// `Sec-WebSocket-Accept` (RFC 6455, 4.2.2): proves that the server has read the key.
    static func accept(_ key: String) -> String {
        let text = key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        return Data(Insecure.SHA1.hash(data: Data(text.utf8))).base64EncodedString()
    }

    private static func tokens(_ request: HTTPRequest, _ name: String) -> [String] {
        request.headers.all(name).flatMap { $0.split(separator: ",") }.map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
    }
}
