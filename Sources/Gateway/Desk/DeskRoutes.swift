import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The agents' side of the embedded service, for people and keys of the desk and for whoever runs the gateway. The
/// embedded service's module provides the service.
package struct DeskRoutes: RouteGroup {
    static let one = "/v1/desk/threads/{thread}"
    /// The query parameters that say which thread is meant, should two customers use one id.
    static let which = ["channel", "customer"]
    /// The same, and which agent acts, where the body does not say it.
    static let acting = which + ["as"]
    let desk: any DeskService

    package init(desk: any DeskService) { self.desk = desk }

    package var routes: [Route] {
        threads + live + members + messages + replies + notes + answers + channels + logos + identitySecrets
            + CollectionRoutes(place: .desk).routes + AttachmentRoutes.routes(of: desk) + SearchRoutes.routes(of: desk)
            + PresenceRoutes(desk: desk).routes + ReportRoutes(desk: desk).routes + ArchiveRoutes(desk: desk).routes
            + team + tags + customers
    }

    /// Stream, list and state of threads. What only reads memory runs on the loop's thread.
    private var threads: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/events", "streamDeskEvents", access: .scope(.deskRead),
                query: .only(Call.feedQuery, repeatable: Call.feedLists, isResumable: true),
                handler: .stream { call in
                    try call.feed(.desk, within: call.rights.channels)
                }),
            Route(
                .get, "/v1/desk/threads", "listDeskThreads", access: .scope(.deskRead),
                query: .only(
                    [
                        "state", "agent", "unassigned", "waiting", "customer", "nameContains", "customTypePrefix",
                        "tag",
                        "snoozed", "order", "limit", "cursor",
                    ] + QueryReader.timeNames, repeatable: ["member", "channel"]),
                handler: .task { call in
                    let (threads, page) = (try call.deskThreadQuery, try call.query.page())
                    if threads.desk.order == .waiting, page.times != .all {
                        throw Problem.parameter("order", "a list in the order of waiting has no since and until")
                    }
                    return call.page(try await desk.threads(threads, page: page), hasNames: true)
                }),
            Route(
                .get, "/v1/desk/agents", "listDeskAgents", access: .scope(.deskRead),
                handler: .aside { call in
                    let cursor = call.headCursor.description
                    var json = JSONWriter(reservingCapacity: 1024)
                    json.beginObject()
                    json.name("items")
                    json.beginArray()
                    for known in try await call.core.agents(at: desk) {
                        known.agent.encode(to: &json, isPerson: known.isPerson)
                    }
                    json.endArray()
                    json.member("cursor", cursor)
                    json.endObject()
                    return call.json(json.bytes, headers: [("Parley-Cursor", cursor), Call.revalidate])
                }),
            Route(
                .get, Self.one, "getDeskThread", access: .scope(.deskRead), query: .only(Self.which),
                handler: .task { call in
                    call.resource(try await desk.thread(call.deskThread), hasNames: true)
                }),
            Route(
                .get, "\(Self.one)/transcript", "getDeskTranscript", access: .scope(.deskRead),
                query: .only(Self.which + Call.transcriptQuery),
                handler: .aside { call in
                    let thread = try call.deskThread
                    return try await call.transcript(for: call.identity.holder) {
                        (try await desk.thread(thread), try await desk.removedMessages(of: thread))
                    } _: {
                        try await desk.messages(of: thread, replies: .all, page: $0)
                    }
                }),
            Route(
                .post, "\(Self.one)/typing", "setDeskTyping", access: .scope(.deskWrite), query: .only(Self.acting),
                body: .json,
                handler: .aside { call in
                    let body: DeskTyping = try call.body()
                    try await desk.reportTyping(
                        body.isTyping, as: try call.agent(body.agent), in: try call.deskThread)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/read", "readDeskThread", access: .scope(.deskWrite), query: .only(Self.acting),
                idempotency: .carried,
                handler: .aside { call in
                    call.outcome(
                        try await desk.markRead(try call.deskThread, as: try call.actingAgent, receipt: call.receipt))
                }),
        ]
    }

    /// The messages of a thread.
    private var messages: [Route] {
        let desk = desk
        return [
            Route(
                .get, "\(Self.one)/messages", "listDeskMessages", access: .scope(.deskRead),
                query: .only(
                    Self.which + ["q", "limit", "cursor", "replies"] + QueryReader.timeNames,
                    repeatable: SearchRoutes.lists),
                handler: .task { call in
                    let thread = try call.deskThread
                    if call.isSearch { return try await call.aside { try await call.found(in: thread, desk) } }
                    let replies = try call.query.choice("replies", default: ReplyFilter.alsoInThread)
                    return call.page(try await desk.messages(of: thread, replies: replies, page: call.query.page()))
                }),
            Route(
                .post, "\(Self.one)/messages", "sendDeskMessage", access: .scope(.deskWrite), query: .only(Self.acting),
                body: .json, idempotency: .carried,
                handler: .task { call in
                    let body: DeskMessage = try call.body()
                    return call.outcome(
                        try await desk.send(
                            body.draft, as: try call.agent(body.agent), to: try call.deskThread,
                            under: call.assigning(body.terms), receipt: call.receipt))
                }),
            Route(
                .get, "\(Self.one)/messages/{message}", "getDeskMessage", access: .scope(.deskRead),
                query: .only(Self.which),
                handler: .task { call in
                    call.resource(try await desk.message(call.parameters["message"], in: call.deskThread))
                }),
            Route(
                .patch, "\(Self.one)/messages/{message}", "updateDeskMessage", access: .scope(.deskWrite),
                query: .only(Self.acting), body: .json, isVersioned: true,
                handler: .aside { call in
                    let patch: MessagePatch = try call.body()
                    let (thread, message) = (try call.deskThread, call.parameters["message"])
                    try await call.requireOwn { try await desk.message(message, in: thread).body }
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await desk.message(message, in: thread).version
                    }
                    return call.outcome(
                        try await desk.edit(
                            message, in: thread, text: patch.text, ifMatch: version, as: try call.actingAgent))
                }),
            Route(
                .delete, "\(Self.one)/messages/{message}", "deleteDeskMessage", access: .scope(.deskWrite),
                query: .only(Self.acting), isVersioned: true,
                handler: .aside { call in
                    let (thread, message) = (try call.deskThread, call.parameters["message"])
                    try await call.requireOwn { try await desk.message(message, in: thread).body }
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await desk.message(message, in: thread).version
                    }
                    try await desk.remove(message, in: thread, ifMatch: version, as: try call.actingAgent)
                    return call.noContent()
                }),
        ]
    }

    /// The replies to a message.
    private var replies: [Route] {
        let desk = desk
        let list = "\(Self.one)/messages/{message}/replies"
        return [
            Route(
                .get, list, "listDeskReplies", access: .scope(.deskRead),
                query: .only(Self.which + ReplyRoutes.query, repeatable: ReplyRoutes.lists),
                handler: .aside { call in
                    let request = try call.query.replies()
                    return call.page(
                        try await desk.replies(to: call.parameters["message"], in: try call.deskThread, request))
                }),
            Route(
                .post, list, "sendDeskReply", access: .scope(.deskWrite), query: .only(Self.acting), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let body = try call.replyBody(DeskMessage.init)
                    let (thread, agent) = (try call.deskThread, try call.agent(body.agent))
                    return call.outcome(
                        try await call.reply {
                            try await desk.send(
                                body.draft, as: agent, to: thread, under: body.terms, receipt: call.receipt)
                        })
                }
            ).located(at: ReplyRoutes.location),
        ]
    }
}

