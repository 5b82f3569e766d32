import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// How a browser of whoever runs the gateway signs in and out: a one-time address leads to a page, which gets a login.
struct AccessRoutes: RouteGroup {
    var routes: [Route] { (codes + logins).map { $0.traced(.secret) } }

    private var codes: [Route] {
        [
            Route(
                .post, "/auth/codes", "createAccessCode", access: .administer,
                handler: .aside { call in
                    // The login has all rights, and stays when a person loses theirs. So no person may make the address.
                    guard call.identity.runsGateway else {
                        throw Problem(.forbidden, "Only whoever runs the gateway makes such an address.")
                    }
                    var login: String?
                    if case .operator(let id) = call.identity { login = id }
                    let issued = call.core.launchCodes.issue(by: login)
                    return call.json(status: 201, headers: [("Location", "/auth/\(issued.code)")]) { json in
                        json.beginObject()
                        json.member("url", "\(call.request.origin)/auth/\(issued.code)")
                        json.member("expiresAt", issued.expiresAt)
                        json.endObject()
                    }
                }),
            // It does not use the code up: programs that preview links request it, too.
            Route(
                .get, "/auth/{code}", "showAccessCode", access: .open,
                handler: .now { call in
                    guard call.core.launchCodes.isGood(call.parameters["code"]) else {
                        try call.countFailure()
                        return Self.gone
                    }
                    return Self.signIn
                }),
            Route(
                .post, "/auth/codes/{code}/redeem", "redeemAccessCode", access: .open,
                handler: .aside { call in
                    try OriginCheck.requireNoOther(call.request)
                    guard call.core.launchCodes.redeem(call.parameters["code"]) else {
                        try call.countFailure()
                        throw Problem(.launchCodeGone)
                    }
                    return try await call.signIn(as: Login.operatorID, how: "code", life: LoginRing.operatorLife)
                }),
        ]
    }

    private var logins: [Route] {
        [
            Route(
                .get, "/auth/status", "getAuthStatus", access: .open,
                handler: .task { call in
                    try call.status(of: try await Credentials(core: call.core).reading(for: call.request))
                }),
            Route(
                .post, "/auth/logout", "logOut", access: .open, body: .optionalJSON,
                handler: .aside { call in
                    try OriginCheck.requireNoOther(call.request)
                    let body: LogoutBody = try call.body()
                    try await call.signOut(everywhere: body.everywhere)
                    return call.noContent(headers: [call.core.loginCookie.header(nil, for: call.request)])
                }),
        ]
    }

    /// A page whose script redeems the code of its own address.
    private static var signIn: HTTPResponse {
        var page = HTMLPage(title: "Signing in")
        page.script = "/assets/redeem.js"
        page.html += "<p id=\"state\" role=\"status\">One moment.</p>\n"
        page.html += "<noscript><p>The pages of Parley need JavaScript.</p></noscript>\n"
        return page.response()
    }

    /// A page for people, not a problem document: a browser shows it.
    private static var gone: HTTPResponse {
        let kind = ProblemKind(GatewayProblem.launchCodeGone)
        var page = HTMLPage(title: kind.title)
        page.html += "<p>\(HTMLPage.escape(kind.meaning))</p>\n"
        page.html += "<p>For a new one run <code>parley open</code> in a terminal.</p>\n"
        page.html += "<p>A browser that got in before is still in: <a href=\"/\">go to the page</a>.</p>\n"
        return page.response(status: kind.status)
    }
}

/// `{"everywhere"?}`: whether all logins end that have the same rights.
struct LogoutBody: RequestBody {
    let everywhere: Bool

    init(reading object: inout ObjectReader) { everywhere = object.optionalBool("everywhere") ?? false }
}

extension Call {
    /// Counts a wrong code as a failed try of the address. Throws `tooManyFailures`.
    func countFailure() throws(Problem) {
        if let seconds = core.failures.countFailure(core.peer(of: request)) {
            throw Problem(.tooManyFailures, "Too many wrong codes came from this address.", retryAfter: seconds)
        }
    }

