import Chat
import ChatModel
import ChatStore
import MicroHTTP

/// A session's collections: live windows on its threads and messages.
struct CollectionRoutes: RouteGroup {
    private static let list = "/v1/sessions/{session}/collections"
    private static let one = "/v1/sessions/{session}/collections/{collection}"

    var routes: [Route] {
        [
            Route(.get, Self.list, "listCollections", access: .session, handler: .now { call in try Self.list(call) }),
            Route(.post, Self.list, "createCollection", access: .session, body: .json, idempotency: .carried, handler: .later { call in
                let body: NewCollection = try call.body()
                let client = try call.client()
                return call.outcome(try await call.core.sessions.collections.create(
                    body.definition, session: client.id, account: client.account, receipt: call.receipt))
            }),
            Route(.get, Self.one, "getCollection", access: .session, handler: .now { call in
                call.json(try call.collection().snapshot(), headers: [Call.revalidate])
            }),
            Route(.delete, Self.one, "deleteCollection", access: .session, handler: .later { call in
                try await call.core.sessions.collections.remove(call.parameters["collection"], of: try call.client().id)
                return call.noContent()
            }),
            Route(.post, "\(Self.one)/fetch", "fetchCollection", access: .session, body: .json, idempotency: .recorded, handler: .later { call in
                let body: FetchBody = try call.body()
                let hasMore = try await call.core.sessions.collections.fetch(
                    call.parameters["collection"], of: try call.client().id, body.direction ?? .previous)
                return call.json { json in
                    json.beginObject()
                    json.member("hasMore", hasMore)
                    json.endObject()
                }
            }),
            Route(.post, "\(Self.one)/viewpoint", "setCollectionViewpoint", access: .session, body: .optionalJSON, idempotency: .recorded, handler: .later { call in
                let body: ViewpointBody = try call.body()
                try await call.core.sessions.collections.resetViewpoint(
                    call.parameters["collection"], of: try call.client().id, to: body.viewpoint)
                return call.noContent()
            }),
            Route(.get, "\(Self.one)/events", "streamCollectionEvents", access: .session, query: .only(["version"]), handler: .now { call in
                try call.events(of: try call.collection())
            }),
        ]
    }

    private static func list(_ call: Call) throws -> HTTPResponse {
        let client = try call.client()
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.name("items")
        json.beginArray()
        for collection in call.core.sessions.collections.all(of: client.id) {
            json.beginObject()
            json.member("id", collection.id)
            json.member("version", collection.version)
            json.member("incarnation", collection.incarnation)
            json.member("createdAt", collection.createdAt)
            json.member("definition", collection.definition)
            json.endObject()
        }
        json.endArray()
        json.member("cursor", call.headCursor.description)
        json.endObject()
        return call.json(json.bytes, headers: [("Parley-Cursor", call.headCursor.description), Call.revalidate])
    }
}

extension Call {
    /// The collection in the path. Throws `unknownSession`, `unknownCollection`.
    fileprivate func collection() throws(ChatError) -> LiveCollection {
        try core.sessions.collections.collection(parameters["collection"], of: try client().id)
    }

    /// Opens a collection's own stream; to HEAD only its head.
    fileprivate func events(of collection: LiveCollection) throws -> HTTPResponse {
        let headers = [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store"), ("X-Accel-Buffering", "no")]
        if request.method == "HEAD" { return HTTPResponse(status: 200, headers: headers) }
        let source = CollectionStreamSource(hub: core.hub, collection: collection, start: CollectionStart(self, collection))
        return HTTPResponse(status: 200, headers: headers, body: .events(source))
    }
}
