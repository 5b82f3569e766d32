import HTTPRouting
import MicroHTTP

/// Finds out who asks, and whether they may.
struct Credentials {
    let core: GatewayCore

    /// Who asks. A wrong token is an error even where none is needed, except on open routes, which do not look.
    func identity(of request: HTTPRequest, for route: Route, parameters: PathParameters) throws(Problem) -> Identity {
        if case .open = route.access { return .nobody }
        let identity = try required(request)
        switch (route.access, identity) {
        case (_, .gateway), (.token, .session): return identity
        case (.session, .session(let id)) where id == parameters["session"]: return identity
        default: throw Problem(.forbidden, "A session's token opens its own session only.")
        }
    }

    private func required(_ request: HTTPRequest) throws(Problem) -> Identity {
        if let header = request.headers["Authorization"] {
            if let token = Self.bearer(header), let identity = core.tokens.identity(token: token) { return identity }
            throw failure(request, "The token is not valid.")
        }
        if let cookie = request.headers["Cookie"], let isValid = core.tokens.isPageCookie(cookie) {
            guard isValid else { throw failure(request, "The page cookie is not valid.") }
            try OriginCheck.requireSameOrigin(request)
            return .gateway
        }
        throw unauthorized("The request has no token.")
    }

    /// Whether the request carries a token or a cookie that opens something; for `/auth/status`.
    func isAuthenticated(_ request: HTTPRequest) throws(Problem) -> Bool {
        do {
            return try required(request) != .nobody
        } catch {
            if error.status == 429 { throw error }
            return false
        }
    }

    /// The answer to a wrong token: 401, or 429 when there were too many.
    func failure(_ request: HTTPRequest, _ detail: String) -> Problem {
        if let seconds = core.failures.fail(request.peer) {
            return Problem(.tooManyFailures, "Too many wrong tokens came from this address.", retryAfter: seconds)
        }
        return unauthorized(detail)
    }

    private func unauthorized(_ detail: String) -> Problem {
        Problem(.unauthorized, detail, headers: [("WWW-Authenticate", "Bearer realm=\"parley\"")])
    }

    /// The token of `Bearer <token>`, whatever the scheme's case (RFC 9110, 11.1).
    private static func bearer(_ header: String) -> String? {
        let prefix = "bearer "
        guard header.utf8.count > prefix.utf8.count,
              zip(header.utf8, prefix.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 }) else { return nil }
        return String(header.dropFirst(prefix.utf8.count).drop { $0 == " " })
    }
}
