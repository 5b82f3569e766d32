import Chat
import ChatModel
import CXoneWire
import Synchronization

/// What was asked over one socket: each request waits for the frame that repeats its `eventId`, for 10 s.
final class Requests: Sendable {
    /// Takes the answer where frames are handled one after the other, so that what it writes keeps its place among the pushes.
    typealias Handler = @Sendable (ServerFrame) async -> Void

    private struct Waiting {
        /// In the order in which they began to wait, which is that of their ends.
        var number: Int
        var alarm: @Sendable () async throws -> Void
        /// Nil: no frame ends it.
        var handle: Handler?
        var fail: @Sendable (ChatError) -> Void
    }

    private struct State {
        var waiting: [String: Waiting] = [:]
        var failure: ChatError?
        var next = 0
        /// Sleeps until the time of the first one that waits is over. One for all: a sleep that is cancelled leaves its
        /// timer behind, and ten seconds of messages are many.
        var watch: Task<Void, Never>?
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
        try wait(for: eventID) { frame in
            do throws(ChatError) {
                answer.give(.success(try await handle(frame)))
            } catch {
                answer.give(.failure(error))
            }
        } fail: {
            answer.give(.failure($0))
        }
        do throws(ChatError) {
            try await send()
        } catch {
            fail(eventID, error)
        }
        return try await answer.value().get()
    }

    /// Calls `handle` with the frame that answers a request, or `fail` with why none comes: once, and one of them.
    ///
    /// - Parameter handle: nil for what is awaited beside the answers, which only ``forget(_:)`` ends in time.
    func wait(
        for eventID: String, handle: Handler?, fail: @escaping @Sendable (ChatError) -> Void
    ) throws(ChatError) {
        let alarm = clock.alarm(in: Self.patience)
        let failure = state.withLock { state -> ChatError? in
            if let failure = state.failure { return failure }
            state.next += 1
            state.waiting[eventID] = Waiting(number: state.next, alarm: alarm, handle: handle, fail: fail)
            if state.watch == nil { state.watch = watch() }
            return nil
        }
        if let failure { throw failure }
    }

    func forget(_ eventID: String) { state.withLock { _ = $0.waiting.removeValue(forKey: eventID) } }

    private func watch() -> Task<Void, Never> {
        Task { [weak self] in
            while let (eventID, alarm) = self?.first() {
                do { try await alarm() } catch { return }
                self?.fail(eventID, ChatError(.eventTimeout, "The platform did not answer within 10 seconds."))
            }
        }
    }

    /// Who waits longest; with nobody the watch is over.
    private func first() -> (String, @Sendable () async throws -> Void)? {
        state.withLock { state in
            let first = state.waiting.min { $0.value.number < $1.value.number }
            if first == nil { state.watch = nil }
            return first.map { ($0.key, $0.value.alarm) }
        }
    }

    /// Hands a frame to the request that it answers. Returns false if there is none, also when it came too late.
    func answer(_ eventID: String, with frame: ServerFrame) async -> Bool {
        let handle = state.withLock { state -> Handler? in
            guard let handle = state.waiting[eventID]?.handle else { return nil }
            state.waiting[eventID] = nil
            return handle
        }
        guard let handle else { return false }
        await handle(frame)
        return true
    }

    func fail(_ eventID: String, _ error: ChatError) {
        state.withLock { $0.waiting.removeValue(forKey: eventID) }?.fail(error)
    }

    /// Fails all that wait, and all that come.
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
