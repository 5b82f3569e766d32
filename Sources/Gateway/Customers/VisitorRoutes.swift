import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// How customers begin a chat by themselves, on channels that are public. No credential is needed: the channel's own rules
/// decide, in the order of ``VisitorRoutes/begin(_:)``.
struct VisitorRoutes: RouteGroup {
    /// The most bytes of a body.
    static let maximumBody = 16 << 10

    var routes: [Route] {
        [
            Route(
                .post, "/v1/visitors", "createVisitor", access: .open, body: .json,
                handler: .aside { call in try await Self.begin(call) }
            ).traced(.secret),
            Route(
                .get, "/v1/visitors/challenge", "getVisitorChallenge", access: .open, query: .only(["channel"]),
                handler: .aside { call in
                    let core = call.core
                    let id = try call.query.key("channel", length: 1...64) ?? ""
                    let (_, settings) = try await Self.settings(of: id, call)
                    try core.visitors.countChallenge(from: core.visitorAddress(of: call.request))
                    return call.json(
                        core.visitors.proofs.challenge(
                            channel: id, isHard: core.visitors.isCrowded(id, settings.limits),
                            at: core.environment.now()),
                        headers: [("Cache-Control", "no-store")])
                }),
            Route(
                .post, "/v1/sessions/{session}/identity", "setIdentity", access: .session(.sessionsWrite), body: .json,
                handler: .aside { call in try await Self.verify(call) }
            ).traced(.secret),
        ]
    }

    /// The channel and its rules. Throws `channelNotPublic`, and `originNotAllowed` for a page that the channel does not name.
    private static func settings(of id: String, _ call: Call) async throws -> (channel: Channel, VisitorSettings) {
        let channel = try await call.core.store.read { try $0.channel(id, of: Self.service) }
        guard let channel, let settings = channel.visitors, settings.isPublic else {
            throw Problem(.channelNotPublic, "Nobody begins on the channel \(id.prefix(64)) by themselves.")
        }
        if let origin = call.foreignOrigin, !settings.accepts(origin: origin),
            !call.core.rules.allowedOrigins.contains(origin)
        {
            throw Problem(.originNotAllowed, "The channel \(id) is not for pages of \(origin.prefix(256)).")
        }
        return (channel, settings)
    }

    /// The embedded service: no other has public channels.
    static let service = "local"

    private static func begin(_ call: Call) async throws -> HTTPResponse {
        let (core, request) = (call.core, call.request)
        guard request.body.count <= maximumBody else {
            throw Problem(.bodyTooLarge, "A visitor's request has at most \(maximumBody) bytes.")
        }
        let body: NewVisitor = try call.body()
        let now = core.environment.now()
        let (channel, settings) = try await settings(of: body.channel, call)
        try core.visitors.countTry(from: core.visitorAddress(of: request), settings.limits)
        let mustWork = core.visitors.isCrowded(channel.id, settings.limits)
        let identity = try await identity(in: body, channel, settings, core)
        if let agreement = settings.consent, agreement.isRequired, body.consent != agreement.version {
            throw Problem(.consentRequired, "The member consent must be \(agreement.version).")
        }
        if settings.proof == .work || mustWork {
            guard let proof = body.proof,
                core.visitors.proofs.accepts(proof, channel: channel.id, isHard: mustWork, at: now)
            else {
                var problem = Problem(.proofRequired, "The member proof is missing, or does not solve a task in time.")
                problem.challenge = core.visitors.proofs.challenge(channel: channel.id, isHard: mustWork, at: now)
                throw problem
            }
        }
        if let identity, identity.customer == nil, let id = identity.id,
            !core.visitors.use(token: id, on: channel.id, at: now)
        {
            throw invalid(.claims, "A JWT that names nobody is used once.")
        }
        try core.visitors.countBegin(on: channel.id, settings.limits)
        var former: FormerSession?
        if identity?.customer != nil, let token = body.previous, let id = try await anonymousSession(of: token, core) {
            former = FormerSession(id: id, isRequired: false)
        }
        return try await begin(
            call, on: channel, settings, as: identity, consent: body.consent,
            visit: VisitBody.adding(device: BrowserName.of(call.request.headers["User-Agent"] ?? ""), to: body.visit),
            from: former, status: 201)
    }