extension Call {
    /// Which threads the query asks for. Throws `invalidParameter`.
    fileprivate var deskThreadQuery: ThreadQuery {
        get throws(Problem) {
            var threads = ThreadQuery(
                state: try query.choice("state", default: ThreadFilter.all),
                nameContains: try query.text("nameContains", length: 1...256),
                customTypePrefix: try query.key("customTypePrefix", length: 1...128), members: try query.members(),
                desk: DeskConditions(
                    agent: try query.identifier("agent"), isUnassigned: try query.flag("unassigned"),
                    isWaiting: try query.flag("waiting"), customer: try query.identifier("customer"),
                    tag: try query.identifier("tag"), snoozed: try query.choice("snoozed", default: .include),
                    order: try query.choice("order", default: .activity)))
            threads.channels = try deskChannels
            // One channel is a range of an index.
            if let only = threads.channels?.first, threads.channels?.count == 1 { threads.channel = only }
            switch threads.desk.agent {
            case "me": threads.desk.agent = try ownAgent("agent").id
            case "none": (threads.desk.agent, threads.desk.isUnassigned) = (nil, true)
            default: break
            }
            return threads
        }
    }

    /// The channels that the query names, as far as the caller sees them; nil for all. Throws `invalidParameter`,
    /// `outsideChannels`.
    var deskChannels: Set<String>? {
        get throws(Problem) {
            guard let named = try query.channels("channel") else { return rights.channels }
            for channel in named { try rights.require(channel: channel) }
            return named
        }
    }

