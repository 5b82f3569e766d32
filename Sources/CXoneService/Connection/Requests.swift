import ChatModel
import CXoneWire
import Synchronization

/// What was asked over one socket: each request waits for the frame that repeats its `eventId`, for 10 s.
final class Requests: Sendable {
    /// Takes the answer where frames are handled one after the other, so that what it writes keeps its place among the pushes.
    typealias Handler = @Sendable (ServerFrame) async -> Void

    private struct Waiting {
        var handle: Handler
        var fail: @Sendable (ChatError) -> Void
    }

    private struct State {
        var waiting: [String: Waiting] = [:]
        var failure: ChatError?
    }
    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    static let patience = Duration.seconds(10)

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// Waits for the answer to a request. Throws what `handle` makes of it, `eventTimeout`, `notConnected`.
    ///
    /// - Parameter send: sends the request, once an answer would be heard.
    func run<T: Sendable>(
        _ eventID: String, handle: @escaping @Sendable (ServerFrame) async throws(ChatError) -> T,
        send: @escaping @Sendable () async throws(ChatError) -> Void
    ) async throws(ChatError) -> T {
        let answer = Answer<T>()
        let failure = state.withLock { state -> ChatError? in
            if let failure = state.failure { return failure }
            state.waiting[eventID] = Waiting(
                handle: { frame in
                    do throws(ChatError) {
                        answer.give(.success(try await handle(frame)))
                    } catch {
                        answer.give(.failure(error))
                    }
                },
                fail: { answer.give(.failure($0)) })
            return nil
        }
        if let failure { throw failure }
        let alarm = clock.alarm(in: Self.patience)
        let deadline = Task { [weak self] in
            do { try await alarm() } catch { return }
            self?.fail(eventID, ChatError(.eventTimeout, "The platform did not answer within 10 seconds."))
        }
        defer { deadline.cancel() }
        do throws(ChatError) {
            try await send()
        } catch {
            fail(eventID, error)
        }
        return try await answer.value().get()
    }

    /// Hands a frame to the request that it answers. Returns false if there is none, also when it came too late.
    func answer(_ eventID: String, with frame: ServerFrame) async -> Bool {
        guard let waiting = state.withLock({ $0.waiting.removeValue(forKey: eventID) }) else { return false }
        await waiting.handle(frame)
        return true
    }

    func fail(_ eventID: String, _ error: ChatError) {
        state.withLock { $0.waiting.removeValue(forKey: eventID) }?.fail(error)
    }

    /// Fails all that wait, and all that come.
    func failAll(_ error: ChatError) {
        let waiting = state.withLock { state in
            defer { state.waiting = [:] }
            state.failure = state.failure ?? error
            return state.waiting.values
        }
        for one in waiting { one.fail(error) }
    }
}

/// A result that is given once, and the one who waits for it; either may come first.
final class Answer<T: Sendable>: Sendable {
    private struct State {
        var result: Result<T, ChatError>?
        var waiter: CheckedContinuation<Result<T, ChatError>, Never>?
    }
    private let state = Mutex(State())

    func give(_ result: Result<T, ChatError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<T, ChatError>, Never>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: result)
    }

    /// Waited for by one at a time.
    func value() async -> Result<T, ChatError> {
        await withCheckedContinuation { continuation in
            let result = state.withLock { state -> Result<T, ChatError>? in
                if state.result == nil { state.waiter = continuation }
                return state.result
            }
            if let result { continuation.resume(returning: result) }
        }
    }
}
