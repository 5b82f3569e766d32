import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The threads of a session: to list, create, change and end them.
struct ThreadRoutes: RouteGroup {
    private static let list = "/v1/sessions/{session}/threads"
    private static let one = "/v1/sessions/{session}/threads/{thread}"

    var routes: [Route] { reading + writing + actions }

    private var reading: [Route] {
        [
            Route(
                .get, Self.list, "listThreads", access: .session(.sessionsRead),
                query: .only(
                    ["state", "nameContains", "customTypePrefix"] + QueryReader.timeNames + ["limit", "cursor"],
                    repeatable: ["member"]),
                handler: .task { call in
                    call.page(try await call.client().threads(call.query.threads(), page: call.query.page()))
                }),
            Route(
                .get, "/v1/sessions/{session}/unread", "getUnread", access: .session(.sessionsRead),
                handler: .task { call in
                    call.json(try await call.client().unreadTotal().canonicalJSON)
                }),
            Route(
                .get, Self.one, "getThread", access: .session(.sessionsRead),
                handler: .task { call in
                    call.resource(try await call.client().thread(call.parameters["thread"]))
                }),
            Route(
                .get, "\(Self.one)/transcript", "getTranscript", access: .session(.sessionsRead),
                query: .only(Call.transcriptQuery),
                handler: .aside { call in
                    try await call.transcript(of: call.parameters["thread"], call.client())
                }),
            Route(
                .get, "\(Self.one)/customFields", "getThreadCustomFields", access: .session(.sessionsRead),
                handler: .task { call in
                    call.fields(try await call.client().customFields(of: call.parameters["thread"]))
                }),
        ]
    }

