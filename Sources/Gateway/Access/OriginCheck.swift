import HTTPRouting
import MicroHTTP

/// What a browser says about where a request comes from.
enum OriginCheck {
    /// Throws `foreignOrigin` for requests that a page of another origin made.
    ///
    /// - Parameter isShared: pages of other origins may make it, if the gateway answers for those.
    static func check(_ request: HTTPRequest, host: String, hosts: HostList, isShared: Bool = false) throws(Problem) {
        let headers = request.headers
        if let origin = headers["Origin"] {
            guard let authority = authority(of: origin), authority == host.lowercased() || hosts.contains(authority, peer: .tcp(.loopback(port: 0))),
                  origin.hasPrefix("http://") || hosts.isBehindProxy(authority)
            else {
                throw Problem(.foreignOrigin, "The Origin header names another origin.")
            }
        }
        // The origin is one of those that are allowed: its site need not be ours.
        if isShared, headers["Origin"] != nil { return }
        let site = headers["Sec-Fetch-Site"]
        if site == "cross-site" || site == "same-site", isUnsafe(request.method) {
            throw Problem(.foreignOrigin, "The request was made by a page of another site.")
        }
        if headers["Sec-Fetch-Mode"] == "no-cors", site != "same-origin", request.path.hasPrefix("/v1") {
            throw Problem(.foreignOrigin, "The API is not for embedding.")
        }
    }

    /// With a cookie, which a browser adds by itself, a writing request must prove that one of our pages made it.
    static func requireSameOrigin(_ request: HTTPRequest) throws(Problem) {
        guard isUnsafe(request.method) else { return }
        let headers = request.headers
        if headers["Sec-Fetch-Site"] == "same-origin" { return }
        if let origin = headers["Origin"], let authority = authority(of: origin), authority == headers["Host"]?.lowercased() { return }
        throw Problem(.foreignOrigin, "With the page cookie a writing request needs a same-origin Origin or Sec-Fetch-Site.")
    }

    static func isUnsafe(_ method: String) -> Bool { method != "GET" && method != "HEAD" && method != "OPTIONS" }

    /// Host and port of `http://host:port`; nil for `null` and everything that is no origin.
    private static func authority(of origin: String) -> String? {
        let origin = origin.lowercased()
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            let authority = origin.dropFirst(scheme.count)
            return authority.isEmpty || authority.contains("/") ? nil : String(authority)
        }
        return nil
    }
}
