import ChatModel

/// Limits how long a caller waits for a request, even if the platform never answers or sends one byte at a time.
struct Deadline: Sendable {
    let clock: any Clock<Duration>

    /// How long a request to a platform may take, unless the caller says otherwise.
    static let limit = Duration.seconds(10)

    /// Runs a request in a task of its own, and returns its result. Throws `eventTimeout` when there is none in time;
    /// the request goes on, as in ``first(within:_:)``.
    func run<T: Sendable>(
        within limit: Duration = Self.limit, _ request: @escaping @Sendable () async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        guard let result = try await first(within: limit, request) else {
            throw ChatError(.eventTimeout, "The platform did not answer within \(limit.components.seconds) s.")
        }
        return result
    }

    /// Runs a request in a task of its own, and returns its result; nil when there is none in time.
    ///
    /// A request that is late is not cancelled, because it may have reached the platform. Its result is dropped.
    func first<T: Sendable>(
        within limit: Duration = Self.limit, _ request: @escaping @Sendable () async throws(ChatError) -> T
    ) async throws(ChatError) -> T? {
        let answer = Answer<Result<T, ChatError>>()
        Task.detached { await answer.give(resultOf: request) }
        return try await answer.value(within: limit, on: clock)?.get()
    }
}

/// Measuring and waiting by a clock whose type is not known. It must be one that nobody sets: the time of day jumps.
extension Clock where Duration == Swift.Duration {
    /// Returns a wait whose deadline is counted from this call, and not from when the wait begins. It throws
    /// `CancellationError` when its task is cancelled.
    public func alarm(in duration: Duration) -> @Sendable () async throws -> Void {
        let deadline = now.advanced(by: duration)
        return { try await self.sleep(until: deadline, tolerance: nil) }
    }

    /// Returns a function that tells the time since this call.
    public func stopwatch() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: self.now) }
    }
}