    /// Makes the session, and answers with it.
    private static func begin(
        _ call: Call, on channel: Channel, _ settings: VisitorSettings, as identity: IdentityToken?, consent: String?,
        visit: [UInt8]?, from former: FormerSession?, status: Int
    ) async throws -> HTTPResponse {
        let core = call.core
        let customer = identity?.customer ?? Visitors.prefix + LoginSecrets.random(12)
        let (fields, ignored) = fields(of: identity, channel)
        var origin = SessionOrigin()
        origin.kind = .visitor
        origin.life = Int64(settings.visitorDays) * day
        if identity?.customer != nil { origin.verifiedUntil = verifiedUntil(settings, core) }
        (origin.visit, origin.former) = (visit, former)
        origin.begin = { transaction, account in
            try identity.map { try $0.apply(to: &account, fields) }
            if let consent, consent == settings.consent?.version {
                account.consent = Consent(version: consent, at: transaction.now)
            }
            return nil
        }
        let cursor = call.headCursor
        let (client, joining) = try await core.sessions.begin(
            service: service, channel: channel.id, customer: CustomerDraft(id: customer), connect: true, receipt: nil,
            origin: origin)
        for id in joining?.ended ?? [] { core.hub.sessionEnded(id) }
        let snapshot = await client.snapshot()
        return call.json(status: status, headers: [("Cache-Control", "no-store")]) { json in
            json.beginObject()
            json.member("session", client.id)
            json.member("token", core.tokens.token(session: client.id, generation: Int(client.generation)))
            json.member("customer", snapshot.customer)
            json.member("verified", identity?.customer != nil)
            if let end = origin.verifiedUntil ?? snapshot.endsAt { json.member("expiresAt", end) }
            if let joining { json.member("joined", joining.threads.count) }
            if !ignored.isEmpty { json.member("ignored", texts: ignored) }
            json.member("cursor", cursor.description)
            json.endObject()
        }
    }

    private static let day: Int64 = 86_400_000

    private static func verifiedUntil(_ settings: VisitorSettings, _ core: GatewayCore) -> Timestamp {
        core.environment.now().advanced(byMilliseconds: Int64(settings.identityDays) * day)
    }

    /// The session of a token for whose customer nobody vouches; nil for any other token. Who has none that is good
    /// begins without it: a browser may keep one for longer than the session lives.
    private static func anonymousSession(of token: String, _ core: GatewayCore) async throws -> String? {
        guard let id = core.tokens.session(in: token), Identifier.isValid(id),
            let client = try await core.sessions.session(id), core.tokens.holder(of: token)?.identity == .session(id),
            !client.hasEnded(at: core.environment.now()), client.term.verifiedUntil == nil
        else { return nil }
        return id
    }

    /// Who the customer is, by the JWT. Throws `identityRequired`, and what ``token(_:of:_:)`` throws: a bad JWT never makes an
    /// anonymous customer.
    private static func identity(
        in body: NewVisitor, _ channel: Channel, _ settings: VisitorSettings, _ core: GatewayCore
    ) async throws -> IdentityToken? {
        guard let text = body.identity else {
            if settings.identity == .required || settings.anonymous == .vouched {
                throw Problem.unverified(.identityRequired, "The member identity is missing.")
            }
            return nil
        }
        guard settings.identity != .off else { throw invalid(.key, "The channel takes no JWT.") }
        let token = try await token(text, of: channel.id, core)
        if token.customer == nil, settings.identity == .required {
            throw Problem.unverified(.identityRequired, "The JWT names no customer.")
        }
        return token
    }

    /// Checks a JWT against the channel's secrets. Throws `invalidIdentity`, and `identityExpired`.
    private static func token(_ text: String, of channel: String, _ core: GatewayCore) async throws -> IdentityToken {
        let rows = try await core.store.read { try $0.identitySecrets(of: channel) }
        let secrets = Dictionary(rows.map { ($0.id, core.tokens.identitySecret($0.id, of: channel)) }) { first, _ in
            first
        }
        do throws(IdentityToken.Fault) {
            return try IdentityToken(text, secrets: secrets, channel: channel, at: core.environment.now())
        } catch {
            if error == .expired { throw Problem.unverified(.identityExpired, "The JWT has expired.") }
            throw invalid(error, "The JWT is refused for its \(error.rawValue).")
        }
    }

    private static func invalid(_ fault: IdentityToken.Fault, _ detail: String) -> Problem {
        var problem = Problem.unverified(.invalidIdentity, detail)
        problem.reason = fault.rawValue
        return problem
    }

