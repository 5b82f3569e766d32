import HTTPRouting
import MicroHTTP

/// Refuses requests that web pages of other origins make, by the headers that a browser adds and a page cannot change.
enum OriginCheck {
    /// Checks `Origin` and the Fetch Metadata headers (`Sec-Fetch-Site`, `Sec-Fetch-Mode`). Programs send neither, so
    /// they pass. Throws `foreignOrigin`.
    ///
    /// - Parameters:
    ///   - host: the value of the Host header.
    ///   - isShared: whether pages of the other origins that the gateway accepts may make the request.
    static func check(_ request: HTTPRequest, host: String, hosts: HostList, isShared: Bool = false) throws(Problem) {
        let headers = request.headers
        if let origin = headers["Origin"], !isOwn(origin, host: host, hosts: hosts) {
            throw Problem(.foreignOrigin, "The Origin header names another origin.")
        }
        // The origin was accepted above; a page of an accepted origin may be of another site.
        if isShared, headers["Origin"] != nil { return }
        let site = headers["Sec-Fetch-Site"]
        if site == "cross-site" || site == "same-site", isUnsafe(request.method) {
            throw Problem(.foreignOrigin, "The request was made by a page of another site.")
        }
        if headers["Sec-Fetch-Mode"] == "no-cors", site != "same-origin", request.path.hasPrefix("/v1") {
            throw Problem(
                .foreignOrigin, "A page of another origin cannot load the API as an image, a script or a style.")
        }
    }

    /// Refuses the API as a script, a style or a worker of a page: customers upload files, and none of them may run as code of
    /// a page that trusts its own origin. Throws `foreignOrigin`.
    static func refuseAsCode(_ request: HTTPRequest) throws(Problem) {
        guard let use = request.headers["Sec-Fetch-Dest"], code.contains(use), request.path.hasPrefix("/v1") else {
            return
        }
        throw Problem(.foreignOrigin, "A page cannot load the API as a \(use).")
    }

    /// The uses of an answer that run it.
    private static let code: Set<String> = [
        "script", "style", "worker", "sharedworker", "serviceworker", "audioworklet", "paintworklet", "xslt", "object",
        "embed",
    ]

    /// Whether the origin is the gateway's own, by one of its names. A page of the customers' host is another one to all others.
    static func isOwn(_ origin: String, host: String, hosts: HostList) -> Bool {
        guard let authority = authority(of: origin),
            authority == host.lowercased() || hosts.contains(authority, peer: .tcp(.loopback(port: 0))),
            hosts.isCustomers(authority) == hosts.isCustomers(host)
        else { return false }
        return origin.hasPrefix("http://") || hosts.isBehindProxy(authority)
    }

    /// The same for a request that makes or ends a login, if a browser has made it; programs send neither header. Throws
    /// `foreignOrigin`.
    static func requireNoOther(_ request: HTTPRequest) throws(Problem) {
        if request.headers["Origin"] == nil, request.headers["Sec-Fetch-Site"] == nil { return }
        try requireSameOrigin(request)
    }

    /// Demands proof that a page of this gateway made a writing request. A browser adds the cookie to requests of any
    /// page, so the cookie alone is no proof (CSRF). Throws `foreignOrigin`.
    static func requireSameOrigin(_ request: HTTPRequest) throws(Problem) {
        guard isUnsafe(request.method) else { return }
        let headers = request.headers
        if headers["Sec-Fetch-Site"] == "same-origin" { return }
        if let origin = headers["Origin"], let authority = authority(of: origin),
            authority == headers["Host"]?.lowercased()
        {
            return
        }
        throw Problem(
            .foreignOrigin, "With a login a writing request needs a same-origin Origin or Sec-Fetch-Site.")
    }

    /// Whether the method may change something; the others are safe by RFC 9110, 9.2.1.
    static func isUnsafe(_ method: String) -> Bool { method != "GET" && method != "HEAD" && method != "OPTIONS" }

    /// Host and port of `http://host:port` or `https://host:port`, in lower case; nil for `null` and everything else.
    private static func authority(of origin: String) -> String? {
        let origin = origin.lowercased()
        for scheme in ["http://", "https://"] where origin.hasPrefix(scheme) {
            let authority = origin.dropFirst(scheme.count)
            return authority.isEmpty || authority.utf8.contains(UInt8(ascii: "/")) ? nil : String(authority)
        }
        return nil
    }
}

extension Call {
    /// The origin of the page that has made the request, if that is another one than the gateway's; nil otherwise.
    var foreignOrigin: String? { (request.findings as? Findings)?.foreignOrigin }
}
