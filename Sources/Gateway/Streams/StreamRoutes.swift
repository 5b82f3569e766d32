import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The feeds of one session and of several, and the list of all open streams. The desk's own feed is in
/// ``DeskRoutes``.
struct StreamRoutes: RouteGroup {
    var routes: [Route] {
        [
            Route(
                .get, "/v1/sessions/{session}/events", "streamSessionEvents", access: .session(.sessionsRead),
                query: .only(Call.feedQuery, repeatable: Call.feedLists, isResumable: true),
                handler: .stream { call in
                    let session = try call.client()
                    return try call.feed(.session(of: session))
                }),
            Route(
                .get, "/v1/events", "streamEvents", access: .known,
                query: .only(
                    ["all", "desk"] + Call.feedQuery, repeatable: ["session"] + Call.feedLists,
                    isResumable: true),
                handler: .stream { call in
                    let (ids, scope) = try Self.combined(call)
                    let rights = call.rights
                    let open = { @Sendable (clients: [ChatClient]) in
                        for client in clients where !rights.reaches(client.channel.id) {
                            throw ChatError.unknownSession(client.id)
                        }
                        return try call.feed(scope(clients), within: rights.channels)
                    }
                    let clients = ids.compactMap(call.keptSession)
                    if clients.count == ids.count { return try open(clients) }
                    return .later {
                        var clients: [ChatClient] = []
                        for id in ids { clients.append(try await call.session(id)) }
                        switch try open(clients) {
                        case .now(let response): return response
                        case .later(let work): return try await work()
                        }
                    }
                }),
            Route(
                .get, "/v1/streams", "listStreams", access: .scope(.inspectRead),
                handler: .now { call in
                    let cursor = call.headCursor.description
                    return call.json(headers: [("Parley-Cursor", cursor)]) { json in
                        json.beginObject()
                        json.name("items")
                        call.core.hub.list(into: &json)
                        json.member("cursor", cursor)
                        json.endObject()
                    }
                }),
        ]
    }

    /// The sessions of `/v1/events`, and what makes its scope of them. A session's token may name its own session only,
    /// neither the desk nor all.
    private static func combined(
        _ call: Call
    ) throws -> (sessions: [String], scope: @Sendable ([ChatClient]) -> StreamScope) {
        let hasDesk = try call.query.flag("desk")
        if try call.query.flag("all") {
            if case .session = call.identity {
                throw Problem(.forbidden, "A session's token opens its own session only.")
            }
            try call.rights.require(.inspectRead)
            try call.rights.require(channel: nil)
            if hasDesk || !call.query.all("session").isEmpty {
                throw Problem.parameter("all", "all=true has the sessions and the desk already")
            }
            return ([], { _ in .log })
        }
        let limit = call.core.configuration.maximumStreamSessions
        var ids: [String] = []
        for id in call.query.all("session") where !ids.contains(id) { ids.append(id) }
        if ids.count > limit { throw Problem.parameter("session", "a stream follows at most \(limit) sessions") }
        if ids.isEmpty, !hasDesk { throw Problem.parameter("session", "a session, desk=true or all=true is needed") }
        if case .session(let own) = call.identity, hasDesk || ids != [own] {
            throw Problem(.forbidden, "A session's token opens its own session only.")
        }
        if call.identity.hasScopes {
            if !ids.isEmpty { try call.rights.require(.sessionsRead) }
            if hasDesk { try call.rights.require(.deskRead) }
        }
        return (
            ids,
            { clients in
                let sessions = clients.map { StreamScope.Session($0) }
                return StreamScope(kind: .combined, sessions: sessions, hasDesk: hasDesk)
            }
        )
    }
}

extension Call {
    /// The query parameters of a feed that a request has at most once.
    static let feedQuery = FeedStart.query + ["limit", "wait", "until"] + CollectionChoice.query
    /// Those that it may have several times.
    static let feedLists = ["types"] + CollectionChoice.repeatable

    /// Answers with the events of the log in the form that the client takes: of several that it likes as much, a stream
    /// of server-sent events, or a page if the query has `limit`, `wait` or `until`, which only pages know. HEAD gets the head
    /// only.
    ///
    /// Throws `notAcceptable` and `invalidParameter`. A position that cannot be used is no error: the feed begins with
    /// `reset` then.
    ///
    /// - Parameter channels: only what belongs to these channels; nil for all.
    func feed(_ scope: StreamScope, within channels: Set<String>? = nil) throws -> StreamAnswer {
        let asksForPage = ["limit", "wait", "until"].contains { query[$0] != nil }
        let form = try form(among: asksForPage ? FeedForm.pageFirst : FeedForm.all)
        let filter = try EventFilter(query.all("types"), within: channels)
        let start = try FeedStart(self)
        if form.isPage { return try page(scope, filter, start) }
        for name in ["limit", "wait", "until"] where query[name] != nil {
            throw Problem.parameter(name, "a stream has no end; ask for a page with Accept: application/json")
        }
        let holders = try query.holders()
        let choice = try CollectionChoice(query["collections"], holders: holders)
        if request.method == "HEAD" { return .now(streamHead(form)) }
        let open = { @Sendable [collections = core.sessions.collections] (start: StreamStart) in
            var answer = streamHead(form)
            answer.body = .events(
                EventStreamSource(
                    hub: core.hub, scope: scope, filter: filter, start: start, since: core.environment.now(),
                    framing: form.framing, holders: Set(holders), choice: choice,
                    collections: { collections.all(of: $0) }))
            return answer
        }
        if let start = start.known(in: core.hub.log) { return .now(open(start)) }
        return .later {
            open(try await start.position(in: core.hub.log, for: scope.audiences, filter: filter))
        }
    }
}

extension StreamHub {
    /// Writes the open streams as the array of `/v1/streams`, oldest first. On the loop's thread.
    func list(into json: inout JSONWriter) {
        let head = log.head
        json.beginArray()
        for source in streams.values.sorted(by: { $0.since < $1.since }) {
            json.beginObject()
            json.member("kind", source.scope.kind.rawValue)
            if !source.scope.sessions.isEmpty {
                json.name("sessions")
                json.beginArray()
                for session in source.scope.sessions { json.value(session.id) }
                json.endArray()
            }
            json.member("cursor", "\(log.epoch)-\(source.position)")
            json.member("lag", max(0, head - source.position))
            json.member("bytes", source.stream?.bytesWritten ?? 0)
            json.member("since", source.since)
            json.member("peer", source.stream?.peer.description)
            json.endObject()
        }
        json.endArray()
    }
}
