import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The routes by which people sign in. They choose a password when they accept an invitation, and sign in with it.
/// Or a proxy in front has signed them in, and tells the gateway who they are.
struct SignInRoutes: RouteGroup {
    var routes: [Route] { (passwords + invitations + proxies).map { $0.traced(.secret) } }

    private var proxies: [Route] {
        [
            Route(
                .post, "/auth/proxy", "signInByProxy", access: .open, body: .optionalJSON,
                handler: .aside { call in
                    try OriginCheck.requireNoOther(call.request)
                    let _: NoMembers = try call.body()
                    let person = try await call.personOfProxy()
                    return try await call.signIn(as: person.id, how: Login.byProxy, life: LoginRing.personLife)
                })
        ]
    }

    private var passwords: [Route] {
        [
            Route(
                .post, "/auth/sign-in", "signIn", access: .open, body: .json,
                handler: .aside { call in
                    try OriginCheck.requireNoOther(call.request)
                    let body: SignInBody = try call.body()
                    let person = try await call.person(signingInWith: body)
                    return try await call.signIn(as: person.id, how: "password", life: LoginRing.personLife) {
                        // Meanwhile it may have been changed, which ends what the former one has opened.
                        guard try $0.person(person.id).password == person.password else {
                            throw ChatError(.unknownPerson, "The password was changed.")
                        }
                    }
                }),
            Route(
                .post, "/auth/confirm", "confirmLogin", access: .person, body: .json,
                handler: .aside { call in
                    let body: PasswordBody = try call.body()
                    guard case .person(let id, let login) = call.identity else { throw Credentials.ended }
                    try await call.check(body.password, of: try call.core.people.known(id))
                    try await call.core.logins.confirm(login, at: call.core.environment.now())
                    return call.noContent()
                }),
        ]
    }

    private var invitations: [Route] {
        [
            // It does not use the code up: programs that preview links request it, too.
            Route(
                .get, "/welcome/{code}", "showInvitation", access: .open,
                handler: .now { call in
                    var page = HTMLPage(title: "Welcome")
                    page.script = "/assets/welcome.js"
                    page.html += "<div id=\"state\"><p role=\"status\">One moment.</p></div>\n"
                    page.html += "<noscript><p>The pages of Parley need JavaScript.</p></noscript>\n"
                    return page.response()
                }),
            Route(
                .post, "/auth/invitations/{code}", "acceptInvitation", access: .open, body: .json,
                handler: .aside { call in
                    try OriginCheck.requireNoOther(call.request)
                    let body: PasswordBody = try call.body()
                    let person = try await call.accept(LoginSecrets.digest(call.parameters["code"]), body.password)
                    return try await call.signIn(as: person.id, how: "invitation", life: LoginRing.personLife)
                }),
        ]
    }
}

/// `{}`.
struct NoMembers: RequestBody {
    init(reading object: inout ObjectReader) {}
}

/// `{"email","password"}`.
struct SignInBody: RequestBody {
    let email: String
    let password: String

    init(reading object: inout ObjectReader) {
        email = object.requiredKey("email", length: 1...254).lowercased()
        password = object.password("password")
    }
}

/// `{"password"}`.
struct PasswordBody: RequestBody {
    let password: String

    init(reading object: inout ObjectReader) { password = object.password("password") }
}

extension Call {
    /// The person whom e-mail address and password name. Throws `wrongCredentials`, whatever of it is wrong, and
    /// `tooManyFailures` (429) for who guesses.
    fileprivate func person(signingInWith body: SignInBody) async throws -> Person {
        let person = core.people.person(email: body.email)
        let cookie = core.loginCookie.value(in: request)
        let login = person.flatMap { person in cookie.flatMap { core.logins.login(of: person.id, cookie: $0) } }
        try checkTries(body.email, login: login)
        let hash = person?.state == .active ? person?.password : nil
        guard try await core.passwords.isRight(body.password, hash, from: core.peer(of: request)), let person else {
            core.signInLimits.countFailure(body.email, core.peer(of: request), login: login)
            try await noteRefusal("login.failed", of: body.email)
            throw Credentials.wrong()
        }
        if let hash, !hash.hasPrefix(PasswordHash.prefix) {
            let renewed = try await core.passwords.hash(body.password, from: core.peer(of: request))
            return try await core.people.change(person.id, nil) { person, _ in
                if person.password == hash { person.password = renewed }
            }.person
        }
        return person
    }

