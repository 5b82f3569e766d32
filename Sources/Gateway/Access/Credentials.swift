import Bounds
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// Finds out who makes a request, and whether the route is open to them. Cheap, and for the loop's thread: it reads memory
/// only, but for ``reading(for:)``.
struct Credentials {
    /// Milliseconds that a stream lasts for a login through a proxy. A client that reconnects shows the proxy's header again.
    private static let proxyStreamLife: Int64 = 15 * 60_000

    let core: GatewayCore
    /// The ticket that the request's address had.
    var ticket: String?
    /// Whether a page of another origin asks. Then only a token counts: a browser adds the cookie by itself.
    var isForeign = false
    /// The session that ``unreadSession(of:)`` named, with its generation as it was read; nil when there was none.
    var read: (session: String, generation: Int?)?

    init(core: GatewayCore, ticket: String? = nil) {
        self.core = core
        self.ticket = ticket
    }

    /// The session whose generation has to be read before the token of the request can be checked; nil when nothing has
    /// to be waited for.
    func unreadSession(of request: HTTPRequest) -> String? {
        guard let session = namedSession(request), core.sessions.client(session) == nil else { return nil }
        return session
    }

    /// The session for which the request's credential would be, whether it is valid or not; nil for other credentials.
    private func namedSession(_ request: HTTPRequest) -> String? {
        if let header = request.headers["Authorization"] {
            return Self.bearer(header).flatMap { core.tokens.session(in: $0) }
        }
        guard let ticket, case .session(let id, _)? = Ticket(ticket)?.owner else { return nil }
        return id
    }

    /// The same credentials, with what has to be read for the request. Throws `storageFailed`.
    func reading(for request: HTTPRequest) async throws(ChatError) -> Credentials {
        guard let session = unreadSession(of: request) else { return self }
        let generation = try await core.sessions.storedGeneration(of: session)
        var credentials = self
        credentials.read = (session, generation.map { Int($0) })
        return credentials
    }

    /// Who makes the request, by its credential, and the rights by which the route is open to them. On open routes it is
    /// always `nobody`, and a wrong credential is not looked at.
    ///
    /// - Throws: `unauthorized` (401) without a valid credential, `tooManyFailures` (429) after too many wrong ones,
    ///   `forbidden` (403) when the credential does not open the route, `insufficientScope` (403) when a key lacks the
    ///   route's scope, and `foreignOrigin` (403) for a writing request with a login that another page made.
    func holder(
        of request: HTTPRequest, for route: Route, parameters: PathParameters
    ) throws(Problem) -> (holder: TokenAuthority.Holder, rights: Rights) {
        if case .open = route.access { return (TokenAuthority.Holder(identity: .nobody), .none) }
        let holder = try required(request)
        let rights = core.rights(of: holder.identity)
        switch (route.access, holder.identity) {
        case (.person, .person): return (holder, rights)
        case (.person, _):
            throw Problem(.forbidden, "Only a person who is signed in has this.")
        case (_, .gateway), (_, .operator), (.known, _): return (holder, rights)
        case (.administer, .person(let id, let login)):
            try checkMayAdminister(id, login)
            return (holder, rights)
        case (.session, .session(let id)) where id == parameters["session"]: return (holder, rights)
        case (_, .session): throw Problem(.forbidden, "A session's token opens its own session only.")
        default: break
        }
        guard let scope = route.access.scope else {
            throw Problem(.forbidden, "No key opens this: only the gateway's token and its pages do.")
        }
        try rights.require(scope)
        return (holder, rights)
    }

    /// Throws `forbidden`, and `confirmationNeeded` for an administrator who has signed in some time ago.
    private func checkMayAdminister(_ person: String, _ login: String) throws(Problem) {
        guard core.people.person(person)?.isActiveAdministrator == true else {
            throw Problem(.forbidden, "Only an administrator does this.")
        }
        let now = core.environment.now()
        guard let last = core.logins.login(login)?.confirmedAt,
            now.milliseconds - last.milliseconds < LoginRing.confirmationLife
        else {
            throw Problem(.confirmationNeeded, "POST /auth/confirm with the password, and send the request again.")
        }
    }

