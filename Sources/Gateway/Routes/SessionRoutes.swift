import Chat
import ChatModel
import ChatStore
import MicroHTTP

/// The gateway's sessions.
struct SessionRoutes: RouteGroup {
    private static let one = "/v1/sessions/{session}"

    var routes: [Route] {
        [
            Route(.get, "/v1/sessions", "listSessions", access: .gateway, handler: .now { call in Self.list(call) }),
            Route(.post, "/v1/sessions", "createSession", access: .gateway, body: .json, idempotency: .carried, handler: .later { call in
                try await Self.create(call)
            }),
            Route(.get, Self.one, "getSession", access: .session, handler: .now { call in
                call.session(try call.client().snapshot())
            }),
            Route(.delete, Self.one, "deleteSession", access: .session, handler: .later { call in
                let id = call.parameters["session"]
                try await call.core.sessions.delete(id)
                call.core.hub.sessionEnded(id)
                return call.noContent()
            }),
            Route(.post, "\(Self.one)/connect", "connectSession", access: .session, idempotency: .recorded, handler: .later { call in
                let client = try call.client()
                // Its configuration could not be had: that comes first.
                if client.state == .initial { try await client.prepare(thenConnect: true) } else { try await client.connect() }
                return call.session(await client.snapshot())
            }),
            Route(.post, "\(Self.one)/disconnect", "disconnectSession", access: .session, idempotency: .recorded, handler: .later { call in
                let client = try call.client()
                try await client.disconnect()
                return call.session(await client.snapshot())
            }),
        ]
    }

    private static func list(_ call: Call) -> HTTPResponse {
        // Before the snapshots: what happens between is followed twice rather than missed.
        let cursor = call.headCursor
        var json = JSONWriter(reservingCapacity: 4096)
        json.beginObject()
        json.name("items")
        json.beginArray()
        for client in call.core.sessions.all { json.raw(client.snapshot().json(cursor: cursor)) }
        json.endArray()
        json.member("cursor", cursor.description)
        json.endObject()
        return call.json(json.bytes, headers: [("Parley-Cursor", cursor.description), Call.revalidate])
    }

    private static func create(_ call: Call) async throws -> HTTPResponse {
        let body: NewSession = try call.body()
        do throws(ChatError) {
            let channel: String
            switch body.channel {
            case .named(let name): channel = name
            case .at(let address): channel = try await call.core.sessions.service(body.service).channel(at: address)
            }
            let client = try await call.core.sessions.create(
                service: body.service, channel: channel, customer: body.customer, connect: body.connect,
                resendPolicy: body.resendPolicy ?? .manual, authorization: body.authorization, receipt: call.receipt)
            return await call.newSession(client)
        } catch {
            throw Problem(error)
        }
    }

    /// A session's answer is not kept, for its token is stored nowhere: it is made again.
    static func replay(_ outcome: Outcome, in call: Call) async throws(ChatError) -> HTTPResponse {
        await call.newSession(try call.client(outcome.id))
    }
}

extension Call {
    /// The session as it is, with the log's end as cursor.
    func session(_ snapshot: SessionSnapshot) -> HTTPResponse {
        let cursor = headCursor
        return json(snapshot.json(cursor: cursor), headers: [("Parley-Cursor", cursor.description), Self.revalidate])
    }

    /// The one answer that tells a session's token; `no-store`, as every answer that says nothing else.
    func newSession(_ client: ChatClient) async -> HTTPResponse {
        let cursor = headCursor
        let token = core.tokens.token(session: client.id, generation: Int(client.generation))
        let headers = [("Location", "/v1/sessions/\(Identifier.percentEncoded(client.id))"), ("Parley-Cursor", cursor.description)]
        return json(await client.snapshot().json(cursor: cursor, token: token), status: 201, headers: headers)
    }
}

/// `{"id"?,"firstName"?,"lastName"?}`
struct NewCustomer: RequestBody {
    let draft: CustomerDraft

    init(reading object: inout ObjectReader) {
        draft = CustomerDraft(
            id: object.optionalID("id"), firstName: object.optionalString("firstName", length: 1...256),
            lastName: object.optionalString("lastName", length: 1...256))
    }
}