    /// The agent as whom the caller is known. Throws `invalidParameter` when they are nobody in particular.
    fileprivate func ownAgent(_ parameter: String) throws(Problem) -> Agent {
        guard let agent = try acting(nil) else {
            throw Problem.parameter(parameter, "only a person, and a key with an agent, has conversations of their own")
        }
        return agent
    }

    /// The terms for a message of this caller: what a person answers becomes theirs.
    fileprivate func assigning(_ terms: AnswerTerms) -> AnswerTerms {
        guard case .person = identity else { return terms }
        var terms = terms
        terms.assigns = true
        return terms
    }

    /// The agent who acts: the key's own, or the one that `?as=` names; nil without either. Throws `invalidParameter`, and
    /// `notYou` for another agent than the key's.
    var actingAgent: Agent? {
        get throws(Problem) { try acting(try query.identifier("as").map { Agent(id: $0) }) }
    }

    /// The agent who acts, where the body may name one. Throws `invalidParameter`, `notYou`.
    func agent(_ named: Agent?) throws(Problem) -> Agent {
        if let named {
            _ = try query.identifier("as")  // it is checked also where the body decides
            return try acting(named) ?? named
        }
        return try actingAgent ?? AgentBody.fallback
    }

    /// The agent as whom the caller acts. A person, and a key that has an agent, always acts as that one. Whoever runs the
    /// gateway may name anybody, and a person is called by their own name; a key may not name one. Throws `notYou`.
    package func acting(_ named: Agent?) throws(Problem) -> Agent? {
        let own: Agent?
        switch identity {
        case .key(let id):
            // A key that has ended since the gate acts as nobody.
            guard let key = core.keys.key(id) else { throw Credentials.ended }
            own = key.agent
            // The person may have been added after the key.
            if let agent = own ?? named, core.people.person(agent.id) != nil {
                throw Problem(.notYou, "\(agent.id) is a person, and a key does not act as one.")
            }
        case .person(let id, _):
            guard let person = core.people.person(id), person.state == .active else { throw Credentials.ended }
            own = person.agent
        case .gateway, .operator, .session, .nobody:
            return named.map { named in core.people.person(named.id)?.agent ?? named }
        }
        guard let own else { return named }
        if let named, !named.id.hasSameBytes(as: own.id) {
            throw Problem(.notYou, "The caller acts as the agent \(own.id), and the request names another one.")
        }
        return own
    }

