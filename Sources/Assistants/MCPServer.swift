import ChatModel
import Formats
import Gateway
import HTTPRouting
import Logging
import MicroHTTP

/// Answers the messages of one assistant. It keeps nothing from one message to the next.
struct MCPServer: Sendable {
    let call: Call
    let face: MCPFace
    let limits: ToolLimits
    let subscriptions: ResourceSubscriptions
    let calls: WaitingCalls

    /// The answer to the request's body, whatever it is.
    func answer() async -> HTTPResponse {
        var revision: MCPRevision?
        do throws(RPCError) {
            let message = try RPCMessage(call.request.body)
            guard let id = message.id else {
                if try !MCPRevision(ofNotification: call.request.headers).isStateless {
                    try handleNotification(message)
                }
                return HTTPResponse(status: 202)
            }
            let spoken = try MCPRevision(of: message, call.request.headers)
            revision = spoken
            let session = spoken.isStateless || message.method == "initialize" ? nil : try session(id)
            guard isWaiting(message) else {
                return try await whole { () async throws(RPCError) in try await answer(message, id, spoken) }
            }
            let waiting = WaitingCall(key: session.map { WaitingCalls.Key(session: $0, id: id) }) {
                do throws(RPCError) {
                    return try await answer(message, id, spoken)
                } catch {
                    return call.json(error.answer, status: error.status(in: spoken))
                }
            }
            return await late(waiting)
        } catch {
            return call.json(error.answer, status: error.status(in: revision))
        }
    }

    /// Runs work to its end, also when the client leaves meanwhile: a tool that writes is done or not.
    private func whole(
        _ work: @escaping @Sendable () async throws(RPCError) -> HTTPResponse
    ) async throws(RPCError) -> HTTPResponse {
        let task = Task { () -> Result<HTTPResponse, RPCError> in
            do throws(RPCError) {
                return .success(try await work())
            } catch {
                return .failure(error)
            }
        }
        return try await task.value.get()
    }

    /// The name of a client of 2025; nil if it names none. Throws `unknownSession`.
    private func session(_ id: RPCMessage.ID?) throws(RPCError) -> String? {
        do throws(Problem) {
            return try call.assistantSession
        } catch {
            throw RPCError(.unknownSession, error.detail ?? error.kind.title, id: id)
        }
    }

    /// Takes a notification of a client of 2025. Only one has a consequence: what is cancelled need not go on.
    private func handleNotification(_ message: RPCMessage) throws(RPCError) {
        let session = try session(nil)
        guard message.method == "notifications/cancelled", let session,
            let id = RPCMessage.ID(message.params["requestId"])
        else { return }
        calls.cancel(WaitingCalls.Key(session: session, id: id))
    }

    private func isWaiting(_ message: RPCMessage) -> Bool {
        let name = message.params["name"]?.string
        return message.method == "tools/call" && face.tools.contains { $0.isWaiting && $0.name == name }
    }

    /// The answer to a call that waits. A client that takes streams gets one, which has nothing but the answer: if it
    /// closes the connection, a stream sees that at once.
    private func late(_ waiting: WaitingCall) async -> HTTPResponse {
        let accept = AcceptHeader(call.request.headers.all("Accept"))
        let isStreamTaken = accept.preferred(among: [FeedForm.serverSentEvents.contentType]) != nil
        guard isStreamTaken, call.request.headers["Accept"] != nil else { return await calls.run(waiting) }
        return LateAnswer(core: call.core, calls: calls, waiting).answer(to: call)
    }

    private func answer(
        _ message: RPCMessage, _ id: RPCMessage.ID, _ revision: MCPRevision
    ) async throws(RPCError) -> HTTPResponse {
        var json = JSONWriter(reservingCapacity: 4096)
        json.beginObject()
        json.member("jsonrpc", "2.0")
        json.name("id")
        id.encode(to: &json)
        json.name("result")
        json.beginObject()
        var headers: [(String, String)] = []
        do {
            if message.method == "subscriptions/listen", revision.isStateless, let resources = face.resources {
                return try listening(to: resources, message, id)
            }
            switch (message.method, revision.isStateless) {
            case ("initialize", false):
                try initialize(message, &json)
                let name = call.core.tokens.bound(call.core.environment.makeID(), to: call.identity)
                headers.append(("Mcp-Session-Id", name))
            case ("server/discover", true): discover(&json)
            case ("ping", false): break
            case ("resources/subscribe", false): try subscribe(message, true)
            case ("resources/unsubscribe", false): try subscribe(message, false)
            case ("tools/list", _): list("tools", face.tools, &json) { $0.encode(to: &$1) }
            case ("tools/call", _): try await callTool(message.params, &json)
            default:
                guard let resources = face.resources,
                    try await resources.answer(message, &json, isStateless: revision.isStateless)
                else { throw RPCError(.methodNotFound, "There is no method \(message.method.prefix(64)).") }
            }
        } catch let error as RPCError {
            var error = error
            error.id = id
            throw error
        } catch {
            let failure = ToolFailure(error)
            throw RPCError(.internalError, failure.text, id: id)
        }
        if revision.isStateless { complete(&json, message.method) }
        json.endObject()
        json.endObject()
        return call.json(json.bytes, headers: headers + [("Cache-Control", "no-store")])
    }

    // MARK: Methods

    private func initialize(_ message: RPCMessage, _ json: inout JSONWriter) throws(RPCError) {
        guard let wanted = message.params["protocolVersion"]?.string else {
            throw RPCError(.invalidParams, "params.protocolVersion must be a string.")
        }
        json.member("protocolVersion", MCPRevision.handshake(wanted: wanted).rawValue)
        capabilities(&json, subscribing: true)
        json.name("serverInfo")
        serverInfo(&json)
        json.member("instructions", face.instructions)
    }

