import ChatModel

/// Answers whoever asked within a time limit, whatever a platform does: refuses, hangs, or sends byte by byte.
struct Deadline: Sendable {
    let clock: any Clock<Duration>

    /// How long a request that needs a platform may take.
    static let limit = Duration.seconds(10)

    /// Runs a request, and returns its result. Throws `eventTimeout` when it has none in time.
    func run<T: Sendable>(
        within limit: Duration = Self.limit, _ request: @escaping @Sendable () async throws(ChatError) -> T
    ) async throws(ChatError) -> T {
        guard let result = try await first(within: limit, request) else {
            throw ChatError(.eventTimeout, "The platform did not answer within \(limit.components.seconds) s.")
        }
        return result
    }

    /// The result of a request; nil when it has none in time.
    ///
    /// Such a request runs on, because it may have reached the platform. Its result is dropped.
    func first<T: Sendable>(
        within limit: Duration = Self.limit, _ request: @escaping @Sendable () async throws(ChatError) -> T
    ) async throws(ChatError) -> T? {
        let answer = Answer<T?>()
        let timer = Task { [clock] in
            do { try await clock.sleep(for: limit) } catch { return }
            answer.give(.success(nil))
        }
        Task.detached {
            do throws(ChatError) {
                answer.give(.success(try await request()))
            } catch {
                answer.give(.failure(error))
            }
        }
        let result = await answer.value()
        timer.cancel()
        return try result.get()
    }
}
