import HTTPRouting
import MicroHTTP

/// What a trusted proxy says about the request that it has got: `X-Forwarded-Proto` and `X-Forwarded-Host`.
///
/// Without `--trust-proxy` both are ignored, because every client can send them. A web page cannot: a browser asks
/// before it sends such a header for a page of another origin, and the gateway does not allow it.
enum ForwardedOrigin {
    /// Gives the request the origin that its client used. From then on the checks of host and origin, links and cookies
    /// go by it. The first value counts if there are several: it is that of the proxy that the client reached.
    static func apply(to head: inout HTTPRequest) {
        let proto = first(head.headers["X-Forwarded-Proto"])
        let host = first(head.headers["X-Forwarded-Host"])
        guard proto != nil || host != nil else { return }
        head.setOrigin(host: host, isSecure: proto?.lowercased() == "https")
    }

    private static func first(_ list: String?) -> String? {
        guard let value = list?.split(separator: ",", maxSplits: 1).first else { return nil }
        let text = value.drop { $0 == " " }.prefix { $0 != " " }
        return text.isEmpty ? nil : String(text)
    }
}

/// Whom the proxies in front name as the client: `X-Forwarded-For`.
///
/// Each proxy appends the address from which the request has come to it. What the client itself has sent stands to the
/// left of that, so one counts from the right, as many places as there are proxies (`--proxy-hops`).
enum ForwardedClient {
    /// The address at this place from the right, from 1; nil when there are fewer, or when it is no numeric address.
    static func find(in headers: HTTPHeaders, hops: Int) -> SocketAddress? {
        let entries = headers.filter { $0.name.lowercased() == "x-forwarded-for" }
            .flatMap { $0.value.split(separator: ",", omittingEmptySubsequences: false) }
        guard hops > 0, entries.count >= hops else { return nil }
        return address(entries[entries.count - hops])
    }

    /// Reads `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1` and `[2001:db8::1]:80`.
    private static func address(_ entry: Substring) -> SocketAddress? {
        let text = entry.drop { $0 == " " }.prefix { $0 != " " }
        if text.first == "[" { return SocketAddress(host: String(text.dropFirst().prefix { $0 != "]" }))?.unmapped }
        let host = text.utf8.count { $0 == UInt8(ascii: ":") } == 1 ? text.prefix { $0 != ":" } : text
        return SocketAddress(host: String(host))?.unmapped
    }
}

extension GatewayCore {
    /// The client's address for limits and the audit: that of the connection, or the one that the proxies in front name.
    func peer(of request: HTTPRequest) -> Peer {
        guard configuration.trustsProxy else { return request.peer }
        return ForwardedClient.find(in: request.headers, hops: configuration.proxyHops).map(Peer.tcp) ?? request.peer
    }
}
