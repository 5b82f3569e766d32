import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The agents' side of the embedded service. All routes need the gateway's token; there are no accounts for agents. The
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
        threads + live + members + messages + replies + notes + answers + channels
            + CollectionRoutes(place: .desk).routes + AttachmentRoutes.routes(of: desk) + SearchRoutes.routes(of: desk)
    }

    /// Stream, list and state of threads. What only reads memory runs on the loop's thread.
    private var threads: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/events", "streamDeskEvents", access: .gateway,
                query: .only(Call.feedQuery, repeatable: Call.feedLists, isResumable: true),
                handler: .stream { call in
                    try call.feed(StreamScope(kind: .desk, sessions: [], hasDesk: true))
                }),
            Route(
                .get, "/v1/desk/threads", "listDeskThreads", access: .gateway,
                query: .only(
                    [
                        "state", "channel", "agent", "unassigned", "waiting", "customer", "nameContains",
                        "customTypePrefix", "limit", "cursor",
                    ] + QueryReader.timeNames, repeatable: ["member"]),
                handler: .task { call in
                    call.page(try await desk.threads(call.deskThreadQuery, page: call.query.page()), hasNames: true)
                }),
            Route(
                .get, "/v1/desk/agents", "listDeskAgents", access: .gateway,
                handler: .aside { call in
                    let cursor = call.headCursor.description
                    var json = JSONWriter(reservingCapacity: 1024)
                    json.beginObject()
                    json.member("items", try await desk.agents())
                    json.member("cursor", cursor)
                    json.endObject()
                    return call.json(json.bytes, headers: [("Parley-Cursor", cursor), Call.revalidate])
                }),
            Route(
                .get, Self.one, "getDeskThread", access: .gateway, query: .only(Self.which),
                handler: .task { call in
                    call.resource(try await desk.thread(call.deskThread), hasNames: true)
                }),
            Route(
                .get, "\(Self.one)/transcript", "getDeskTranscript", access: .gateway,
                query: .only(Self.which + Call.transcriptQuery),
                handler: .aside { call in
                    let thread = try call.deskThread
                    return try await call.transcript(for: .root) {
                        (try await desk.thread(thread), try await desk.removedMessages(of: thread))
                    } _: {
                        try await desk.messages(of: thread, replies: .all, page: $0)
                    }
                }),
            Route(
                .post, "\(Self.one)/typing", "setDeskTyping", access: .gateway, query: .only(Self.acting), body: .json,
                handler: .aside { call in
                    let body: DeskTyping = try call.body()
                    try await desk.reportTyping(
                        body.isTyping, as: try call.agent(body.agent), in: try call.deskThread)
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/read", "readDeskThread", access: .gateway, query: .only(Self.acting),
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
                .get, "\(Self.one)/messages", "listDeskMessages", access: .gateway,
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
                .post, "\(Self.one)/messages", "sendDeskMessage", access: .gateway, query: .only(Self.acting),
                body: .json, idempotency: .carried,
                handler: .task { call in
                    let body: DeskMessage = try call.body()
                    return call.outcome(
                        try await desk.send(
                            body.draft, as: try call.agent(body.agent), to: try call.deskThread, if: body.condition,
                            receipt: call.receipt))
                }),
            Route(
                .get, "\(Self.one)/messages/{message}", "getDeskMessage", access: .gateway, query: .only(Self.which),
                handler: .task { call in
                    call.resource(try await desk.message(call.parameters["message"], in: call.deskThread))
                }),
            Route(
                .patch, "\(Self.one)/messages/{message}", "updateDeskMessage", access: .gateway,
                query: .only(Self.acting), body: .json, isVersioned: true,
                handler: .aside { call in
                    let patch: MessagePatch = try call.body()
                    let (thread, message) = (try call.deskThread, call.parameters["message"])
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await desk.message(message, in: thread).version
                    }
                    return call.outcome(
                        try await desk.edit(
                            message, in: thread, text: patch.text, ifMatch: version, as: try call.actingAgent))
                }),
            Route(
                .delete, "\(Self.one)/messages/{message}", "deleteDeskMessage", access: .gateway,
                query: .only(Self.acting), isVersioned: true,
                handler: .aside { call in
                    let (thread, message) = (try call.deskThread, call.parameters["message"])
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
                .get, list, "listDeskReplies", access: .gateway,
                query: .only(Self.which + ReplyRoutes.query, repeatable: ReplyRoutes.lists),
                handler: .aside { call in
                    let request = try call.query.replies()
                    return call.page(
                        try await desk.replies(to: call.parameters["message"], in: try call.deskThread, request))
                }),
            Route(
                .post, list, "sendDeskReply", access: .gateway, query: .only(Self.acting), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let body = try call.replyBody(DeskMessage.init)
                    let (thread, agent) = (try call.deskThread, try call.agent(body.agent))
                    return call.outcome(
                        try await call.reply {
                            try await desk.send(
                                body.draft, as: agent, to: thread, if: body.condition, receipt: call.receipt)
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
            ThreadQuery(
                state: try query.choice("state", default: ThreadFilter.all),
                nameContains: try query.text("nameContains", length: 1...256),
                customTypePrefix: try query.key("customTypePrefix", length: 1...128), members: try query.members(),
                channel: try query.channel("channel"),
                desk: DeskConditions(
                    agent: try query.identifier("agent"), isUnassigned: try query.flag("unassigned"),
                    isWaiting: try query.flag("waiting"), customer: try query.identifier("customer")))
        }
    }

    /// The agent that `?as=` names, who acts; nil without it. Throws `invalidParameter`.
    var actingAgent: Agent? {
        get throws(Problem) { try query.identifier("as").map { Agent(id: $0) } }
    }

    /// The agent who acts, where the body may name one. Throws `invalidParameter`.
    func agent(_ named: Agent?) throws(Problem) -> Agent {
        if let named { return named }
        return try actingAgent ?? AgentBody.fallback
    }

    /// The thread in the path. `?channel=` and `?customer=` say which one, should two customers use one id. Throws
    /// `invalidParameter`.
    var deskThread: DeskThread {
        get throws(Problem) {
            DeskThread(
                id: parameters["thread"], channel: try query.channel("channel"),
                customer: try query.identifier("customer"))
        }
    }
}