    /// Whose the token, the ticket or the login is, or a trusted user whose request has none of them. `Authorization` wins,
    /// so a wrong token is not covered up by anything else.
    private func required(_ request: HTTPRequest) throws(Problem) -> TokenAuthority.Holder {
        if let header = request.headers["Authorization"] {
            guard let token = Self.bearer(header) else {
                throw failure(request, "Authorization must be the word Bearer, a space and the token.")
            }
            if let holder = core.tokens.holder(of: token, read: read) { return holder }
            if KeyText.isMeant(by: token) {
                // Nobody guesses by texts that are no keys: somebody has mistyped one.
                guard let text = KeyText(token) else {
                    throw unauthorized("The key is not valid.", error: "invalid_token")
                }
                if core.keys.use(text.id, digest: text.digest, at: core.environment.now()) {
                    return TokenAuthority.Holder(identity: .key(text.id), proof: .key(digest: text.digest))
                }
                throw failure(request, "The key is not valid.")
            }
            throw failure(request, "The token is not valid.")
        }
        if isForeign { throw unauthorized("A page of another origin needs the token of a session.") }
        if let ticket { return try holder(of: ticket, request) }
        if let holder = try login(request) {
            try OriginCheck.requireSameOrigin(request)
            return holder
        }
        // The kernel tells who is at the other end of a UNIX socket.
        if case .unix(let user) = request.peer, core.rules.trustedUsers.contains(user) {
            return TokenAuthority.Holder(identity: .gateway, proof: .user)
        }
        throw unauthorized("The request has no token.")
    }

    /// The mark of the key's text by which the gate has let the request pass (``AccessKey/mark(of:)``).
    static func keyMark(of request: HTTPRequest) -> String {
        let text = request.headers["Authorization"].flatMap(bearer).flatMap { KeyText($0) }
        assert(text != nil, "whoever is a key has shown its text")
        return text.map { AccessKey.mark(of: $0.digest) } ?? ""
    }

    /// Whose the ticket is that the request's address had.
    private func holder(of text: String, _ request: HTTPRequest) throws(Problem) -> TokenAuthority.Holder {
        guard let ticket = Ticket(text), ticket.opens(request.target, core.tokens) else {
            throw failure(request, "The ticket is not one for this address.")
        }
        guard let holder = core.holder(of: ticket, read: read) else {
            throw unauthorized("The ticket has ended.", error: "invalid_token")
        }
        return holder
    }

    /// The holder of the login that the request shows; nil when it shows neither half. Throws `unauthorized` for one
    /// half alone.
    private func login(_ request: HTTPRequest) throws(Problem) -> TokenAuthority.Holder? {
        let page = request.headers[LoginSecrets.pageHeader]
        guard let cookie = core.loginCookie.value(in: request) else {
            if page == nil { return nil }
            throw missing(.cookie, "The request has one half of a login: its cookie is missing.")
        }
        switch core.logins.find(cookie: cookie, page: page, at: core.environment.now()) {
        case .valid(let login):
            var end: Timestamp?
            if login.how == Login.byProxy {
                try checkProxy(of: login, request)
                end = core.environment.now().advanced(byMilliseconds: Self.proxyStreamLife)
            }
            let holder = TokenAuthority.Holder(identity: login.identity, proof: .login(until: end))
            // A person may have been disabled.
            guard core.isCurrent(holder) else {
                throw unauthorized("The person may not sign in.", error: "invalid_token")
            }
            return holder
        case .halfMissing:
            throw missing(.page, "The request has one half of a login: the header Parley-Page is missing.")
        // Nobody guesses by a login that has ended: a browser does not know it yet.
        case .ended: throw unauthorized("The login has ended.", error: "invalid_token")
        case .wrong: throw failure(request, "The login is not valid.")
        }
    }

    /// Who was signed in by a proxy is let in as long as the proxy says so: a sign-out there counts here.
    private func checkProxy(of login: Login, _ request: HTTPRequest) throws(Problem) {
        let name = try core.proxyName(in: request)
        guard let name, let person = core.people.person(proxyName: name), person.id.hasSameBytes(as: login.person)
        else {
            throw unauthorized("The proxy does not say any more that this person is signed in.", error: "invalid_token")
        }
    }

    private func missing(_ half: LoginHalf, _ detail: String) -> Problem {
        var problem = unauthorized(detail)
        problem.missingHalf = half
        return problem
    }