    /// `If-Match` guards a change of the name against lost updates, an idempotency key guards a creation against
    /// doubles.
    private var writing: [Route] {
        [
            Route(
                .post, Self.list, "createThread", access: .session(.sessionsWrite), body: .optionalJSON,
                idempotency: .carried,
                handler: .aside { call in
                    let thread: NewThread = try call.body()
                    var draft = thread.draft
                    draft.languages = call.acceptedLanguages
                    draft.openLimit = call.visitorLimits?[.openThreads]
                    return call.outcome(try await call.client().createThread(draft, receipt: call.receipt))
                }
            ).counted(as: .threads),
            Route(
                .patch, Self.one, "updateThread", access: .session(.sessionsWrite), body: .json, isVersioned: true,
                handler: .aside { call in
                    let patch: ThreadPatch = try call.body()
                    let thread = call.parameters["thread"]
                    let client = try call.client()
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await client.thread(thread).version
                    }
                    return try await call.outcome(
                        client.perform { (connection) throws(ChatError) in
                            try await connection.rename(thread, to: patch.name, ifMatch: version)
                        })
                }),
            Route(
                .put, "\(Self.one)/customFields", "setThreadCustomFields", access: .session(.sessionsWrite),
                body: .json,
                isVersioned: true,
                handler: .aside { call in
                    let (body, thread): (CustomFieldsBody, String) = (try call.body(), call.parameters["thread"])
                    let client = try call.client()
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        ContentVersion.of(try await client.customFields(of: thread))
                    }
                    return try await call.changed(
                        client.perform { (connection) throws(ChatError) in
                            try await connection.setCustomFields(body.fields, of: thread, ifMatch: version)
                        })
                }),
        ]
    }

    /// What is done to a thread. A repetition under the same idempotency key changes nothing.
    private var actions: [Route] {
        [
            request("load", "loadThread") { $0.load },
            ending("archive", "archiveThread") { client, thread, version, receipt in
                try await client.perform(in: thread) { (connection) throws(ChatError) in
                    try await connection.archive(thread, ifMatch: version, receipt: receipt)
                }
            },
            ending("end", "endThread") { try await $0.endContact($1, ifMatch: $2, receipt: $3) },
            request("read", "readThread") { $0.markRead },
            request("join", "joinThread", needing: .members) { $0.join },
            request("leave", "leaveThread", needing: .members) { $0.leave },
            hiding("hide", "hideThread", true),
            hiding("unhide", "unhideThread", false),
            request("resetHistory", "resetThreadHistory", needing: .historyReset) { $0.resetHistory },
            Route(
                .post, "\(Self.one)/inactivity", "answerInactivity", access: .session(.sessionsWrite), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let (body, thread): (InactivityAnswerBody, String) = (try call.body(), call.parameters["thread"])
                    let receipt = call.receipt
                    return try await call.outcome(
                        call.client().perform(needing: .liveChat, in: thread) { (connection) throws(ChatError) in
                            try await connection.answerInactivity(body.answer, in: thread, receipt: receipt)
                        })
                }),
            Route(
                .put, "\(Self.one)/rating", "rateThread", access: .session(.sessionsWrite), body: .json,
                handler: .aside { call in
                    let (body, thread): (RatingBody, String) = (try call.body(), call.parameters["thread"])
                    return try await call.outcome(
                        call.client().perform(in: thread) { (connection) throws(ChatError) in
                            try await connection.rate(thread, body.score, comment: body.comment)
                        })
                }),
            Route(
                .delete, "\(Self.one)/rating", "deleteThreadRating", access: .session(.sessionsWrite),
                handler: .aside { call in
                    let thread = call.parameters["thread"]
                    return try await call.outcome(
                        call.client().perform(in: thread) { (connection) throws(ChatError) in
                            try await connection.rate(thread, nil, comment: nil)
                        })
                }),
            Route(
                .post, "\(Self.one)/transcript", "sendTranscript", access: .session(.sessionsWrite), body: .json,
                idempotency: .recorded,
                handler: .aside { call in
                    let (body, thread): (TranscriptBody, String) = (try call.body(), call.parameters["thread"])
                    try await call.checkRecipient(body.email)
                    try await call.client().perform(needing: .transcript, in: thread) {
                        (connection) throws(ChatError) in
                        try await connection.sendTranscript(of: thread, to: body.email)
                    }
                    return call.noContent()
                }),
            Route(
                .post, "\(Self.one)/typing", "setTyping", access: .session(.sessionsWrite), body: .json,
                handler: .aside { call in
                    let (body, thread): (TypingBody, String) = (try call.body(), call.parameters["thread"])
                    let preview: Capability? = body.text == nil ? nil : .typingPreview
                    try await call.client().perform(needing: preview, in: thread) { (connection) throws(ChatError) in
                        try await connection.reportTyping(body.isTyping, text: body.text, in: thread)
                    }
                    return call.noContent()
                }),
        ]
    }

    /// A POST route without a body, which makes one request of the service.
    ///
    /// - Parameter request: gives the function of the service's connection.
    private func request(
        _ name: String, _ operationID: String, needing capability: Capability? = nil,
        _ request:
            @escaping @Sendable (any ServiceConnection) -> (String, Receipt?) async throws(ChatError) -> Outcome
    ) -> Route {
        action(name, operationID) { client, thread, receipt in
            try await client.perform(needing: capability, in: thread) { (connection) throws(ChatError) in
                try await request(connection)(thread, receipt)
            }
        }
    }

    private func hiding(_ name: String, _ operationID: String, _ isHidden: Bool) -> Route {
        request(name, operationID, needing: .members) { connection in
            { (thread, receipt) throws(ChatError) in
                try await connection.setHidden(isHidden, thread, receipt: receipt)
            }
        }
    }

    /// The same, for what `If-Match` guards: it ends something for good.
    private func ending(
        _ name: String, _ operationID: String,
        _ operate: @escaping @Sendable (ChatClient, String, Int64?, Receipt?) async throws -> Outcome
    ) -> Route {
        Route(
            .post, "\(Self.one)/\(name)", operationID, access: .session(.sessionsWrite), idempotency: .carried,
            isVersioned: true,
            handler: .aside { call in
                let (client, thread) = (try call.client(), call.parameters["thread"])
                let version = try await call.expectedVersion { () async throws(ChatError) in
                    try await client.thread(thread).version
                }
                return call.outcome(try await operate(client, thread, version, call.receipt))
            })
    }

    /// A POST route without a body, whose operation stores its receipt in its own transaction.
    private func action(
        _ name: String, _ operationID: String,
        _ operate: @escaping @Sendable (ChatClient, String, Receipt?) async throws -> Outcome
    ) -> Route {
        Route(
            .post, "\(Self.one)/\(name)", operationID, access: .session(.sessionsWrite), idempotency: .carried,
            handler: .aside { call in
                call.outcome(try await operate(call.client(), call.parameters["thread"], call.receipt))
            })
    }
}

