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
