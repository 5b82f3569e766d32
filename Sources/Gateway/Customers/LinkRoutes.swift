import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// Links for customers: an address that gives its reader a session of one customer, and nothing else.
///
/// The address alone does nothing: programs that look at messages open addresses. The page behind it has a button, whose
/// press makes the session.
struct LinkRoutes: RouteGroup {
    private static let all = "/v1/sessions/{session}/links"

    /// Milliseconds without use after which a session of a link ends.
    static let sessionLife: Int64 = 30 * 86_400_000

    var routes: [Route] { (making + opening).map { $0.traced(.secret) } }

    private var making: [Route] {
        [
            Route(
                .post, Self.all, "createLink", access: .scope(.sessionsWrite), body: .json, idempotency: .carried,
                handler: .aside { call in
                    let body: NewLink = try call.body()
                    let client = try call.client()
                    let code = LoginSecrets.random(24)
                    let now = call.core.environment.now()
                    let link = CustomerLink(
                        id: LoginSecrets.random(9), digest: LoginSecrets.digest(code), session: client.id,
                        account: client.account, createdAt: now,
                        expiresAt: now.advanced(byMilliseconds: Int64(body.seconds) * 1000), usesLeft: Int64(body.uses),
                        label: body.label, createdBy: call.identity.name)
                    let entry = call.audit("link.created", link.id) { json in
                        json.member("session", client.id)
                        json.member("label", link.label)
                    }
                    let receipt = call.receipt
                    try await call.core.store.write { transaction in
                        try transaction.insert(link)
                        try transaction.audit(entry)
                        try transaction.record(receipt, Outcome(.created, id: link.id))
                    }
                    let host = call.core.configuration.customerHost
                    let base = host.map { "\(call.request.isSecure ? "https" : "http")://\($0)" } ?? call.request.origin
                    return call.json(status: 201) { link.encode(to: &$0, url: "\(base)/c/\(code)") }
                }
            ).replaying { outcome, call in
                // The address is not stored, so a repeated request gets an answer without it.
                let session = try call.client().id
                let links = try await call.core.store.read { try $0.links(of: session) }
                guard let link = links.first(where: { $0.id == outcome.id }) else {
                    throw ChatError(.unknownLink, "The link was removed.")
                }
                return call.json(status: 201) { link.encode(to: &$0) }
            },
            Route(
                .get, Self.all, "listLinks", access: .scope(.sessionsRead),
                handler: .aside { call in
                    let client = try call.client()
                    let links = try await call.core.store.read { try $0.links(of: client.id) }
                    return call.json(headers: [Call.revalidate]) { json in
                        json.beginObject()
                        json.name("items")
                        json.beginArray()
                        for link in links { link.encode(to: &json) }
                        json.endArray()
                        json.endObject()
                    }
                }),
            Route(
                .delete, "\(Self.all)/{link}", "deleteLink", access: .scope(.sessionsWrite),
                query: .only(["sessions"]),
                handler: .aside { call in
                    let (id, session) = (call.parameters["link"], try call.client().id)
                    let entry = call.audit("link.removed", id) { $0.member("session", session) }
                    try await call.core.store.write { transaction in
                        try transaction.removeLink(id, of: session)
                        try transaction.audit(entry)
                    }
                    if try call.query.flag("sessions") {
                        for ended in try await call.core.sessions.removeSessions(ofLink: id) {
                            call.core.hub.sessionEnded(ended)
                        }
                    }
                    return call.noContent()
                }),
        ]
    }

    private var opening: [Route] {
        [
            Route(
                .post, "/auth/links/{code}", "redeemLink", access: .open, body: .optionalJSON,
                handler: .aside { call in
                    try OriginCheck.requireNoOther(call.request)
                    let digest = LoginSecrets.digest(call.parameters["code"])
                    do throws(ChatError) {
                        return try await Self.redeem(digest, call)
                    } catch {
                        if error.code == .linkGone { try call.countFailure() }
                        throw error
                    }
                }
            ).forCustomers()
        ]
    }

    /// Uses the code up by one, and makes the session in the same transaction.
    private static func redeem(_ digest: [UInt8], _ call: Call) async throws(ChatError) -> HTTPResponse {
        let core = call.core
        let now = core.environment.now()
        let key = try await core.store.read { try $0.account(ofLink: digest, at: now) }
        var origin = SessionOrigin()
        (origin.kind, origin.life) = (.link, sessionLife)
        origin.begin = { transaction, account in
            let link = try transaction.useLink(digest)
            // The account may have been erased meanwhile, and its customer come back.
            guard link.account == account.number else { throw ChatError(.linkGone, "The link's customer is gone.") }
            return link.id
        }
        let client = try await core.sessions.create(
            service: key.service, channel: key.channel, customer: CustomerDraft(id: key.customer), connect: true,
            receipt: nil, origin: origin)
        let token = core.tokens.token(session: client.id, generation: Int(client.generation))
        return call.json(status: 201, headers: [("Cache-Control", "no-store")]) { json in
            json.beginObject()
            json.member("session", client.id)
            json.member("token", token)
            json.member("service", key.service)
            json.member("channel", key.channel)
            json.endObject()
        }
    }
}

/// `{"expiresIn"?,"uses"?,"label"?}`: a new link. `expiresIn` is in seconds.
struct NewLink: RequestBody {
    let seconds: Int
    let uses: Int
    let label: String?

    init(reading object: inout ObjectReader) {
        seconds = object.optionalInteger("expiresIn", in: 60...2_592_000) ?? 86_400
        uses = object.optionalInteger("uses", in: 1...20) ?? 1
        label = object.optionalString("label", length: 1...128)
    }
}

extension CustomerLink {
    /// - Parameter url: the address with the code, which only the answer that makes the link has.
    fileprivate func encode(to json: inout JSONWriter, url: String? = nil) {
        json.beginObject()
        json.member("id", id)
        json.member("url", url)
        json.member("label", label)
        json.member("createdAt", createdAt)
        json.member("expiresAt", expiresAt)
        json.member("usesLeft", Int(usesLeft))
        json.endObject()
    }
}
