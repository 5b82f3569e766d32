import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// Runs the handler of a route, and turns each failure into a problem.
extension GatewayApplication {
    /// Waits until the session is back from the store, and then runs the handler as if the request had come only now.
    func run(_ call: Call, after session: ChatClient) async -> HTTPResponse {
        await session.returned()
        return await whole(call)
    }

    /// The answer of a handler that is begun on the loop's thread, for a task.
    private func whole(_ call: Call) async -> HTTPResponse {
        let begun = Answer<HTTPReply>()
        if core.life.loop?.execute({ [self] in begun.resolve(run(call)) }) != true { begun.resolve(run(call)) }
        switch await begun.value() {
        case .now(let response): return response
        case .later(let work), .prompt(let work): return await work()
        }
    }

    /// Throws `preconditionFailed` if `If-None-Match` of a writing request names what a GET of its path answers now;
    /// `*` names whatever there is (RFC 9110, 13.1.2). A path without GET has nothing that could be there.
    ///
    /// It is a check before the write and not a part of it. That does for what is there already. A write that makes what
    /// its path names asks again in its unit (``Call/mustBeNew``); such a write is the PUT of a device alone.
    ///
    /// Not inlined: its locals would make the frame of each request some kilobytes larger.
    @inline(never)
    private func checkAbsence(_ call: Call) async throws {
        let request = call.request
        guard call.route.method != .get, let header = request.headers["If-None-Match"],
            let read = findings(request).match?.route(.get), !read.isStream
        else { return }
        let fields = request.headers.filter { ["host", "accept"].contains($0.name.lowercased()) }
        let head = HTTPRequest(
            method: "HEAD", target: request.target, headers: fields.map { ($0.name, $0.value) }, peer: request.peer)
        let answer = await whole(
            try Call(head, route: read, parameters: call.parameters, identity: call.identity, context: core))
        guard (200..<300).contains(answer.status) else { return }
        let tag = answer.unshared.headers.first { $0.0 == "ETag" }?.1
        guard TagCondition(header).names(tag) else { return }
        throw Problem(.preconditionFailed, "The resource is there, and If-None-Match says that it must not be.")
    }

    /// Starts the handler.
    func run(_ call: Call) -> HTTPReply {
        switch call.route.handler {
        case .now(let handler): .now(answer(call, handler))
        case .stream(let handler): streamed(call, handler)
        case .task(let kept, let handler):
            if let kept, let response = answerKept(call, kept) {
                .now(response)
            } else if mayBlock(call) {
                .later(answering(call, handler))
            } else {
                .prompt(answering(call, handler))
            }
        }
    }

    /// Whether the task must not begin on the loop's thread: it reads a long body, ends a file, or asks a platform.
    private func mayBlock(_ call: Call) -> Bool {
        if call.request.body.count > Self.longestPromptBody || call.request.sink != nil { return true }
        let session = call.parameters["session"]
        return !session.isEmpty && core.sessions.client(session)?.isEmbedded == false
    }

    /// A longer body is not read on the loop's thread. In bytes.
    private static let longestPromptBody = 16 << 10

    /// Opens a stream here, or has a task do what comes before the answer. A failure here is answered at once.
    private func streamed(_ call: Call, _ handler: (Call) throws -> StreamAnswer) -> HTTPReply {
        do {
            try BodyCheck.emptiness(call)
            switch try handler(call) {
            case .now(let response): return .now(complete(try call.placed(response), call.request))
            case .later(let work): return .later(whileValid(call, answering(call) { try $0.placed(await work()) }))
            }
        } catch {
            return .now(answer(problem(error, call.request), to: call.request))
        }
    }

    /// The same work, which is over when the caller's credential ends.
    private func whileValid(
        _ call: Call, _ work: @escaping @Sendable () async -> HTTPResponse
    ) -> @Sendable () async -> HTTPResponse {
        guard call.identity.isWatched, let checked = findings(call.request).checked else { return work }
        return { [self] in
            await core.whileValid(checked, work) {
                answer(Credentials.ended, to: call.request)
            }
        }
    }

    /// Runs a handler on the loop's thread. On this way an idempotency key is not looked at.
    private func answer(_ call: Call, _ handler: (Call) throws -> HTTPResponse) -> HTTPResponse {
        do {
            try BodyCheck.emptiness(call)
            return complete(try handler(call), call.request)
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// The same for an answer that may be in memory; nil if it is not.
    private func answerKept(_ call: Call, _ handler: (Call) throws -> HTTPResponse?) -> HTTPResponse? {
        do {
            try BodyCheck.emptiness(call)
            return try handler(call).map { complete($0, call.request) }
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// What a task does to answer.
    private func answering(
        _ call: Call, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) -> @Sendable () async -> HTTPResponse {
        guard OriginCheck.isUnsafe(call.request.method) else {
            // What only reads ends when its client has left: the server cancels its task.
            return { [self] in await ChatStore.endingReads { await read(call, handler) } }
        }
        return { [self] in await answer(call, handler) }
    }

    /// Answers a request that only reads. On this way neither an idempotency key nor a digest is looked at.
    private func read(
        _ call: Call, _ handler: @Sendable (Call) async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            try BodyCheck.emptiness(call)
            return complete(try await handler(call), call.request)
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// Runs the handler of an act that is written down. What it does in the store is committed together with the entry; for
    /// what is in memory only, the entry comes after it.
    private static func audited(
        _ call: Call, _ handler: @Sendable (Call) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let action = call.route.audited else { return try await handler(call) }
        let act = AuditedAct(call.audit(action, call.subject) { $0.member("members", texts: call.memberNames) })
        let answer = try await ChatStore.$act.withValue(act) { try await handler(call) }
        if (200..<300).contains(answer.status), let entry = act.missing {
            try await call.core.store.write { try $0.audit(entry) }
        }
        return answer
    }

    /// Answers any other request: checks the body, completes an upload, and applies the idempotency key.
    private func answer(
        _ call: Call, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            try BodyCheck.digest(call.request)
            try BodyCheck.emptiness(call)
            if call.request.headers["If-None-Match"] != nil { try await checkAbsence(call) }
            let upload = call.request.sink as? Upload
            // A file that no handler takes is gone before the answer goes out.
            defer { _ = upload?.takeFile() }
            try await upload?.finish()
            return complete(
                try await call.idempotently(body: upload?.fingerprint) { try await Self.audited($0, handler) },
                call.request)
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }
}
