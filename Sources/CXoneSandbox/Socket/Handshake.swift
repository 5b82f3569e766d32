import Crypto
import Foundation
import MicroHTTP

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
