import ChatModel
import Synchronization

/// A value that is given once, and the tasks that wait for it. Either may come first, on any thread.
///
/// Everything in the SDK that waits for something else to happen waits here. Who waits with ``value(within:on:)``
/// leaves at the deadline, or when its task is cancelled; the value may still come, for the others.
public final class Answer<Value: Sendable>: Sendable {
    /// Resumes one waiting task: with the value, or with nil when the task leaves before.
    private typealias Waiter = @Sendable (Value?) -> Void

    private struct State {
        var value: Value?
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }
    private let state = Mutex(State())

    public init() {}

    /// Whether the value is there.
    var isGiven: Bool { state.withLock { $0.value != nil } }

    /// How many tasks wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Gives the value, and resumes all who wait. Only the first value counts; later ones are dropped.
    public func resolve(_ value: Value) {
        let waiters = state.withLock { state -> [Int: Waiter] in
            guard state.value == nil else { return [:] }
            state.value = value
            defer { state.waiters = [:] }
            return state.waiters
        }
        for waiter in waiters.values { waiter(value) }
    }

    /// Waits until the value is given, without a time limit. The caller must see to it that it is given, after a
    /// failure too; otherwise the task never continues. Cancelling the task does not end the wait.
    public func value() async -> Value {
        await withCheckedContinuation { continuation in
            wait(nextWaiter()) { value in
                // Only the other kind of wait can be left without a value.
                if let value { continuation.resume(returning: value) }
            }
        }
    }

    /// Waits until the value is given. Returns nil when the limit is over or the task is cancelled before that.
    ///
    /// The limit counts from this call.
    public func value(within limit: Duration, on clock: any Clock<Duration>) async -> Value? {
        if let value = state.withLock({ $0.value }) { return value }
        let alarm = clock.alarm(in: limit)
        var deadline: Task<Void, Never>?
        defer { deadline?.cancel() }
        return await valueUnlessCancelled { number in
            // Not before: a deadline that is over at once must find this one waiting.
            deadline = Task { [weak self] in
                guard (try? await alarm()) != nil else { return }
                self?.leave(number)
            }
        }
    }

    /// Waits until the value is given. Returns nil when the task is cancelled before that.
    public func valueUnlessCancelled() async -> Value? { await valueUnlessCancelled { _ in } }

    /// - Parameter whileWaiting: called with the waiter's number once it waits.
    private func valueUnlessCancelled(_ whileWaiting: (Int) -> Void) async -> Value? {
        let number = nextWaiter()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                wait(number) { continuation.resume(returning: $0) }
                whileWaiting(number)
                // The handler may have run already, and found nobody waiting.
                if Task.isCancelled { leave(number) }
            }
        } onCancel: {
            leave(number)
        }
    }

    private func nextWaiter() -> Int {
        state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
    }

    private func wait(_ number: Int, _ waiter: @escaping Waiter) {
        let value = state.withLock { state -> Value? in
            if state.value == nil { state.waiters[number] = waiter }
            return state.value
        }
        if let value { waiter(value) }
    }

    /// Resumes one task without a value. Does nothing if it does not wait any more.
    private func leave(_ number: Int) {
        state.withLock { $0.waiters.removeValue(forKey: number) }?(nil)
    }
}

extension Answer {
    /// Runs the work, and gives what it returns or throws.
    public func resolve<T>(
        resultOf work: @Sendable () async throws(ChatError) -> T
    ) async where Value == Result<T, ChatError> {
        do throws(ChatError) {
            resolve(.success(try await work()))
        } catch {
            resolve(.failure(error))
        }
    }
}

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
        Task.detached { await answer.resolve(resultOf: request) }
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
