#if Outbound
    import Chat
    import Gateway
    import HTTPClientPort
    import MicroHTTP
    import Synchronization

    /// One request that is passed on, and its answer. A small answer is gathered; any other one goes to the client while it
    /// comes.
    final class ForwardedExchange: Sendable {
        private struct State {
            var head: RelayPort.Head?
            /// The beginning of a body that is gathered.
            var bytes: [UInt8] = []
            var body: ForwardedBody?
            var task: Task<Void, Never>?
            var isCancelled = false
        }

        private let state = Mutex(State())
        private let answer = Answer<Result<HTTPResponse, ForwardingFailure>>()
        private let onEnd: @Sendable () -> Void
        private let isHead: Bool
        private let upload: ForwardedUpload?
        /// The greatest body that is gathered, in bytes.
        private static let gathered: Int64 = 64 << 10

        /// - Parameters:
        ///   - upload: the request's body, if it comes while it is passed on.
        ///   - onEnd: called once, when nothing of the exchange is under way any more.
        init(_ method: String, _ upload: ForwardedUpload?, onEnd: @escaping @Sendable () -> Void) {
            isHead = method == "HEAD"
            self.upload = upload
            self.onEnd = onEnd
        }

        /// Begins. Call it once.
        func start(_ request: RelayPort.Request, by port: RelayPort) {
            let task = Task { [self] in
                do {
                    try await port.run(request) {
                        try begin($0)
                    } take: {
                        try await take($0)
                    }
                    finish()
                } catch {
                    fail(error is RelayPort.Untaken ? .untaken : .unanswered)
                }
                upload?.drop()
                onEnd()
            }
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.cancel() }
        }

        /// Ends it, wherever it is.
        func cancel() {
            let (task, body) = state.withLock { state in
                state.isCancelled = true
                return (state.task, state.body)
            }
            task?.cancel()
            // Neither waits for its client any more.
            body?.end(isWhole: false)
            upload?.drop()
        }

        /// The answer, whose body may still be on its way. The exchange ends if the task that waits is cancelled.
        func response() async throws(ForwardingFailure) -> HTTPResponse {
            let result = await withTaskCancellationHandler {
                await answer.value()
            } onCancel: {
                cancel()
            }
            return try result.get()
        }

        private func begin(_ head: RelayPort.Head) throws {
            let length = ForwardedFields.length(in: head.headers)
            let isEmpty = [204, 304].contains(head.status) || length == 0
            let isGathered = isEmpty || !isHead && (length ?? .max) <= Self.gathered
            let body = isGathered ? nil : ForwardedBody { [weak self] in self?.cancel() }
            state.withLock { state in
                state.head = head
                state.body = body
            }
            guard let body else { return }
            answer.resolve(
                .success(
                    HTTPResponse(
                        status: head.status, headers: ForwardedFields.ofAnswer(head.headers),
                        body: length.map { .pieces(body, count: $0) } ?? .events(body))))
        }

        private func take(_ piece: [UInt8]) async throws {
            let body = state.withLock { state in
                if state.body == nil { state.bytes.append(contentsOf: piece) }
                return state.body
            }
            try await body?.take(piece)
        }

        private func finish() {
            let (head, bytes, body) = state.withLock { ($0.head, $0.bytes, $0.body) }
            if let body { return body.end(isWhole: true) }
            guard let head else { return fail(.unanswered) }
            answer.resolve(
                .success(
                    HTTPResponse(
                        status: head.status, headers: ForwardedFields.ofAnswer(head.headers),
                        body: bytes.isEmpty ? .none : .bytes(bytes))))
        }

        private func fail(_ failure: ForwardingFailure) {
            state.withLock { $0.body }?.end(isWhole: false)
            answer.resolve(.failure(failure))
        }
    }
#endif