    /// Who makes a request, as far as it shows that; a wrong token is nobody's, and is not counted. It reads memory
    /// only.
    func known(_ request: HTTPRequest) -> Identity {
        if let header = request.headers["Authorization"] {
            guard let token = Self.bearer(header) else { return .nobody }
            if let session = core.tokens.session(in: token), core.sessions.client(session) == nil { return .nobody }
            if let holder = core.tokens.holder(of: token) { return holder.identity }
            guard KeyText.isMeant(by: token), let text = KeyText(token),
                core.keys.isValid(text.id, digest: text.digest, at: core.environment.now())
            else { return .nobody }
            return .key(text.id)
        }
        // A page itself is requested without its half. The cookie alone opens nothing, but whose it is, is known.
        if let cookie = core.loginCookie.value(in: request) {
            switch core.logins.find(cookie: cookie, page: nil, at: core.environment.now()) {
            case .valid(let login), .halfMissing(let login): return login.identity
            case .ended, .wrong: return .nobody
            }
        }
        if case .unix(let user) = request.peer, core.rules.trustedUsers.contains(user) { return .gateway }
        return .nobody
    }

    /// Whose share the places of a request come from. On open routes the gate looks at no token. A valid one counts here
    /// all the same, so that strangers who crowd the open pages do not keep the operator's browser out.
    ///
    /// - Parameter identity: what the gate has found.
    func sender(of request: HTTPRequest, _ identity: Identity) -> Holder {
        (identity == .nobody ? known(request) : identity).holder
    }

    /// Who makes the request, or the half of a login that it lacks; for `/auth/status`. Throws only `tooManyFailures`.
    func status(of request: HTTPRequest) throws(Problem) -> (identity: Identity, missingHalf: LoginHalf?) {
        do {
            return (try required(request).identity, nil)
        } catch {
            if error.status == 429 { throw error }
            return (.nobody, error.missingHalf)
        }
    }

    /// The login of which the request has shown both halves, whatever else is true of it; nil without one. A login may
    /// always end itself.
    func ownLogin(of request: HTTPRequest) -> Login? {
        guard let cookie = core.loginCookie.value(in: request), let page = request.headers[LoginSecrets.pageHeader],
            case .valid(let login) = core.logins.find(cookie: cookie, page: page, at: core.environment.now())
        else { return nil }
        return login
    }

