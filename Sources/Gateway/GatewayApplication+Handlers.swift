import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// Runs the handler of a route, on the thread that its kind asks for, and turns each failure into a problem.
extension GatewayApplication {
    /// Waits until the session is back from the store, and then runs the handler as if the request had come only now.
    func run(_ call: Call, after session: ChatClient) async -> HTTPResponse {
        await session.returned()
        let begun = Answer<HTTPReply>()
        if core.life.loop?.execute({ [self] in begun.give(run(call)) }) != true { begun.give(run(call)) }
        switch await begun.value() {
        case .now(let response): return response
        case .later(let work), .prompt(let work): return await work()
        }
    }

    /// Starts the handler on the thread that its kind asks for.
    func run(_ call: Call) -> HTTPReply {
        switch call.placed.route.handler {
        case .now(let handler): .now(answer(call, handler))
        case .reading(let handler):
            // The task does nothing itself but wait for the reader.
            core.readsWait ? .prompt { [self] in await reading(call, handler) } : .now(answer(call, handler))
        case .stream(let handler): streamed(call, handler)
        case .later(let handler): later(call, handler)
        case .prompt(let isPrompt, let handler):
            call.request.body.count <= Self.longestPromptBody && isPrompt(call)
                ? .prompt(answering(call, handler)) : later(call, handler)
        case .depending(let immediate, let isPrompt, let handler):
            answerIfNow(call, immediate).map(HTTPReply.now)
                ?? (isPrompt(call) ? .prompt(answering(call, handler)) : later(call, handler))
        case .preparing(let prepare): prepared(call, prepare)
        }
    }

    /// A longer body is not read on the loop's thread. In bytes.
    private static let longestPromptBody = 16 << 10

    /// Opens a stream here, or has a task do what comes before the answer. A failure here is answered at once.
    private func streamed(_ call: Call, _ handler: (Call) throws -> StreamAnswer) -> HTTPReply {
        do {
            try BodyCheck.emptiness(call)
            switch try handler(call) {
            case .now(let response): return .now(complete(response, call.request))
            case .later(let work): return later(call) { _ in try await work() }
            }
        } catch {
            return .now(answer(problem(error, call.request), to: call.request))
        }
    }

    /// Runs the first step here, and the second one in a task. A failure of the first is answered at once.
    private func prepared(
        _ call: Call, _ prepare: (Call) throws -> @Sendable (Call) async throws -> HTTPResponse
    ) -> HTTPReply {
        do {
            return later(call, try prepare(call))
        } catch {
            return .now(answer(problem(error, call.request), to: call.request))
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

    /// The same on a thread that may wait for the store.
    private func reading(
        _ call: Call, _ handler: @escaping @Sendable (Call) throws -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await core.store.readingAside { [self] in answer(call, handler) }
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// The same for a handler that may leave the answer to a task; nil then.
    private func answerIfNow(_ call: Call, _ handler: (Call) throws -> HTTPResponse?) -> HTTPResponse? {
        do {
            try BodyCheck.emptiness(call)
            return try handler(call).map { complete($0, call.request) }
        } catch {
            return answer(problem(error, call.request), to: call.request)
        }
    }

    /// Runs a handler in a task of its own.
    private func later(_ call: Call, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse) -> HTTPReply {
        .later(answering(call, handler))
    }

    /// What a task does to answer: checks the body, completes an upload, and applies the idempotency key.
    private func answering(
        _ call: Call, _ handler: @escaping @Sendable (Call) async throws -> HTTPResponse
    ) -> @Sendable () async -> HTTPResponse {
        { [self] in
            do {
                try BodyCheck.emptiness(call)
                let upload = call.request.sink as? Upload
                // A file that no handler takes is gone before the answer goes out.
                defer { _ = upload?.take() }
                try await upload?.finish()
                return complete(try await call.idempotently(body: upload?.fingerprint, handler), call.request)
            } catch {
                return answer(problem(error, call.request), to: call.request)
            }
        }
    }
}
