import ChatModel
import HTTPRouting
import MicroHTTP

/// How a browser logs in: a one-time address sets the page cookie, which has the rights of the gateway's token.
struct AccessRoutes: RouteGroup {
    /// Seconds: 30 days.
    private static let cookieLifetime = 30 * 24 * 3600

    var routes: [Route] { codes.map { $0.traced(.secret) } }

    private var codes: [Route] {
        [
            Route(
                .get, "/auth/status", "getAuthStatus", access: .open,
                handler: .task { call in
                    try Self.status(call, try await Credentials(core: call.core).reading(for: call.request))
                }),
            Route(
                .post, "/auth/logout", "logOut", access: .open,
                handler: .aside { call in
                    if call.request.headers["Cookie"] != nil { try OriginCheck.requireSameOrigin(call.request) }
                    return call.noContent(headers: [Self.cookie(call, value: "", lifetime: 0)])
                }),
            Route(
                .post, "/auth/codes", "createAccessCode", access: .gateway,
                handler: .aside { call in
                    let issued = call.core.launchCodes.issue()
                    return call.json(status: 201, headers: [("Location", "/auth/\(issued.code)")]) { json in
                        json.beginObject()
                        json.member("url", "\(call.request.origin)/auth/\(issued.code)")
                        json.member("expiresAt", issued.expiresAt)
                        json.endObject()
                    }
                }),
            Route(
                .get, "/auth/{code}", "redeemAccessCode", access: .open, handler: .now { call in try Self.redeem(call) }
            ),
        ]
    }

    private static func status(_ call: Call, _ credentials: Credentials) throws -> HTTPResponse {
        let isAuthenticated = try credentials.isAuthenticated(call.request)
        return call.json { json in
            json.beginObject()
            json.member("authenticated", isAuthenticated)
            json.endObject()
        }
    }

    /// Answers 303 with the cookie, or a page with 410. Wrong codes count as failed tries of the address.
    private static func redeem(_ call: Call) throws -> HTTPResponse {
        // HEAD neither uses the code up nor sets the cookie: programs that preview links send it.
        if call.request.method == "HEAD" {
            let isGood = call.core.launchCodes.isGood(call.parameters["code"])
            return isGood ? HTTPResponse(status: 303, headers: [("Location", "/")]) : gone
        }
        guard call.core.launchCodes.redeem(call.parameters["code"]) else {
            if let seconds = call.core.failures.fail(call.request.peer) {
                throw Problem(.tooManyFailures, "Too many wrong codes came from this address.", retryAfter: seconds)
            }
            return gone
        }
        let cookie = cookie(call, value: call.core.tokens.cookieValue, lifetime: cookieLifetime)
        return HTTPResponse(status: 303, headers: [("Location", "/"), cookie])
    }

    /// `HttpOnly` keeps scripts from reading the cookie, and `SameSite=Strict` keeps other sites from sending it. It is
    /// `Secure` only for a client that speaks TLS with a proxy, because the gateway itself speaks plain HTTP. A lifetime
    /// of 0 seconds deletes it.
    private static func cookie(_ call: Call, value: String, lifetime: Int) -> (String, String) {
        let secure = call.request.isSecure ? "; Secure" : ""
        return (
            "Set-Cookie",
            "\(call.core.tokens.cookieName)=\(value); Max-Age=\(lifetime); Path=/; HttpOnly; SameSite=Strict\(secure)"
        )
    }

    /// A page for people, not a problem document: a browser shows it.
    private static var gone: HTTPResponse {
        let kind = ProblemKind(GatewayProblem.launchCodeGone)
        var page = HTMLPage(title: kind.title)
        page.markdown(kind.meaning)
        page.html += "<p>For a new one run <code>parley open</code> in a terminal.</p>\n"
        page.html += "<p>A browser that got in before is still in: <a href=\"/\">go to the page</a>.</p>\n"
        return page.response(status: kind.status)
    }
}
