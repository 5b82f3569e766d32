import Formats
import MicroHTTP
import Synchronization

/// A caller's `Idempotency-Key` (draft-ietf-httpapi-idempotency-key-header-07): bare, or a quoted string of RFC 9651.
package struct IdempotencyKey: Sendable, Equatable {
    /// The key without quotes and escapes: both spellings of a key are the same key.
    package let value: String

    /// Throws `invalidIdempotencyKey` unless the key has 1 to 255 printable ASCII characters and, if it is quoted, is
    /// well-formed.
    package init(_ header: String) throws(Problem) {
        var value = header
        if header.utf8.first == UInt8(ascii: "\"") {
            guard let unquoted = Self.unquote(header) else {
                throw Problem(
                    .invalidIdempotencyKey, "The Idempotency-Key begins with a quote, and is not a valid quoted string."
                )
            }
            value = unquoted
        }
        guard (1...255).contains(value.utf8.count), value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
            throw Problem(.invalidIdempotencyKey, "An Idempotency-Key has 1 to 255 printable ASCII characters.")
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

    /// The scope and the fingerprint by which a repetition is recognized.
    ///
    /// The scope covers the identity, the method, path and query, and the key, so two callers can use one key. Path and
    /// query are compared percent-decoded.
    package func request(_ request: HTTPRequest, by identity: Identity, body: [UInt8]? = nil) -> KeyedRequest {
        let scope = "\(identity.name)\n\(request.method)\n\(Self.target(of: request))\n\(value)"
        return KeyedRequest(
            scope: Self.digest(Array(scope.utf8)), fingerprint: Self.digest(body ?? request.body),
            holder: identity.runsGateway ? nil : identity.name)
    }

    /// Path and query in one spelling: each piece is decoded and encoded again, so that percent-encoding makes no
    /// difference.
    private static func target(of request: HTTPRequest) -> String {
        let path = request.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { percentDecoded($0).percentEncoded }.joined(separator: "/")
        let query = request.query
            .map { "\($0.name.percentEncoded)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? path : "\(path)?\(query)"
    }

    private static func digest(_ bytes: [UInt8]) -> String { Hexadecimal.encode(SHA256.hash(bytes)) }
}

/// A request with an `Idempotency-Key`. A repetition has the same scope; one with the same body has the same
/// fingerprint too.
package struct KeyedRequest: Sendable {
    /// The SHA-256 of who asks for what with which key; 64 hexadecimal digits.
    package let scope: String
    /// The SHA-256 of the body, or of what stands for it; 64 hexadecimal digits.
    package let fingerprint: String
    /// Who asks; nil for the gateway's own token.
    package let holder: String?
}

/// The scopes of the keyed requests that are running now. Memory only; any thread may use it.
package final class KeysInFlight: Sendable {
    private let scopes = Mutex<Set<String>>([])

    package init() {}

    /// Claims the scope. False when a request of the scope is running already; then ``end(_:)`` must not be called.
    package func begin(_ scope: String) -> Bool { scopes.withLock { $0.insert(scope).inserted } }

    /// Releases a scope that ``begin(_:)`` has claimed.
    package func end(_ scope: String) { scopes.withLock { _ = $0.remove(scope) } }
}

extension Call {
    /// Runs a handler under the request's `Idempotency-Key`; without a key it only runs it.
    ///
    /// A repetition does not run the handler: it gets the first answer again, with `Idempotency-Replayed: true`.
    /// Answers with errors are not stored, so the same key can be tried again after one.
    ///
    /// - Parameter body: what identifies the body when it is not in the request, such as the digest of an uploaded
    ///   file.
    /// - Throws: `invalidIdempotencyKey`; `idempotencyKeyInFlight` (409) while the first request runs;
    ///   `idempotencyKeyReused` (422) when the first request had another body; and what the handler throws.
    package func idempotently(
        body: @autoclosure () -> [UInt8]? = nil, _ handler: @Sendable (Call) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let header = request.headers["Idempotency-Key"] else { return try await handler(self) }
        let key = try IdempotencyKey(header).request(request, by: identity, body: body())
        if case .none = route.idempotency { return try await handler(self) }
        guard context.keysInFlight.begin(key.scope) else {
            throw Problem(
                .idempotencyKeyInFlight, "The first request with this Idempotency-Key is still running.", retryAfter: 1)
        }
        defer { context.keysInFlight.end(key.scope) }
        if let kept = try await context.outcome(under: key.scope) {
            guard kept.fingerprint == key.fingerprint else {
                throw Problem(.idempotencyKeyReused, "The Idempotency-Key was used before with another body.")
            }
            var answer = try await replay(kept.outcome)
            answer.headers.append(("Idempotency-Replayed", "true"))
            return answer
        }
        var call = self
        if case .carried = route.idempotency { call.key = key }
        let answer = try await handler(call)
        if case .recorded = route.idempotency { try await context.record(answer, of: key) }
        return answer
    }

    /// Makes the answer to a repetition, by the route's own replay if there is one.
    private func replay(_ outcome: Context.Outcome) async throws -> HTTPResponse {
        guard let replay = route.replay else { return context.answer(outcome, to: self) }
        return try await replay(outcome, self)
    }
}
