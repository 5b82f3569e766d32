import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The gateway's sessions: to create, list, connect and delete them. A session is one client of one customer on one
/// channel.
struct SessionRoutes: RouteGroup {
    private static let one = "/v1/sessions/{session}"

    var routes: [Route] {
        [
            Route(
                .get, "/v1/sessions", "listSessions", access: .scope(.sessionsRead), query: .only(Self.filters),
                handler: .aside { call in
                    try await Self.list(call)
                }),
            Route(
                .delete, "/v1/sessions", "deleteSessions", access: .scope(.sessionsWrite), query: .only(Self.filters),
                handler: .aside { call in
                    try await Self.deleteMany(call)
                }
            ).audited(as: "session.allRemoved"),
            Route(
                .post, "/v1/sessions", "createSession", access: .scope(.sessionsWrite), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    try await Self.create(call)
                }
            ).replaying { outcome, call in
                // A session's token is not stored, so a repeated request gets an answer that is made anew.
                await call.newSession(try await call.session(outcome.id), cursor: call.headCursor)
            }.traced(.secret),
            Route(
                .get, Self.one, "getSession", access: .session(.sessionsRead),
                handler: .task { call in
                    let cursor = call.headCursor
                    return call.session(try await call.client().snapshot(), cursor: cursor)
                }),
            Route(
                .delete, Self.one, "deleteSession", access: .session(.sessionsWrite),
                handler: .aside { call in
                    let id = call.parameters["session"]
                    try await call.core.sessions.delete(id)
                    call.core.hub.sessionEnded(id)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/connect", "connectSession", access: .session(.sessionsWrite),
                idempotency: .recorded,
                handler: .aside { call in
                    let client = try call.client()
                    try await client.connect()
                    let cursor = call.headCursor
                    return call.session(await client.snapshot(), cursor: cursor)
                }),
            Route(
                .post, "\(Self.one)/disconnect", "disconnectSession", access: .session(.sessionsWrite),
                idempotency: .recorded,
                handler: .aside { call in
                    let client = try call.client()
                    try await client.disconnect()
                    let cursor = call.headCursor
                    return call.session(await client.snapshot(), cursor: cursor)
                }),
        ]
    }

    /// A page of sessions that match the filter, with the cursor from which to follow them.
    private static func list(_ call: Call) async throws -> HTTPResponse {
        let page = try await call.core.sessions.page(try filter(call), try call.query.page())
        let cursor = call.cursor(page.offset)
        var json = JSONWriter(reservingCapacity: 4096)
        json.beginObject()
        json.name("items")
        json.beginArray()
        for session in page.items { json.raw(session.json(cursor: cursor)) }
        json.endArray()
        json.member("next", page.next)
        json.member("cursor", cursor.description)
        json.endObject()
        var headers = [("Parley-Cursor", cursor.description), Call.revalidate]
        if let link = call.links(next: page.next, prev: nil) { headers.append(("Link", link)) }
        return call.json(json.bytes, headers: headers)
    }

    /// Deletes one page of matching sessions, and ends their streams. `next` says where to go on.
    private static func deleteMany(_ call: Call) async throws -> HTTPResponse {
        let filter = try filter(call)
        // A filter is required, so that nobody deletes all sessions by leaving something out.
        guard ["service", "channel", "customer", "unusedSince"].contains(where: { call.query[$0] != nil }) else {
            throw Problem.parameter("unusedSince", "unusedSince, customer, channel or service is needed")
        }
        let (deleted, next) = try await call.core.sessions.delete(filter, try call.query.page())
        for id in deleted { call.core.hub.sessionEnded(id) }
        return call.json { json in
            json.beginObject()
            json.member("deleted", deleted.count)
            json.member("next", next)
            json.endObject()
        }
    }

    /// The parameters of the list and of the deletion of many.
    private static let filters = ["service", "channel", "customer", "unusedSince", "limit", "cursor"]

    /// Throws `invalidParameter`; an empty filter matches all sessions.
    private static func filter(_ call: Call) throws(Problem) -> SessionFilter {
        let query = call.query
        var filter = SessionFilter(
            service: try query.text("service", length: 1...256), channel: try query.text("channel", length: 1...256),
            customer: try query.identifier("customer"), unusedSince: try query.time("unusedSince"))
        filter.channels = call.rights.channels
        return filter
    }

    /// Creates a session. A channel that is named by its address is looked up at the platform first.
    private static func create(_ call: Call) async throws -> HTTPResponse {
        // Before the session connects: whoever follows from here is told of what connecting brings.
        let cursor = call.headCursor
        let body: NewSession = try call.body()
        // Whoever names a platform's URLs makes the gateway call them, wherever they are.
        if case .key = call.identity, case .at(let address) = body.channel, !address.urls.isEmpty {
            throw Problem(
                .forbidden, "A key names a platform's environment, and no URLs: that needs the gateway's token.")
        }
        // The id of a channel that is named by its address is known only when the platform has answered.
        if let channels = call.rights.channels {
            guard case .named(let name) = body.channel, channels.contains(name) else {
                throw Problem(.outsideChannels, "The caller is limited to some channels: name one of them.")
            }
        }
        do throws(ChatError) {
            let channel: String
            switch body.channel {
            case .named(let name): channel = name
            case .at(let address): channel = try await call.core.sessions.service(body.service).channel(at: address)
            }
            let client = try await call.core.sessions.create(
                service: body.service, channel: channel, customer: body.customer, connect: body.connect,
                resendPolicy: body.resendPolicy ?? .manual, authorization: body.authorization, receipt: call.receipt)
            return await call.newSession(client, cursor: cursor)
        } catch {
            throw Problem(error)
        }
    }
}

