import Bounds
import ChatModel
import HTTPRouting
import MicroHTTP

/// Finds out who makes a request, and whether the route is open to them. Cheap, and for the loop's thread: it reads memory
/// only, but for ``reading(for:)``.
struct Credentials {
    let core: GatewayCore
    /// The session that ``unreadSession(of:)`` named, with its generation as it was read; nil when there was none.
    var read: (session: String, generation: Int?)?

    init(core: GatewayCore, read: (session: String, generation: Int?)? = nil) {
        self.core = core
        self.read = read
    }

    /// The session whose generation has to be read before the token of the request can be checked; nil when nothing has
    /// to be waited for.
    func unreadSession(of request: HTTPRequest) -> String? {
        guard let header = request.headers["Authorization"], let token = Self.bearer(header),
            let session = core.tokens.session(in: token), core.sessions.client(session) == nil
        else { return nil }
        return session
    }

    /// The same credentials, with what has to be read for the request. Throws `storageFailed`.
    func reading(for request: HTTPRequest) async throws(ChatError) -> Credentials {
        guard let session = unreadSession(of: request) else { return self }
        let generation = try await core.sessions.storedGeneration(of: session)
        return Credentials(core: core, read: (session, generation.map { Int($0) }))
    }

    /// Who makes the request, by its token. On open routes it is always `nobody`, and a wrong token is not looked at.
    ///
    /// - Throws: `unauthorized` (401) without a valid token, `tooManyFailures` (429) after too many wrong ones,
    ///   `forbidden` (403) when the token does not open the route, and `foreignOrigin` (403) for a writing request with
    ///   the page cookie that another page made.
    func holder(
        of request: HTTPRequest, for route: Route, parameters: PathParameters
    ) throws(Problem) -> TokenAuthority.Holder {
        if case .open = route.access { return TokenAuthority.Holder(identity: .nobody) }
        let holder = try required(request)
        switch (route.access, holder.identity) {
        case (_, .gateway), (.token, .session): return holder
        case (.session, .session(let id)) where id == parameters["session"]: return holder
        default: throw Problem(.forbidden, "A session's token opens its own session only.")
        }
    }

    /// Whose the token or the page cookie is, or a trusted user whose request has neither. `Authorization` wins, so a
    /// wrong token is not covered up by a cookie or by the user.
    private func required(_ request: HTTPRequest) throws(Problem) -> TokenAuthority.Holder {
        if let header = request.headers["Authorization"] {
            guard let token = Self.bearer(header) else {
                throw failure(request, "Authorization must be the word Bearer, a space and the token.")
            }
            if let holder = core.tokens.holder(of: token, read: read) { return holder }
            throw failure(request, "The token is not valid.")
        }
        if let cookie = request.headers["Cookie"], let isValid = core.tokens.isPageCookie(cookie) {
            guard isValid else { throw failure(request, "The page cookie is not valid.") }
            try OriginCheck.requireSameOrigin(request)
            return TokenAuthority.Holder(identity: .gateway, proof: .cookie)
        }
        // The kernel tells who is at the other end of a UNIX socket.
        if case .unix(let user) = request.peer, core.configuration.trustedUsers.contains(user) {
            return TokenAuthority.Holder(identity: .gateway, proof: .user)
        }
        throw unauthorized("The request has no token.")
    }

    /// Who makes a request, as far as it shows that; a wrong token is nobody's, and is not counted. It reads memory
    /// only.
    func known(_ request: HTTPRequest) -> Identity {
        if let header = request.headers["Authorization"] {
            guard let token = Self.bearer(header) else { return .nobody }
            if let session = core.tokens.session(in: token), core.sessions.client(session) == nil { return .nobody }
            return core.tokens.holder(of: token)?.identity ?? .nobody
        }
        if let cookie = request.headers["Cookie"], let isValid = core.tokens.isPageCookie(cookie) {
            return isValid ? .gateway : .nobody
        }
        if case .unix(let user) = request.peer, core.configuration.trustedUsers.contains(user) { return .gateway }
        return .nobody
    }

    /// Whose share the places of a request come from. On open routes the gate looks at no token. A valid one counts here
    /// all the same, so that strangers who crowd the open pages do not keep the operator's browser out.
    ///
    /// - Parameter identity: what the gate has found.
    func sender(of request: HTTPRequest, _ identity: Identity) -> Holder {
        (identity == .nobody ? known(request) : identity).holder
    }

    /// Whether the request carries a valid token or page cookie; for `/auth/status`. Throws only `tooManyFailures`.
    func isAuthenticated(_ request: HTTPRequest) throws(Problem) -> Bool {
        do {
            return try required(request).identity != .nobody
        } catch {
            if error.status == 429 { throw error }
            return false
        }
    }

    /// Counts a wrong token and makes the answer to it: 401, or 429 when there were too many.
    func failure(_ request: HTTPRequest, _ detail: String) -> Problem {
        if let seconds = core.failures.fail(request.peer) {
            return Problem(.tooManyFailures, "Too many wrong tokens came from this address.", retryAfter: seconds)
        }
        return unauthorized(detail, error: "invalid_token")
    }

    /// 401 with the challenge that RFC 9110, 11.6.1 demands.
    ///
    /// - Parameter error: what was wrong with the token that came; nil if none did (RFC 6750, 3.1).
    private func unauthorized(_ detail: String, error: String? = nil) -> Problem {
        Problem(.unauthorized, detail, headers: [Self.challenge(error)])
    }

    private static func challenge(_ error: String?) -> (String, String) {
        ("WWW-Authenticate", "Bearer realm=\"parley\"" + (error.map { ", error=\"\($0)\"" } ?? ""))
    }

    /// The token of `Authorization: Bearer <token>` (RFC 6750); the scheme may be in any case (RFC 9110, 11.1). Nil for
    /// another scheme.
    static func bearer(_ header: String) -> String? {
        let prefix = "bearer "
        guard header.utf8.count > prefix.utf8.count,
            zip(header.utf8, prefix.utf8).allSatisfy({ $0 | 0x20 == $1 | 0x20 })
        else { return nil }
        return String(header.dropFirst(prefix.utf8.count).drop { $0 == " " })
    }
}
