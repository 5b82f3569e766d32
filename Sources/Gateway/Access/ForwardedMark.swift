import Bounds
import Formats
import HTTPRouting
import MicroHTTP

/// The header with which a standby says for whom it passes a request on: `Parley-Forwarded: ADDRESS CODE`.
///
/// The code is made with the key that all gateways of a database share, so nobody else can name another address. The
/// active gateway then answers as if that client had come to it: all other headers are as the client, or a proxy in front
/// of the standby, has sent them.
enum ForwardedMark {
    static let header = "Parley-Forwarded"

    /// The value for a client. A client on a UNIX socket has no address: the active gateway takes the standby for it, and
    /// the user behind the socket is nobody there.
    static func value(for peer: Peer, _ tokens: TokenAuthority) -> String {
        var address = "-"
        if case .tcp(let client) = peer { address = client.host }
        return "\(address) \(code(address, tokens))"
    }

    /// Whether another gateway has passed the request on. Its client becomes the request's peer.
    static func apply(to head: inout HTTPRequest, _ tokens: TokenAuthority) -> Bool {
        guard let value = head.headers[header], let space = value.firstIndex(of: " ") else { return false }
        let address = String(value[..<space])
        guard areSameSecret(value[value.index(after: space)...].utf8, code(address, tokens).utf8) else { return false }
        if let client = SocketAddress(host: address) { head.setPeer(.tcp(client)) }
        return true
    }

    /// What the answer to a forwarded request says in the same header: whose share its places come from.
    static func name(of holder: Holder) -> String {
        switch holder {
        case .nobody: "nobody"
        case .root: "root"
        case .named(let name): "named \(Base64URL.encode(Array(name.utf8)))"
        }
    }

    /// Reads such a name; nil for any other text.
    static func holder(named text: String) -> Holder? {
        switch text {
        case "nobody": return .nobody
        case "root": return .root
        default:
            guard text.hasPrefix("named "), let name = Base64URL.decode(String(text.dropFirst(6))) else { return nil }
            return .named(String(decoding: name, as: UTF8.self))
        }
    }

    private static func code(_ address: String, _ tokens: TokenAuthority) -> String {
        tokens.code("forwarded\u{0}\(address)")
    }
}