extension Call {
    /// The present state of a session.
    ///
    /// - Parameter cursor: the log's end before the snapshot was taken, so that a client that follows from there misses
    ///   nothing.
    func session(_ snapshot: SessionSnapshot, cursor: Cursor) -> HTTPResponse {
        json(snapshot.json(cursor: cursor), headers: [("Parley-Cursor", cursor.description), Self.revalidate])
    }

    /// The answer to the creation of a session, the only one that contains its token. It has no `Cache-Control` of its
    /// own, so it goes out as `no-store`.
    fileprivate func newSession(_ client: ChatClient, cursor: Cursor) async -> HTTPResponse {
        let token = core.tokens.token(session: client.id, generation: Int(client.generation))
        let headers = [("Location", "/v1/sessions/\(client.id.percentEncoded)"), ("Parley-Cursor", cursor.description)]
        return json(await client.snapshot().json(cursor: cursor, token: token), status: 201, headers: headers)
    }
}

/// `{"id"?,"firstName"?,"lastName"?,"imageUrl"?}`: the customer of a new session.
private struct NewCustomer: RequestBody {
    let draft: CustomerDraft

    init(reading object: inout ObjectReader) {
        draft = CustomerDraft(
            id: object.optionalID("id"), firstName: object.optionalString("firstName", length: 1...256),
            lastName: object.optionalString("lastName", length: 1...256), imageURL: CustomerImage.read(&object))
    }
}

/// A new session:
/// `{"service"?,"channel","customer"?:{"id"?,"firstName"?,"lastName"?},"connect"?,"resend"?:{"policy","attempts"?}}`.
///
/// For a remote service the channel's address can take the place of `channel`: `"environment" |
/// "urls":{...},"brandId","channelId","authorization"?:{"code","codeVerifier"?}`.
struct NewSession: RequestBody {
    /// How the body names the channel.
    enum Target {
        /// By the id of a channel that the service knows already.
        case named(String)
        /// By its address on the platform.
        case at(ChannelAddress)
    }

    /// `local`, the embedded service, by default.
    let service: String
    /// A body that has both a name and an address is faulty.
    let channel: Target
    /// Nil when the body has none.
    let customer: CustomerDraft?
    /// Whether the session connects at once; true by default.
    let connect: Bool
    /// Nil: the default, which is `manual`.
    let resendPolicy: ResendPolicy?
    /// Needed only where the channel's customers log in.
    let authorization: Authorization?

    init(reading object: inout ObjectReader) {
        service = object.optionalString("service", length: 1...64) ?? "local"
        // A channel of a remote service that was used before may be named, too.
        let brand = object.optionalInteger("brandId", in: 1...9_007_199_254_740_991)
        let remote = object.optionalString("channelId", length: 1...128)
        let environment = object.optionalString("environment", length: 1...64)
        /// By purpose: `chat`, `socket`, `token`, `logger`.
        let urls = object.object(object.optional("urls"), "urls", as: PlatformURLs.self)?.urls
        if brand != nil || remote != nil || environment != nil || urls != nil {
            let name = object.optionalString("channel", length: 1...256)
            if name != nil { object.reject("channel", "Give either channel, or brandId and channelId, but not both.") }
            if environment != nil, urls != nil {
                object.reject("urls", "Give either environment or urls, but not both.")
            }
            if brand == nil { object.reject("brandId", "A channel's address needs this member.") }
            if remote == nil { object.reject("channelId", "A channel's address needs this member.") }
            channel = .at(
                ChannelAddress(
                    environment: environment, urls: urls ?? [:], brandID: brand ?? 0, channelID: remote ?? ""))
        } else {
            channel = .named(object.requiredKey("channel", length: 1...256))
        }
        customer = object.object(object.optional("customer"), "customer", as: NewCustomer.self)?.draft
        connect = object.optionalBool("connect") ?? true
        resendPolicy = object.object(object.optional("resend"), "resend", as: ResendBody.self)?.policy
        authorization =
            object.object(object.optional("authorization"), "authorization", as: AuthorizationBody.self)?.authorization
    }
}

/// `{"chat","socket","token"?,"logger"?}`: the URLs of a platform that has no named environment. Their syntax is not
/// checked here.
struct PlatformURLs: RequestBody {
    let urls: [String: String]

    init(reading object: inout ObjectReader) {
        var urls = [
            "chat": object.requiredString("chat", length: 1...512),
            "socket": object.requiredString("socket", length: 1...512),
        ]
        urls["token"] = object.optionalString("token", length: 1...512)
        urls["logger"] = object.optionalString("logger", length: 1...512)
        self.urls = urls
    }
}

/// `{"code","codeVerifier"?}`: what an OAuth 2.0 login gave the client (RFC 6749, 4.1; the verifier is that of RFC
/// 7636).
struct AuthorizationBody: RequestBody {
    let authorization: Authorization

    init(reading object: inout ObjectReader) {
        authorization = Authorization(
            code: object.requiredString("code", length: 1...4096),
            codeVerifier: object.optionalString("codeVerifier", length: 1...4096))
    }
}
