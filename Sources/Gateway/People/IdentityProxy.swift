import HTTPRouting
import MicroHTTP

/// What a proxy in front says about who asks: one that has signed people in itself, and sets a header with their names.
///
/// An address alone proves nothing: addresses were forged through every proxy that tried. So the proxy also sends a secret,
/// except over the UNIX socket, where the kernel tells whose process it is.
public struct IdentityProxy: Sendable {
    /// A setting that cannot be.
    public struct Refusal: Error {
        public let detail: String
    }

    /// The header by which the proxy sends the secret.
    public static let secretHeader = "Parley-Identity-Secret"
    /// In characters.
    public static let minimumSecretLength = 32
    private static let maximumByteCount = 254

    private let header: String
    /// The numeric addresses of the proxy; nil for the UNIX socket.
    private let addresses: Set<SocketAddress>?
    private let secret: [UInt8]
    /// The users whose requests over the UNIX socket are the proxy's.
    private let users: Set<UInt32>
    /// Whether somebody whom nobody has added becomes an agent without channels.
    let isCreating: Bool

    /// - Parameters:
    ///   - header: the name of the header with the name, such as `Remote-Email`.
    ///   - proxies: numeric addresses, or `unix` alone.
    ///   - secret: what the proxy sends in ``secretHeader``; nil only for `unix`.
    ///   - users: as whom a proxy on the UNIX socket runs.
    public init(
        header: String, proxies: [String], secret: String?, users: Set<UInt32>, isCreating: Bool
    ) throws(Refusal) {
        self.header = header.lowercased()
        guard !header.isEmpty, header.utf8.allSatisfy({ Self.isLetter($0) || $0 == UInt8(ascii: "-") }) else {
            throw Refusal(detail: "\(header) is not the name of a header: letters, digits and hyphens were expected.")
        }
        guard !proxies.isEmpty else { throw Refusal(detail: "The address of the proxy is missing.") }
        if proxies == ["unix"] {
            addresses = nil
        } else {
            for proxy in proxies where SocketAddress(host: proxy) == nil {
                throw Refusal(detail: "\(proxy) is not a numeric address of one machine, or unix alone.")
            }
            addresses = Set(proxies.compactMap { SocketAddress(host: $0)?.unmapped })
        }
        if let secret {
            guard secret.unicodeScalars.count >= Self.minimumSecretLength else {
                throw Refusal(detail: "The secret has fewer than \(Self.minimumSecretLength) characters.")
            }
        } else if addresses != nil {
            throw Refusal(detail: "A proxy that is reached over TCP needs a secret.")
        }
        self.secret = Array((secret ?? "").utf8)
        self.users = users
        self.isCreating = isCreating
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }

    /// The name that the proxy gives, in lower case; nil when the request does not come from the proxy, or has no such
    /// header.
    ///
    /// Throws `ambiguousIdentity` for a header that somebody else may have added to.
    func name(in request: HTTPRequest) throws(Problem) -> String? {
        guard isProxy(request) else { return nil }
        var names: [String] = []
        for (name, value) in request.headers {
            let name = name.lowercased()
            if name == header { names.append(value) }
            // Some servers and programs take both for the same, so a client may have sent the other one.
            guard name == header || name.replacing("_", with: "-") != header else {
                throw Problem(.ambiguousIdentity, "The request also has the header \(name.prefix(64)).")
            }
            // A proxy on the way drops what this names.
            if name == "connection", value.lowercased().contains(header) {
                throw Problem(.ambiguousIdentity, "Connection names the header \(header).")
            }
        }
        guard let name = names.first else { return nil }
        guard names.count == 1, !name.isEmpty, name.utf8.count <= Self.maximumByteCount,
            name.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F && $0 != "," })
        else {
            throw Problem(.ambiguousIdentity, "The header \(header) must come once, with one name.")
        }
        return name.lowercased()
    }

    private func isProxy(_ request: HTTPRequest) -> Bool {
        switch (request.peer, addresses) {
        case (.unix(let user), nil): users.contains(user)
        case (.tcp(let address), let addresses?):
            addresses.contains(address.unmapped)
                && areSameSecret((request.headers[Self.secretHeader] ?? "").utf8, secret)
        default: false
        }
    }
}
