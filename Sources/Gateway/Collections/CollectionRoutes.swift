import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

extension LiveCollection {
    /// Whether whoever is limited to these channels has it: a session's anyway, which the gate has let in.
    func isWithin(_ channels: Set<String>?) -> Bool {
        guard let channels, owner == .desk else { return true }
        return definition.isWithin(channels)
    }
}

/// The collections of a session or of the desk: windows on lists of threads or messages that follow every change. Both
/// places have the same routes under other paths.
struct CollectionRoutes: RouteGroup {
    /// Whose collections they are.
    enum Place: Sendable {
        case session, desk
    }

    let place: Place

    var routes: [Route] {
        [
            route(.get, "", "list", "Collections", handler: .now { call in try Self.list(call) }),
            route(
                .post, "", "create", "Collection", body: .json, idempotency: .carried,
                handler: .aside { [place] call in
                    let (definition, thread, hasFirstPage) = try call.newCollection(place)
                    return call.outcome(
                        try await call.collections.create(
                            definition, owner: try call.collectionOwner(), thread: thread, hasFirstPage: hasFirstPage,
                            limit: call.visitorLimits?[.collections], receipt: call.receipt))
                }),
            // Up to 1,000 rows: not on the server's loop.
            route(
                .get, "/{collection}", "get", "Collection",
                handler: .aside { call in
                    call.json(try call.collection().snapshot(), headers: [Call.revalidate])
                }),
            route(
                .delete, "/{collection}", "delete", "Collection",
                handler: .aside { call in
                    try await call.collections.remove(try call.collection().id, of: try call.collectionOwner())
                    return call.noContent()
                }),
            route(
                .post, "/{collection}/fetch", "fetch", "Collection", body: .json, idempotency: .recorded,
                handler: .aside { call in
                    let body: FetchBody = try call.body()
                    let result = try await call.collections.fetch(
                        try call.collection().id, of: try call.collectionOwner(), body.direction ?? .previous)
                    return call.json { json in
                        json.beginObject()
                        json.member("hasMore", result.hasMore)
                        if result.standstill == .paused { json.member("isPaused", true) }
                        if result.standstill == .offline { json.member("isOffline", true) }
                        json.endObject()
                    }
                }),
            route(
                .post, "/{collection}/viewpoint", "set", "CollectionViewpoint", body: .optionalJSON,
                idempotency: .recorded,
                handler: .aside { call in
                    let body: ViewpointBody = try call.body()
                    try await call.collections.resetViewpoint(
                        try call.collection().id, of: try call.collectionOwner(), to: body.viewpoint)
                    return call.noContent()
                }),
            route(
                .get, "/{collection}/events", "stream", "CollectionEvents",
                query: .only(["version"], isResumable: true),
                handler: .stream { call in
                    try call.feed(of: try call.collection())
                }),
        ]
    }

    /// A route at `path` below the list. Its operation is `verb` + `noun`, at the desk `verb` + `Desk` + `noun`.
    private func route(
        _ method: Method, _ path: String, _ verb: String, _ noun: String, query: Route.Query = .only([]),
        body: Route.Body = .none,
        idempotency: Route.Idempotency = .none, handler: Route.Handler
    ) -> Route {
        let base = place == .desk ? "/v1/desk/collections" : "/v1/sessions/{session}/collections"
        return Route(
            method, base + path, place == .desk ? "\(verb)Desk\(noun)" : verb + noun,
            access: place == .desk ? .scope(.deskRead) : .session(method == .get ? .sessionsRead : .sessionsWrite),
            query: query, body: body, idempotency: idempotency, handler: handler)
    }

    /// All collections of the owner with their definitions, without pages: their number is limited.
    private static func list(_ call: Call) throws -> HTTPResponse {
        // Read before the list: a change that the list does not show comes after the cursor.
        let cursor = call.headCursor.description
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.name("items")
        json.beginArray()
        for collection in call.collections.all(of: try call.collectionOwner())
        where collection.isWithin(call.rights.channels) {
            json.beginObject()
            json.member("id", collection.id)
            json.member("version", collection.version)
            json.member("incarnation", collection.incarnation)
            json.member("createdAt", collection.createdAt)
            json.name("definition")
            json.beginObject()
            collection.definition.encodeRequest(to: &json, isDesk: collection.owner == .desk)
            json.endObject()
            json.endObject()
        }
        json.endArray()
        json.member("cursor", cursor)
        json.endObject()
        return call.json(json.bytes, headers: [("Parley-Cursor", cursor), Call.revalidate])
    }
}

extension Call {
    fileprivate var collections: Collections { core.sessions.collections }

    /// The owner that the path means: the desk, if the path has no session. Throws `unknownSession`.
    fileprivate func collectionOwner() throws(ChatError) -> CollectionOwner {
        parameters["session"].isEmpty ? .desk : try client().collectionOwner
    }

    /// The collection in the path. Throws `unknownSession`, `unknownCollection`.
    fileprivate func collection() throws(ChatError) -> LiveCollection {
        let collection = try collections.collection(parameters["collection"], of: try collectionOwner())
        guard collection.isWithin(rights.channels) else {
            throw ChatError(.unknownCollection, "The desk has no collection \(collection.id).")
        }
        return collection
    }

    /// What the body asks for; at the desk also the thread that is meant.
    fileprivate func newCollection(
        _ place: CollectionRoutes.Place
    ) throws -> (CollectionDefinition, DeskThread?, hasFirstPage: Bool) {
        switch place {
        case .session:
            let body: NewCollection = try body()
            return (body.definition, nil, body.hasFirstPage)
        case .desk:
            let body: NewDeskCollection = try body()
            guard let channels = rights.channels else { return (body.definition, body.thread, body.hasFirstPage) }
            var (definition, thread) = (body.definition, body.thread)
            thread?.channels = channels
            if case .threads(var query) = definition.kind {
                if let channel = query.channel { try rights.require(channel: channel) }
                query.channels = channels
                definition.kind = .threads(query)
            }
            return (definition, thread, body.hasFirstPage)
        }
    }

    /// Opens a collection's own stream; HEAD gets the head only. Throws `notAcceptable`.
    fileprivate func feed(of collection: LiveCollection) throws -> StreamAnswer {
        let form = try form(among: FeedForm.streams)
        var answer = streamHead(form)
        if request.method == "HEAD" { return .now(answer) }
        answer.body = .events(
            CollectionStreamSource(
                hub: core.hub, collection: collection, start: CollectionStart(self, collection), framing: form.framing))
        return .now(answer)
    }
}
