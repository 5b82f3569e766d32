import Formats
import HTTPRouting
import MicroHTTP

/// The two secrets of a new login. Only their digests are kept.
struct LoginSecrets: Sendable {
    let id: String
    /// The value of the cookie: `<id>.<secret>`.
    let cookie: String
    /// What the pages send in ``pageHeader``.
    let page: String

    /// The header with the half that the pages keep.
    static let pageHeader = "Parley-Page"

    init() {
        id = Self.random(12)
        cookie = "\(id).\(Self.random(32))"
        page = Self.random(32)
    }

    /// The SHA-256 of one of them.
    static func digest(_ secret: String) -> [UInt8] { SHA256.hash(Array(secret.utf8)) }

    /// Random bytes for a secret, as base64url.
    ///
    /// - Parameter count: the number of bytes.
    static func random(_ count: Int) -> String {
        // The system's generator is `getrandom`, which is made for secrets.
        var generator = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<count).map { _ in generator.next() as UInt8 })
    }
}

/// The cookie of a login. Browsers share cookies between the ports of a host, so its name contains the gateway's instance.
struct LoginCookie: Sendable {
    /// Seconds for which a browser keeps it: 90 days, as long as any login lasts. The gateway decides when one ends.
    static let lifetime = 90 * 24 * 3600

    private let name: String

    init(instance: String) { name = "parley_p_\(instance)" }

    /// Behind a proxy that ends TLS the name has a prefix by which browsers take it from this host alone, and over TLS.
    private func name(isSecure: Bool) -> String { isSecure ? "__Host-\(name)" : name }

    /// The value that a request has; nil when it has no such cookie.
    func value(in request: HTTPRequest) -> Substring? {
        guard let header = request.headers["Cookie"] else { return nil }
        let name = name(isSecure: request.isSecure)
        for pair in header.split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix(name), pair.dropFirst(name.count).first == "=" { return pair.dropFirst(name.count + 1) }
        }
        return nil
    }

    /// `HttpOnly` keeps scripts from reading the cookie, and `SameSite=Strict` keeps other sites from sending it. It is
    /// `Secure` only for a client that speaks TLS with a proxy, because the gateway itself speaks plain HTTP.
    ///
    /// - Parameter value: nil deletes the cookie.
    func header(_ value: String?, for request: HTTPRequest) -> (String, String) {
        let secure = request.isSecure ? "; Secure" : ""
        let lifetime = value == nil ? 0 : Self.lifetime
        return (
            "Set-Cookie",
            "\(name(isSecure: request.isSecure))=\(value ?? ""); Max-Age=\(lifetime); Path=/; HttpOnly; SameSite=Strict\(secure)"
        )
    }
}
