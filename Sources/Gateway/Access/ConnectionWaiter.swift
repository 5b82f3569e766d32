import Chat
import ChatModel
import ChatStore
import Synchronization

/// Lets requests wait for a session that is connecting, woken by the session's own event.
final class ConnectionWaiter: Sendable {
    private struct Waiting {
        var next = 0
        var byNumber: [Int: (session: String, continuation: CheckedContinuation<Void, Never>)] = [:]
    }

    private let waiting: WaitingRoom
    private let subscription: Subscription
    private let limit: Duration
    private let sleep: @Sendable (Duration) async throws -> Void

    /// The part that the feed's receiver holds, so that the waiter itself can be let go.
    private final class WaitingRoom: Sendable {
        let state = Mutex(Waiting())

        func release(session: String) {
            let released = state.withLock { state in
                let numbers = state.byNumber.filter { $0.value.session == session }.map(\.key)
                return numbers.compactMap { state.byNumber.removeValue(forKey: $0)?.continuation }
            }
            for continuation in released { continuation.resume() }
        }

        func release(number: Int) {
            state.withLock { $0.byNumber.removeValue(forKey: number)?.continuation }?.resume()
        }
    }

    init(feed: EventFeed, limit: Duration, sleep: @escaping @Sendable (Duration) async throws -> Void) {
        self.limit = limit
        self.sleep = sleep
        let room = WaitingRoom()
        waiting = room
        subscription = feed.subscribe { events in
            for event in events where event.type == .chatUpdated {
                for case .session(let id) in event.audiences { room.release(session: id) }
            }
        }
    }

    deinit { subscription.cancel() }

    /// Returns at once unless the session is on its way to a connection; then when it has one, has failed, or the time is up.
    func wait(for client: ChatClient) async {
        guard Self.isConnecting(client) else { return }
        let deadline = Task { [limit, sleep] in try await sleep(limit) }
        defer { deadline.cancel() }
        // Several states may pass by before the last.
        let isOver = Mutex(false)
        let alarm = Task { [waiting] in
            guard case .success = await deadline.result else { return }
            isOver.withLock { $0 = true }
            waiting.release(session: client.id)
        }
        defer { alarm.cancel() }
        while Self.isConnecting(client), !isOver.withLock({ $0 }) {
            await withCheckedContinuation { continuation in
                let number = waiting.state.withLock { state in
                    state.next += 1
                    state.byNumber[state.next] = (client.id, continuation)
                    return state.next
                }
                // It may have happened just before.
                if !Self.isConnecting(client) || isOver.withLock({ $0 }) { waiting.release(number: number) }
            }
        }
    }

    private static func isConnecting(_ client: ChatClient) -> Bool {
        let state = client.snapshot.state
        return state == .preparing || state == .connecting
    }
}
