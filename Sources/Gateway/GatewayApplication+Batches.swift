import Chat
import HTTPRouting
import MicroHTTP

/// The gateway asks itself, for whoever has sent a batch.
extension GatewayApplication {
    /// Answers a part of a batch from its gate to its line in the log. The body of the answer is JSON in memory, or none. Not
    /// on the loop's thread.
    ///
    /// - Parameter room: bytes that the answer to a part that reads may have; 0 if the part is not carried out. The answer to
    ///   a write is given in any case: it tells what is done.
    func answer(_ request: HTTPRequest, room: Int) async -> HTTPResponse {
        let start = ContinuousClock.now
        let (admitted, reply) = await onLoop { [self] in
            room > 0 ? begin(request) : (request, .now(refuseBatched(request)))
        }
        let whole =
            switch reply {
            case .now(let response): response
            case .later(let work), .prompt(let work): await work()
            }
        let isTooLong = request.method == "GET" && byteCount(of: whole.unshared) > room
        let answer = inJSON(whole.unshared) && !isTooLong ? whole.unshared : refuseBatched(admitted)
        if case .events(let source) = whole.body { source.closed(.refused) }
        var summarized = admitted
        summarized.body = []
        let summary = RequestSummary(
            request: summarized, status: answer.status, duration: ContinuousClock.now - start,
            received: request.body.count, bytes: byteCount(of: answer), completed: true)
        await onLoop { [self] in finished(summary) }
        return answer
    }

    /// The answer to what no batch carries, or carries no more.
    func refuseBatched(_ request: HTTPRequest) -> HTTPResponse {
        answer(
            Problem(
                .notAcceptable,
                "A batch carries JSON of at most \(BatchRoutes.answerLimit) bytes in all, or \(BatchRoutes.writingLimit) if a request in it writes: no streams, no files, and no other batch. Ask for this alone."
            ), to: request)
    }

    /// Admits a part and begins to answer it. On the loop's thread.
    private func begin(_ request: HTTPRequest) -> (HTTPRequest, HTTPReply) {
        guard isForBatches(request) else { return (request, .now(refuseBatched(request))) }
        var head = request
        head.body = []
        let admission = admit(&head)
        head.body = request.body
        switch admission {
        case .accept: return (head, respond(to: head))
        case .refuse(let response): return (head, .now(response))
        case .stream: return (head, .now(refuseBatched(head)))
        case .later(let decide): return (head, .later { [self, head] in await respond(to: head, after: decide) })
        }
    }

    private func respond(
        to request: HTTPRequest, after decide: @Sendable () async -> HTTPAdmission
    ) async -> HTTPResponse {
        switch await decide() {
        case .accept:
            switch await onLoop({ [self] in respond(to: request) }) {
            case .now(let response): return response
            case .later(let work), .prompt(let work): return await work()
            }
        case .refuse(let response): return response
        case .stream, .later: return refuseBatched(request)
        }
    }

    /// Whether a part may be asked for: what the route answers at once, and takes as JSON. What no route has is refused as it
    /// would be alone.
    private func isForBatches(_ request: HTTPRequest) -> Bool {
        guard let method = Method(rawValue: request.method), let route = table.match(request.path)?.route(method) else {
            return true
        }
        guard !route.isStream, route.operationID != "runBatch" else { return false }
        switch route.body {
        case .none, .optionalJSON, .json: return true
        case .foreign, .streamed: return false
        }
    }

    private func byteCount(of answer: HTTPResponse) -> Int {
        if case .bytes(let bytes) = answer.body { bytes.count } else { 0 }
    }

    private func inJSON(_ answer: HTTPResponse) -> Bool {
        switch answer.body {
        case .none: return true
        case .bytes(let bytes):
            let type = answer.headers.first { $0.0 == "Content-Type" }?.1 ?? ""
            return bytes.isEmpty || type.hasPrefix("application/json") || type.hasPrefix("application/problem+json")
        case .prepared, .file, .events, .pieces, .upgrade, .broken: return false
        }
    }

    private func onLoop<T: Sendable>(_ work: @escaping @Sendable () -> T) async -> T {
        let done = Answer<T>()
        if core.life.loop?.execute({ done.resolve(work()) }) != true { done.resolve(work()) }
        return await done.value()
    }
}