    /// The person of whom the proxy tells. Throws `unauthorized` for a request that is not the proxy's, `ambiguousIdentity`,
    /// `unknownPerson` (403), and `forbidden` for somebody who is disabled.
    fileprivate func personOfProxy() async throws -> Person {
        guard let name = try core.proxyName(in: request), let proxy = core.configuration.identityProxy else {
            throw Credentials.wrong("No proxy says who you are.")
        }
        guard let person = core.people.person(proxyName: name) else {
            guard proxy.isCreating, PersonEmail.isValid(name) else {
                try await noteRefusal("identity.refused", of: name)
                var problem = Problem(ChatError(.unknownPerson, "Nobody has added \(name)."))
                problem.status = 403
                throw problem
            }
            // Without channels: an administrator decides what they see.
            let person = Person(
                id: PersonID.make(core.environment.makeID()), email: name, name: name, role: .agent, channels: [],
                state: .active, createdAt: core.environment.now())
            do {
                try await core.people.add(
                    person, receipt: nil, audit("person.created", person.id) { $0.member("email", name) })
            } catch let error as ChatError where error.code == .personExists {
                // Two tabs have come at once.
                guard let other = core.people.person(proxyName: name) else { throw error }
                return other
            }
            return person
        }
        switch person.state {
        case .active: return person
        case .disabled: throw Problem(.forbidden, "An administrator has disabled this person.")
        case .invited:
            return try await core.people.change(person.id, audit("person.changed", person.id)) { person, _ in
                if person.state == .invited { person.state = .active }
            }.person
        }
    }

    /// Checks the password of a person who is signed in. Throws `wrongCredentials`, `tooManyFailures`.
    func check(_ password: String, of person: Person) async throws {
        guard case .person(_, let login) = identity else { throw Credentials.ended }
        try checkTries(person.email, login: login)
        guard try await core.passwords.isRight(password, person.password, from: core.peer(of: request)) else {
            core.signInLimits.countFailure(person.email, core.peer(of: request), login: login)
            try await noteRefusal("login.failed", of: person.email)
            throw Credentials.wrong("The password is wrong.")
        }
    }

    /// - Parameter login: the one that the person has in this browser.
    private func checkTries(_ email: String, login: String?) throws(Problem) {
        guard let seconds = core.signInLimits.wait(email, core.peer(of: request), login: login) else { return }
        throw Problem(
            .tooManyFailures, "Too many wrong passwords came from this address, or for this name.", retryAfter: seconds)
    }

    /// Writes down that somebody was not let in, once a minute for each name.
    private func noteRefusal(_ action: String, of name: String) async throws(ChatError) {
        guard core.failureNotes.countFailure(name) == nil, core.failureNotesInAll.countFailure("") == nil else {
            return
        }
        let entry = audit(action, name)
        try await core.store.write { try $0.audit(entry) }
    }

    /// Gives the person of an invitation a password. Throws `invitationGone`, `passwordTooWeak`.
    fileprivate func accept(_ digest: [UInt8], _ password: String) async throws -> Person {
        let (store, now) = (core.store, core.environment.now())
        // Before anything is computed: who invents codes gets no processor.
        let invitation = try await store.read { try $0.invitation(digest) }
        guard let invitation, now < invitation.expiresAt else {
            if let seconds = core.failures.countFailure(core.peer(of: request)) {
                throw Problem(.tooManyFailures, "Too many wrong codes came from this address.", retryAfter: seconds)
            }
            throw ChatError(.invitationGone, "The invitation was used, has expired, or was never made.")
        }
        let person = try core.people.known(invitation.person)
        guard person.state != .disabled else {
            throw Problem(.forbidden, "An administrator has disabled this person.")
        }
        let hash = try await newPassword(password, for: person)
        let identity = Identity.person(person.id, login: "")
        let logins = try await core.changePassword(
            of: person.id, to: hash, keeping: nil, audit("password.changed", person.id, as: identity)
        ) { person, transaction in
            _ = try transaction.redeemInvitation(digest)
            guard person.state != .disabled else {
                throw ChatError(.invitationGone, "An administrator has disabled this person.")
            }
            person.state = .active
        }
        core.review(logins: logins, of: person.id)
        return person
    }

    /// The digest of a password that somebody chooses. Throws `passwordTooWeak`.
    func newPassword(_ password: String, for person: Person) async throws -> String {
        if let weakness = PasswordRules.weakness(of: password, for: person) {
            var problem = Problem(.passwordTooWeak, "The password is too weak: \(weakness.rawValue).")
            problem.reason = weakness.rawValue
            throw problem
        }
        return try await core.passwords.hash(password, from: core.peer(of: request))
    }
}

extension GatewayCore {
    /// Gives a person another password, and ends their logins. Returns the ids of those.
    ///
    /// - Parameters:
    ///   - kept: a login that stays.
    ///   - more: what else is changed with it.
    func changePassword(
        of id: String, to hash: String, keeping kept: String?, _ entry: NewAuditEntry,
        _ more: @escaping @Sendable (inout Person, WriteTransaction) throws -> Void = { _, _ in }
    ) async throws -> [String] {
        let ended = try await people.change(id, entry) { person, transaction in
            try more(&person, transaction)
            person.password = hash
            // Whoever has an old address must not undo this.
            try transaction.removeInvitation(of: id)
            return try transaction.removeLogins(of: id, except: kept)
        }.result
        logins.forget(ended)
        return ended
    }
}
