import Chat
import ChatModel
import CXoneWire
import Synchronization

/// The requests of one socket that have no answer yet. Each waits for the frame that repeats its `eventId`: up to 10 s,
/// or, where the caller has a deadline of its own, until it forgets the request. All methods may be called from any task.
final class Requests: Sendable {
    /// Takes the answer. It runs in the worker that handles all frames, so that what it writes keeps its place
    /// among the pushes.
    typealias Handler = @Sendable (ServerFrame) async -> Void

    private struct Waiting {
        /// Ascending in the order in which the requests began. All that have a limit wait equally long, so that is the
        /// order of their deadlines too.
        var number: Int
        /// Nil without a limit.
        var alarm: (@Sendable () async throws -> Void)?
        var handle: Handler
        var fail: @Sendable (ChatError) -> Void
    }

    private struct State {
        var waiting: [String: Waiting] = [:]
        var failure: ChatError?
        var next = 0
        /// Sleeps until the earliest deadline. There is one task for all requests, because a cancelled sleep
        /// leaves its timer behind until the deadline, and ten seconds of requests would be many timers. Nil while
        /// nothing waits.
        var watch: Task<Void, Never>?
    }
    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    static let patience = Duration.seconds(10)

    init(clock: any Clock<Duration>) { self.clock = clock }

    /// Sends a request and waits for its answer. Throws what `handle` throws, `eventTimeout`, `notConnected`.
    ///
    /// - Parameters:
    ///   - handle: turns the answer's frame into the result.
    ///   - send: sends the request. It runs after the entry was made, so that a quick answer is not missed.
    func run<T: Sendable>(
        _ eventID: String, handle: @escaping @Sendable (ServerFrame) async throws(ChatError) -> T,
        send: @escaping @Sendable () async throws(ChatError) -> Void
    ) async throws(ChatError) -> T {
        let answer = Answer<Result<T, ChatError>>()
        try wait(for: eventID) { frame in
            await answer.resolve(resultOf: { () throws(ChatError) in try await handle(frame) })
        } fail: {
            answer.resolve(.failure($0))
        }
        do throws(ChatError) {
            try await send()
        } catch {
            fail(eventID, error)
        }
        return try await answer.value().get()
    }

    /// Makes an entry. Exactly one of `handle` (the answer came) and `fail` (none comes) is called, once, unless
    /// ``forget(_:)`` removes the entry first. Throws, and calls neither, when the socket is gone already.
    ///
    /// - Parameter limit: ``patience``, or nil for none.
    func wait(
        for eventID: String, limit: Duration? = Requests.patience, handle: @escaping Handler,
        fail: @escaping @Sendable (ChatError) -> Void
    ) throws(ChatError) {
        assert(limit == nil || limit == Self.patience, "one timer serves all requests in their order")
        let alarm = limit.map(clock.alarm)
        let failure = state.withLock { state -> ChatError? in
            if let failure = state.failure { return failure }
            state.next += 1
            state.waiting[eventID] = Waiting(number: state.next, alarm: alarm, handle: handle, fail: fail)
            if alarm != nil, state.watch == nil { state.watch = watch() }
            return nil
        }
        if let failure { throw failure }
    }

    /// Removes an entry without calling anything. Does nothing if it has ended.
    func forget(_ eventID: String) { state.withLock { _ = $0.waiting.removeValue(forKey: eventID) } }

    /// Waits for one deadline after the other, and ends when nothing waits.
    private func watch() -> Task<Void, Never> {
        Task { [weak self] in
            while let (eventID, alarm) = self?.first() {
                do { try await alarm() } catch { return }
                self?.fail(eventID, ChatError(.eventTimeout, "The platform did not answer within 10 seconds."))
            }
        }
    }

    /// The entry with the earliest deadline. If there is none, the watch ends; the next entry starts another one.
    private func first() -> (String, @Sendable () async throws -> Void)? {
        state.withLock { state in
            let first = state.waiting.lazy.filter { $0.value.alarm != nil }.min { $0.value.number < $1.value.number }
            guard let first, let alarm = first.value.alarm else {
                state.watch = nil
                return nil
            }
            return (first.key, alarm)
        }
    }

    /// Hands a frame to the request that it answers, and returns when the request has handled it. False if no
    /// request waits for it, for example after the time limit.
    func answer(_ eventID: String, with frame: ServerFrame) async -> Bool {
        let handle = state.withLock { $0.waiting.removeValue(forKey: eventID)?.handle }
        guard let handle else { return false }
        await handle(frame)
        return true
    }

    /// Ends one request with an error. Does nothing if it has ended.
    func fail(_ eventID: String, _ error: ChatError) {
        state.withLock { $0.waiting.removeValue(forKey: eventID) }?.fail(error)
    }

    /// Ends all requests with an error, and refuses all later ones with it. The first error stays.
    func failAll(_ error: ChatError) {
        let waiting = state.withLock { state in
            defer { (state.waiting, state.watch) = ([:], nil) }
            state.failure = state.failure ?? error
            state.watch?.cancel()
            return state.waiting.values
        }
        for one in waiting { one.fail(error) }
    }
}