    /// The agent to whom a thread is given, by their own name. Who acts as one agent gives it only to those who are known.
    /// Throws `invalidValue`.
    fileprivate func receiver(_ named: Agent, _ desk: any DeskService) async throws -> Agent {
        if let person = core.people.person(named.id) { return person.agent }
        guard let own = try acting(nil) else { return named }
        if own.id.hasSameBytes(as: named.id) { return own }
        guard let known = try await desk.agents().first(where: { $0.id.hasSameBytes(as: named.id) }) else {
            throw Problem(items: [
                Problem.Item(.invalidValue, pointer: "/agent/id", "nobody of this id has worked at the desk")
            ])
        }
        return known
    }

    /// An agent, and a key that has one, changes only what that agent has written; whoever manages the desk, what anybody
    /// has. Throws `notYou`.
    ///
    /// - Parameter read: the message or note, as JSON with an `author`.
    func requireOwn(_ read: () async throws -> [UInt8]) async throws {
        guard !rights.scopes.contains(.deskManage), let own = try acting(nil) else { return }
        let author = try JSONText(try await read()).root["author"]?["id"]?.string
        guard author?.hasSameBytes(as: own.id) == true else { throw Problem(.notYou, "Somebody else has written it.") }
    }

    /// The thread in the path. `?channel=` and `?customer=` say which one, should two customers use one id. Throws
    /// `invalidParameter`.
    var deskThread: DeskThread {
        get throws(Problem) {
            DeskThread(
                id: parameters["thread"], channel: try query.channel("channel"),
                customer: try query.identifier("customer"), within: rights.channels)
        }
    }
}

/// The handling of a thread: to assign, close and release it, and to end its contact.
extension DeskRoutes {
    var live: [Route] {
        let desk = desk
        return [
            Route(
                .post, "\(Self.one)/assign", "assignDeskThread", access: .scope(.deskWrite), query: .only(Self.acting),
                body: .json, idempotency: .carried, isVersioned: true,
                handler: .aside { call in
                    let body: Assignment = try call.body()
                    let receiver = try await call.receiver(body.agent, desk)
                    return call.outcome(
                        try await desk.assign(
                            receiver, to: try call.deskThread, as: try call.actingAgent, if: body.condition,
                            ifMatch: try await version(call), receipt: call.receipt))
                }),
            action("close", "closeDeskThread") {
                try await desk.close($0, as: $1, if: nil, ifMatch: $2, receipt: $3)
            },
            action("release", "releaseDeskThread") {
                try await desk.release($0, as: $1, if: nil, ifMatch: $2, receipt: $3)
            },
            action("endContact", "endDeskContact") { try await desk.endContact($0, as: $1, ifMatch: $2, receipt: $3) },
        ]
    }

    /// A POST route without a body, whose operation stores its receipt in its own transaction.
    private func action(
        _ name: String, _ operationID: String,
        _ operate: @escaping @Sendable (DeskThread, Agent?, Int64?, Receipt?) async throws -> Outcome
    ) -> Route {
        Route(
            .post, "\(Self.one)/\(name)", operationID, access: .scope(.deskWrite), query: .only(Self.acting),
            idempotency: .carried, isVersioned: true,
            handler: .aside { call in
                call.outcome(
                    try await operate(
                        try call.deskThread, try call.actingAgent, try await version(call), call.receipt))
            })
    }

    /// The version of the thread that `If-Match` names; nil without the header. Throws `preconditionFailed`.
    func version(_ call: Call) async throws -> Int64? {
        let thread = try call.deskThread
        return try await call.expectedVersion { () async throws(ChatError) in try await desk.thread(thread).version }
    }
}

extension Agent {
    /// - Parameter isPerson: whether it is somebody who signs in here.
    fileprivate func encode(to json: inout JSONWriter, isPerson: Bool) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        if isBot { json.member("isBot", true) }
        if isPerson { json.member("person", true) }
        json.endObject()
    }
}