    /// Counts a wrong token and makes the answer to it: 401, or 429 when there were too many.
    func failure(_ request: HTTPRequest, _ detail: String) -> Problem {
        if let seconds = core.failures.countFailure(core.peer(of: request)) {
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

    /// For a session that nobody has used for so long that it has ended.
    static var sessionEnded: Problem {
        Problem(
            .unauthorized, "Nobody has used the session for so long that it has ended.",
            headers: [challenge("invalid_token")])
    }

    /// For a request whose key or login has ended while it waited.
    static var ended: Problem {
        Problem(
            .unauthorized, "The key or the login has ended while the request waited.",
            headers: [challenge("invalid_token")])
    }

    /// For a sign-in that was not one.
    static func wrong(_ detail: String? = nil) -> Problem {
        Problem(.wrongCredentials, detail, headers: [challenge(nil)])
    }

    static func challenge(_ error: String?) -> (String, String) {
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

extension GatewayCore {
    /// The name that the proxy in front gives; nil where there is no such proxy. Throws `ambiguousIdentity`.
    func proxyName(in request: HTTPRequest) throws(Problem) -> String? {
        try configuration.identityProxy?.name(in: request)
    }

    /// What whoever makes a request may do, besides what belongs to a session's own token.
    package func rights(of identity: Identity) -> Rights {
        switch identity {
        case .gateway, .operator: .all
        case .key(let id): keys.rights(of: id)
        case .person(let id, _): people.rights(of: id)
        case .session: .own
        case .nobody: .none
        }
    }

    /// Whether the credential that a request has shown is still valid; this counts as a use of it.
    func isCurrent(_ holder: TokenAuthority.Holder) -> Bool { holds(holder.proof, of: holder.identity, isUse: true) }

    /// The same, and no use.
    func isValid(_ holder: TokenAuthority.Holder) -> Bool { holds(holder.proof, of: holder.identity, isUse: false) }

    private func holds(_ proof: TokenAuthority.Holder.Proof, of identity: Identity, isUse: Bool) -> Bool {
        switch (proof, identity) {
        case (.nothing, _), (.user, _): return true
        case (.gatewayToken(let token), _): return tokens.gatewayToken(equalTo: token) != nil
        case (.session(let generation), .session(let id)):
            guard let session = sessions.client(id), session.generation == generation else { return false }
            if session.term.kind == .plain { return true }
            let now = environment.now()
            return !session.hasEnded(at: now) && !session.term.isUnverified(at: now)
        case (.key(let digest), .key(let id)):
            let now = environment.now()
            return isUse ? keys.use(id, digest: digest, at: now) : keys.isValid(id, digest: digest, at: now)
        case (.login(let end), .operator(let id)):
            let now = environment.now()
            if let end, end <= now { return false }
            return isUse ? logins.use(id, at: now) : logins.isValid(id, at: now)
        case (.login(let end), .person(let person, let id)):
            let now = environment.now()
            if let end, end <= now { return false }
            guard people.isActive(person) else { return false }
            if isUse { people.noteSeen(person, at: now) }
            return isUse ? logins.use(id, at: now) : logins.isValid(id, at: now)
        case (.ticket(let end, let proof), _):
            return environment.now() < end && holds(proof, of: identity, isUse: isUse)
        case (.session, _), (.key, _), (.login, _):
            assertionFailure("a proof of another identity")
            return false
        }
    }

    /// Whom a ticket stands for; nil when it has ended, or the credential by which somebody got it.
    ///
    /// - Parameter read: a session's generation that the caller has read from the store.
    func holder(of ticket: Ticket, read: (session: String, generation: Int?)?) -> TokenAuthority.Holder? {
        func holder(_ identity: Identity, _ proof: TokenAuthority.Holder.Proof) -> TokenAuthority.Holder {
            TokenAuthority.Holder(identity: identity, proof: .ticket(until: ticket.end, of: proof))
        }
        guard environment.now() < ticket.end else { return nil }
        switch ticket.owner {
        case .gateway: return holder(.gateway, .nothing)
        case .login(let id):
            guard let login = logins.login(id) else { return nil }
            let holder = holder(login.identity, .login(until: nil))
            return isCurrent(holder) ? holder : nil
        case .key(let id, let mark):
            guard let digest = keys.digest(of: id, marked: mark, at: environment.now()) else { return nil }
            let holder = holder(.key(id), .key(digest: digest))
            return isCurrent(holder) ? holder : nil
        case .session(let id, let generation):
            let known = read?.session == id ? read?.generation : tokens.generation(of: id)
            guard known == generation else { return nil }
            return holder(.session(id), .session(generation: generation))
        }
    }

    /// Whether time alone has ended the credential. Cheap, because it is asked before each event.
    func hasLapsed(_ holder: TokenAuthority.Holder) -> Bool {
        switch holder.proof {
        case .key: !isValid(holder)
        case .login(let end): end.map { $0 <= environment.now() } ?? false
        case .ticket(let end, _): end <= environment.now()
        case .nothing, .gatewayToken, .session, .user: false
        }
    }

    /// Why a credential that was valid is not any more.
    func accessEnd(of holder: TokenAuthority.Holder) -> AccessEnd {
        if case .login(.some) = holder.proof, holds(.login(until: nil), of: holder.identity, isUse: false) {
            return .changed
        }
        return switch holder.identity {
        case .key(let id): keys.key(id) == nil ? .revoked : .expired
        case .operator(let id): logins.login(id) == nil ? .signedOut : .expired
        case .person(let person, let id):
            !people.isActive(person) ? .disabled : logins.login(id) == nil ? .signedOut : .expired
        case .nobody, .gateway, .session: .revoked
        }
    }
}

extension Rights {
    /// Throws `outsideChannels` for a channel that is not there for the caller, and for nil, which stands for all.
    package func require(channel: String?) throws(Problem) {
        guard let channels else { return }
        guard let channel else {
            throw Problem(.outsideChannels, "The caller is limited to some channels, and this is about all of them.")
        }
        guard channels.contains(channel) else {
            throw Problem(.outsideChannels, "The caller is limited to some channels: name one of them.")
        }
    }

    /// Throws `insufficientScope` when the scope is missing.
    package func require(_ scope: Scope) throws(Problem) {
        guard scopes.contains(scope) else {
            var problem = Problem(
                .insufficientScope, "The scope \(scope.rawValue) is missing.",
                headers: [
                    (
                        "WWW-Authenticate",
                        "Bearer realm=\"parley\", error=\"insufficient_scope\", scope=\"\(scope.rawValue)\""
                    )
                ])
            problem.missingScope = scope
            throw problem
        }
    }
}

extension Login {
    /// Whom it stands for.
    var identity: Identity { person == Self.operatorID ? .operator(login: id) : .person(person, login: id) }
}
