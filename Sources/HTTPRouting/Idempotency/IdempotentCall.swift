import MicroHTTP

extension Call {
    /// Runs a handler under the request's `Idempotency-Key`; without a key it only runs it.
    ///
    /// A repetition does not run the handler: it gets the first answer again, with `Idempotency-Replayed: true`.
    /// Answers with errors are not stored, so the same key can be tried again after one.
    ///
    /// - Parameter body: what identifies the body when it is not in the request, such as the digest of an uploaded
    ///   file.
    /// - Throws: `invalidIdempotencyKey`; `idempotencyKeyInFlight` (409) while the first request runs;
    ///   `idempotencyKeyReused` (422) when the first request had another body; and what the handler throws.
    package func idempotently(
        body: @autoclosure () -> [UInt8]? = nil, _ handler: @Sendable (Call) async throws -> HTTPResponse
    ) async throws -> HTTPResponse {
        guard let header = request.headers["Idempotency-Key"] else { return try await handler(self) }
        let key = try IdempotencyKey(header).request(request, by: identity, body: body())
        if case .none = route.idempotency { return try await handler(self) }
        guard context.keysInFlight.begin(key.scope) else {
            throw Problem(
                .idempotencyKeyInFlight, "The first request with this Idempotency-Key is still running.", retryAfter: 1)
        }
        defer { context.keysInFlight.end(key.scope) }
        if let kept = try await context.outcome(under: key.scope) {
            guard kept.fingerprint == key.fingerprint else {
                throw Problem(.idempotencyKeyReused, "The Idempotency-Key was used before with another body.")
            }
            var answer = try await replay(kept.outcome)
            answer.headers.append(("Idempotency-Replayed", "true"))
            return answer
        }
        var call = self
        if case .carried = route.idempotency { call.key = key }
        let answer = try await handler(call)
        if case .recorded = route.idempotency { try await context.record(answer, of: key) }
        return answer
    }

    /// Makes the answer to a repetition, by the route's own replay if there is one.
    private func replay(_ outcome: Context.Outcome) async throws -> HTTPResponse {
        guard let replay = route.replay else { return context.answer(outcome, to: self) }
        return try await replay(outcome, self)
    }
}