    private func discover(_ json: inout JSONWriter) {
        json.name("supportedVersions")
        json.beginArray()
        for revision in MCPRevision.allCases { json.value(revision.rawValue) }
        json.endArray()
        capabilities(&json, subscribing: true)
        json.member("instructions", face.instructions)
    }

    private func capabilities(_ json: inout JSONWriter, subscribing: Bool) {
        json.name("capabilities")
        json.beginObject()
        json.name("tools")
        json.raw("{}")
        if face.resources != nil {
            json.name("resources")
            json.raw("{\"subscribe\":true}")
            json.name("prompts")
            json.raw("{}")
        }
        json.endObject()
    }

    private func serverInfo(_ json: inout JSONWriter) {
        json.beginObject()
        json.member("name", "parley")
        json.member("title", face.title)
        json.member("version", call.core.configuration.version)
        json.endObject()
    }

    /// What a result of 2026-07-28 has besides. What a token may see changes with chats and settings, so nothing is
    /// kept for others, and nothing for long.
    private func complete(_ json: inout JSONWriter, _ method: String) {
        json.member("resultType", "complete")
        if method != "tools/call", method != "prompts/get" {
            json.member("ttlMs", 0)
            json.member("cacheScope", "private")
        }
        json.name("_meta")
        json.beginObject()
        json.name(MCPRevision.Meta.serverInfo)
        serverInfo(&json)
        json.endObject()
    }

    private func list<T>(
        _ name: StaticString, _ items: [T], _ json: inout JSONWriter, _ encode: (T, inout JSONWriter) -> Void
    ) {
        json.name(name)
        json.beginArray()
        for item in items { encode(item, &json) }
        json.endArray()
    }

    // MARK: Tools

    /// A tool that fails is answered by a result that says so, because the model can do better then.
    private func callTool(_ params: JSONValue, _ json: inout JSONWriter) async throws(RPCError) {
        guard let name = params["name"]?.string, let tool = face.tools.first(where: { $0.name == name }) else {
            if let scope = params["name"]?.string.flatMap({ face.missingScope(for: $0) }) {
                throw RPCError(.invalidParams, "The scope \(scope.rawValue) is missing for this tool.")
            }
            throw RPCError(.invalidParams, "There is no such tool, or it is not allowed here.")
        }
        let arguments = (params["arguments"] ?? .null).orEmpty.withoutNulls
        let begun = call.core.environment.now()
        var outcome = "done"
        do {
            try admit(tool)
            let result = try await tool.run(arguments)
            result.encode(to: &json, mark: QuotedText.mark(call.core.environment))
        } catch {
            let failure = ToolFailure(error)
            outcome = failure.code
            ToolResult.encode(failure, to: &json)
        }
        let chat = arguments["chat"]?.string.flatMap { ChatHandle($0) }
        call.core.logger.info(
            "tool call",
            metadata: [
                "tool": "\(tool.name)", "chat": "\(chat?.text ?? "none")", "outcome": "\(outcome)",
                "dur_ms": "\(call.core.environment.now().milliseconds - begun.milliseconds)",
            ])
    }

    /// Counts a call. Throws `tooManyCalls`, and `tooManyWrites` for one of a session's token.
    private func admit(_ tool: MCPTool) throws {
        let client = call.request.headers["Mcp-Session-Id"]
        let caller = ToolLimits.Caller(call.identity, client: client, isReading: tool.isReading)
        if let wait = limits.wait(caller, at: call.core.uptime()) {
            throw ToolFailure("tooManyCalls", "Wait for \(wait) ms, and call again.")
        }
        if !tool.isReading { try call.core.checkMaintenance(for: call.identity) }
        if !tool.isReading, case .session(let id) = call.identity {
            try call.core.writing.countWrite(.messages, session: id)
        }
    }

    // MARK: Following resources

    /// Remembers what a client of 2025 wants to hear of on its stream.
    private func subscribe(_ message: RPCMessage, _ isWanted: Bool) throws(RPCError) {
        guard let resources = face.resources else {
            throw RPCError(.methodNotFound, "There is no method \(message.method.prefix(64)).")
        }
        let chat = try resources.chat(message.params)
        guard let session = call.request.headers["Mcp-Session-Id"] else {
            throw RPCError(.invalidRequest, "The header Mcp-Session-Id of initialize's answer is missing.")
        }
        guard subscriptions.set(isWanted, chat, for: session) else {
            throw RPCError(.invalidParams, "A session follows at most \(ResourceSubscriptions.limit) resources.")
        }
    }

    /// The stream of a client of 2026-07-28.
    private func listening(
        to resources: ChatResources, _ message: RPCMessage, _ id: RPCMessage.ID
    ) throws(RPCError) -> HTTPResponse {
        guard let wish = message.params["notifications"], wish.members != nil else {
            throw RPCError(.invalidParams, "params.notifications must be an object.")
        }
        var chats: Set<ChatHandle> = []
        for uri in wish["resourceSubscriptions"]?.array ?? [] {
            chats.insert(try resources.chat(.object([JSONMember(name: "uri", value: uri)])))
        }
        guard chats.count <= ResourceSubscriptions.limit else {
            throw RPCError(.invalidParams, "A stream follows at most \(ResourceSubscriptions.limit) resources.")
        }
        guard let memory = subscriptions.count(chats) else {
            throw RPCError(.invalidParams, "All streams together follow too many resources.")
        }
        let followed = chats
        let source = ResourceUpdates(core: call.core, request: id, chats: followed, memory: memory) {
            followed.contains($0)
        }
        return source.answer(to: call)
    }
}