    /// The fields of a JWT that the channel's customers have, and the names of the others.
    private static func fields(
        of identity: IdentityToken?, _ channel: Channel
    ) -> (known: [String: String], ignored: [String]) {
        let names = Set(channel.customerFields.map(\.ident))
        let fields = identity?.fields ?? [:]
        let known = fields.filter { names.contains($0.key) }
        guard let checked = try? CustomFieldRules.check(known, channel.customerFields) else {
            return ([:], fields.keys.sorted())
        }
        return (checked, fields.keys.filter { !names.contains($0) }.sorted())
    }

    /// Takes a JWT for a session. If the session's customer is known, the JWT must name that customer, and the session
    /// lasts longer. If the customer is anonymous, the answer is a new session of the customer whom the JWT names, and the
    /// conversations move there. Throws `otherIdentity` if the JWT names another customer than the known one.
    private static func verify(_ call: Call) async throws -> HTTPResponse {
        let body: FreshIdentity = try call.body()
        let (client, core) = (try call.client(), call.core)
        guard client.key.service == service, client.term.kind == .visitor else {
            throw Problem(.channelNotPublic, "Only a visitor of a public channel is vouched for by a JWT.")
        }
        // The channel may not be public any more: then nobody begins, and who has begun goes on.
        let found = try await core.store.read { try $0.channel(client.key.channel, of: Self.service) }
        guard let channel = found else { throw ChatError.unknownChannel(client.key.channel) }
        let settings = channel.visitors ?? VisitorSettings()
        let identity = try await token(body.identity, of: channel.id, core)
        let key = client.key
        guard let customer = identity.customer, customer.hasSameBytes(as: key.customer) else {
            let former = try await core.store.read { transaction in
                (try transaction.session(client.id)?.session.visit, try transaction.account(key)?.customer.isVerified)
            }
            guard identity.customer != nil, client.term.verifiedUntil == nil, former.1 == false else {
                throw ChatError(.otherIdentity, "The session belongs to another customer.")
            }
            return try await begin(
                call, on: channel, settings, as: identity, consent: nil, visit: former.0,
                from: FormerSession(id: client.id, isRequired: true), status: 200)
        }
        let (fields, _) = fields(of: identity, channel)
        let end = verifiedUntil(settings, core)
        try await core.store.write { transaction in
            guard var account = try transaction.account(key) else { return }
            let before = account
            try identity.apply(to: &account, fields)
            transaction.actor = Author(account.customer)
            try transaction.save(account, since: before)
        }
        try await core.sessions.verify(client, until: end)
        return call.json { json in
            json.beginObject()
            json.member("verified", true)
            json.member("expiresAt", end)
            json.endObject()
        }
    }
}

extension IdentityToken {
    /// Gives a customer what the shop's server says of them. What it leaves out stays.
    fileprivate func apply(to account: inout AccountRecord, _ fields: [String: String]) throws {
        guard customer != nil else { return }
        account.setVouchedNames(firstName, lastName)
        account.customer.isVerified = true
        if let email { account.customer.email = email }
        account.customFields = try CustomFieldRules.merge(fields, into: account.customFields)
    }
}

extension TokenAuthority {
    /// The text of a channel's secret: 43 characters, whose UTF-8 bytes are the key of HMAC-SHA256. It is not stored.
    func identitySecret(_ id: String, of channel: String) -> String { code("identity\u{0}\(channel)\u{0}\(id)") }
}

/// `{"identity"}`: a fresh JWT.
struct FreshIdentity: RequestBody {
    let identity: String

    init(reading object: inout ObjectReader) {
        identity = object.requiredString("identity", length: 1...IdentityToken.maximumLength)
    }
}

/// `{"channel","identity"?,"consent"?,"proof"?,"previous"?,"visit"?}`: a customer who begins. `previous` is the token
/// of the anonymous session in which they have written before.
struct NewVisitor: RequestBody {
    let channel: String
    let identity: String?
    let consent: String?
    let proof: VisitorProof?
    let previous: String?
    let visit: [UInt8]?

    init(reading object: inout ObjectReader) {
        channel = object.requiredKey("channel", length: 1...64)
        identity = object.optionalString("identity", length: 1...IdentityToken.maximumLength)
        consent = object.optionalString("consent", length: 1...64)
        proof = object.object(object.optional("proof"), "proof", as: VisitorProof.self)
        previous = object.optionalString("previous", length: 1...512)
        visit = object.object(object.optional("visit"), "visit", as: VisitBody.self)?.json
    }
}

extension Problem {
    /// 401 for a customer for whom nobody vouches, with the challenge that RFC 9110, 11.6.1 demands.
    static func unverified(_ kind: GatewayProblem, _ detail: String) -> Problem {
        Problem(kind, detail, headers: [Credentials.challenge("invalid_token")])
    }
}
