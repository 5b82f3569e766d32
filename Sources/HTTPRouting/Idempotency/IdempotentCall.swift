import ChatModel
import ChatStore
import MicroHTTP

extension Call {
    /// Runs a writing handler under the request's `Idempotency-Key`, if it has one.
    func idempotently(_ handler: @Sendable (Call) async throws -> HTTPResponse) async throws -> HTTPResponse {
        guard let header = request.headers["Idempotency-Key"] else { return try await handler(self) }
        let receipt = try IdempotencyKey(header).receipt(for: request, by: identity, upload: upload)
        if case .none = route.idempotency { return try await handler(self) }
        guard core.keys.begin(receipt.scope) else {
            throw ChatError(.idempotencyKeyInFlight, "The first request with this key is still running.")
        }
        defer { core.keys.end(receipt.scope) }
        if let stored = try await core.store.receipt(scope: receipt.scope) {
            guard stored.fingerprint == receipt.fingerprint else {
                throw ChatError(.idempotencyKeyReused, "The key came with another body before.")
            }
            var answer = try await replay(stored.outcome)
            answer.headers.append(("Idempotency-Replayed", "true"))
            return answer
        }
        var call = self
        if case .carried = route.idempotency { call.receipt = receipt }
        let answer = try await handler(call)
        if case .recorded = route.idempotency { try await core.store.record(receipt, outcome: Outcome(answer)) }
        return answer
    }

    /// The answer of the first request, once more.
    private func replay(_ outcome: Outcome) async throws -> HTTPResponse {
        guard let replay = route.replay else { return self.outcome(outcome) }
        return try await replay(outcome, self)
    }
}

extension Outcome {
    /// What a route without a receipt of its own answered.
    init(_ answer: HTTPResponse) {
        let kind: Kind = answer.status == 201 ? .created : answer.status == 204 ? .none : .ok
        if case .bytes(let bytes) = answer.body {
            self.init(kind, body: bytes)
        } else {
            self.init(kind)
        }
    }
}