/// `{"email"}`: where the platform sends the transcript. The syntax of the address is not checked here.
struct TranscriptBody: RequestBody {
    /// 1 to 254 characters, the longest address of RFC 5321.
    let email: String

    init(reading object: inout ObjectReader) { email = object.requiredString("email", length: 1...254) }
}

/// `{"id"?,"name"?,"customFields"?}`: a new thread. With an id, the request can be repeated safely.
struct NewThread: RequestBody {
    let draft: ThreadDraft

    init(reading object: inout ObjectReader) {
        draft = ThreadDraft(
            id: object.optionalID("id"), name: object.optionalString("name", length: 1...256),
            customFields: CustomFieldsBody.optional(&object) ?? [:])
    }
}

/// `{"name": "..." | null}`: null removes the name (RFC 7396).
struct ThreadPatch: RequestBody {
    /// Nil removes the name.
    let name: String?

    init(reading object: inout ObjectReader) {
        let value = object.required("name")
        name = value == nil || value == .null ? nil : object.requiredString("name", length: 1...256)
    }
}

/// `{"answer":"refresh"|"expire"}`: the customer's answer to the inactivity popup.
struct InactivityAnswerBody: RequestBody {
    let answer: InactivityAnswer

    init(reading object: inout ObjectReader) {
        answer = object.requiredChoice("answer", of: InactivityAnswer.allCases) ?? .refresh
    }
}

/// `{"isTyping","text"?}`: whether the customer is typing now, and what stands in the field.
struct TypingBody: RequestBody {
    let isTyping: Bool
    /// Empty once the customer has taken all back.
    let text: String?

    init(reading object: inout ObjectReader) {
        isTyping = object.requiredBool("isTyping")
        text = object.optionalString("text", length: 0...TypingPreview.maximumLength)
    }
}

/// `{"customFields": {"name": "value"}}`: values of custom fields by ident.
struct CustomFieldsBody: RequestBody {
    /// Values by ident, with no limits checked yet.
    let fields: [String: String]

    init(reading object: inout ObjectReader) {
        fields = Self.check(object.required("customFields"), &object) ?? [:]
    }

    /// The member `customFields` of a larger body; nil when it is missing.
    static func optional(_ object: inout ObjectReader) -> [String: String]? {
        check(object.optional("customFields"), &object)
    }

    /// All values must be strings; nil and a fault otherwise.
    private static func check(_ value: JSONValue?, _ object: inout ObjectReader) -> [String: String]? {
        // The chat checks number and length, because custom fields come by other ways too.
        object.strings(value, "customFields")
    }
}

extension QueryReader {
    /// Which threads a session's list has. Throws `invalidParameter`.
    fileprivate func threads() throws(Problem) -> ThreadQuery {
        ThreadQuery(
            state: try choice("state", default: ThreadFilter.all),
            nameContains: try text("nameContains", length: 1...256),
            customTypePrefix: try key("customTypePrefix", length: 1...128), members: try members(), visibility: .all)
    }
}

extension Call {
    /// Answers a GET of fields with `{"customFields":{...}}` and their entity tag; 304 when the client has them.
    func fields(_ fields: [String: String]) -> HTTPResponse {
        resource(Self.fieldsJSON(fields), version: ContentVersion.of(fields))
    }

    /// Answers a change of fields with all of them.
    func changed(_ fields: [String: String]) -> HTTPResponse {
        json(Self.fieldsJSON(fields), headers: [version(ContentVersion.of(fields)), Self.revalidate])
    }

    private static func fieldsJSON(_ fields: [String: String]) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1024)
        json.beginObject()
        json.member("customFields", fields)
        json.endObject()
        return json.bytes
    }
}

/// `{"score","comment"?}`: how a customer was served.
struct RatingBody: RequestBody {
    let score: Int
    let comment: String?

    init(reading object: inout ObjectReader) {
        score = object.requiredInteger("score", in: Rating.scores)
        comment = object.optionalString("comment", length: 1...Rating.maximumComment)
    }
}
