import Chat
import ChatStore
import Crypto
import Formats
import MicroHTTP
import Synchronization

/// A caller's `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): bare, or a quoted string of RFC 9651.
package struct IdempotencyKey: Sendable, Equatable {
    package let value: String

    /// Throws `invalidIdempotencyKey` unless it has 1 to 255 printable ASCII characters.
    package init(_ header: String) throws(Problem) {
        var value = header
        if header.utf8.first == UInt8(ascii: "\"") {
            guard let unquoted = Self.unquote(header) else { throw Problem(.invalidIdempotencyKey, "The quoted string is not well-formed.") }
            value = unquoted
        }
        guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Problem(.invalidIdempotencyKey, "A key has 1 to 255 printable ASCII characters.")
        }
        self.value = value
    }

    private static func unquote(_ text: String) -> String? {
        var out: [UInt8] = []
        var isEscaped = false
        var isClosed = false
        for byte in text.utf8.dropFirst() {
            if isClosed { return nil }
            if isEscaped {
                guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { return nil }
                out.append(byte)
                isEscaped = false
            } else if byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isClosed = true
            } else {
                out.append(byte)
            }
        }
        return isClosed && !isEscaped ? String(decoding: out, as: UTF8.self) : nil
    }

    /// The receipt of a request: whose key it is, and for what body.
    func receipt(for request: HTTPRequest, by identity: Identity, upload: FileUpload? = nil) -> Receipt {
        let scope = "\(identity.name)\n\(request.method)\n\(Self.target(of: request))\n\(value)"
        let fingerprint = upload.map { "\(Hexadecimal.encode($0.digest))\n\($0.mimeType)\n\($0.name)" }.map { Array($0.utf8) }
        return Receipt(scope: Self.digest(Array(scope.utf8)), fingerprint: Self.digest(fingerprint ?? request.body))
    }

    /// Path and query in one spelling, whatever was percent-encoded: decoded piece by piece, and encoded anew.
    private static func target(of request: HTTPRequest) -> String {
        let path = request.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { percentDecoded($0).percentEncoded }.joined(separator: "/")
        let query = request.query
            .map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(data: bytes)) }
}

/// The scopes of the requests that are being worked on.
final class KeysInFlight: Sendable {
    private let scopes = Mutex<Set<String>>([])

    /// False when a request with this scope is running already.
    func begin(_ scope: String) -> Bool { scopes.withLock { $0.insert(scope).inserted } }

    func end(_ scope: String) { scopes.withLock { _ = $0.remove(scope) } }
}