    fileprivate func status(of credentials: Credentials) throws(Problem) -> HTTPResponse {
        let (identity, missingHalf) = try credentials.status(of: request)
        let rights = core.rights(of: identity)
        return json { json in
            json.beginObject()
            json.member("authenticated", identity != .nobody)
            json.member("as", identity.kind)
            if identity != .nobody {
                json.member("scopes", texts: Scope.allCases.filter(rights.scopes.contains).map(\.rawValue))
                if let channels = rights.channels { json.member("channels", texts: channels.sorted()) }
            }
            json.member("half", missingHalf?.rawValue)
            if case .person(let id, _) = identity, let person = core.people.person(id) {
                json.name("person")
                person.encode(to: &json)
            }
            json.member("methods", texts: methods)
            json.endObject()
        }
    }

    /// How a browser can sign in here.
    private var methods: [String] {
        var methods = ["code"]
        if core.people.all().contains(where: { $0.password != nil }) { methods.append("password") }
        if core.configuration.identityProxy != nil { methods.append(Login.byProxy) }
        return methods
    }

    /// Makes a login, and answers with one half of it in a cookie and the other in the body.
    ///
    /// - Parameters:
    ///   - person: the id of a person, or ``Login/operatorID``.
    ///   - life: in milliseconds.
    ///   - check: throws if the person must not be let in any more.
    func signIn(
        as person: String, how: String, life: Int64,
        if check: @escaping @Sendable (ReadTransaction) throws -> Void = { _ in }
    ) async throws -> HTTPResponse {
        let secrets = LoginSecrets()
        let now = core.environment.now()
        let login = Login(
            id: secrets.id, person: person, cookieDigest: LoginSecrets.digest(secrets.cookie),
            pageDigest: LoginSecrets.digest(secrets.page), how: how,
            label: BrowserName.of(request.headers["User-Agent"] ?? ""), createdAt: now,
            expiresAt: now.advanced(byMilliseconds: life), confirmedAt: now)
        let entry = audit("login.created", login.id, as: login.identity) { $0.member("how", how) }
        let removed: [String]
        do throws(ChatError) {
            removed = try await core.logins.add(login, entry) { transaction in
                // An administrator may have disabled the person meanwhile.
                guard try person == Login.operatorID || transaction.person(person).state == .active else {
                    throw ChatError(.unknownPerson, "The person may not sign in.")
                }
                try check(transaction)
            }
        } catch {
            throw error.code == .unknownPerson ? Credentials.wrong() : error
        }
        core.review(logins: removed, of: person)
        return json(headers: [core.loginCookie.header(secrets.cookie, for: request), ("Cache-Control", "no-store")]) {
            json in
            json.beginObject()
            json.member("page", secrets.page)
            json.member("login", login.id)
            if let person = core.people.person(person) {
                json.name("person")
                person.encode(to: &json, hasSettings: true)
            }
            json.endObject()
        }
    }

    /// Ends the login of the caller, or all of their logins. Does nothing for a caller without a login.
    fileprivate func signOut(everywhere: Bool) async throws {
        guard let login = Credentials(core: core).ownLogin(of: request) else { return }
        if everywhere {
            try await endLogins(of: login.person, as: login.identity)
        } else {
            try await endLogin(login.id, as: login.identity)
        }
    }

    /// Ends one login, and all that it has opened, the addresses of `parley open` among it. Throws `unknownLogin`.
    func endLogin(_ id: String, as actor: Identity) async throws(ChatError) {
        guard let login = core.logins.login(id) else {
            throw ChatError(.unknownLogin, "There is no login \(id).")
        }
        try await core.logins.remove(id, audit("login.removed", id, as: actor))
        core.launchCodes.forget(issuedBy: [id])
        core.reviewAccess(of: login.identity)
    }

    /// Ends all logins of a person, or of those who run the gateway.
    func endLogins(of person: String, as actor: Identity) async throws(ChatError) {
        let removed = try await core.logins.removeAll(of: person, audit("login.allRemoved", person, as: actor))
        core.launchCodes.forget(issuedBy: removed)
        core.review(logins: removed, of: person)
    }
}

extension GatewayCore {
    /// Ends what these logins have opened; they are gone.
    func review(logins ids: [String], of person: String) {
        for id in ids {
            reviewAccess(of: person == Login.operatorID ? .operator(login: id) : .person(person, login: id))
        }
    }
}

extension Identity {
    /// What kind of caller it is, for callers.
    fileprivate var kind: String? {
        switch self {
        case .nobody: nil
        case .gateway: "gateway"
        case .operator: "operator"
        case .person: "person"
        case .session: "session"
        case .key: "key"
        }
    }
}
