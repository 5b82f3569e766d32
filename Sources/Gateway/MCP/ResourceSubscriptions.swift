import DequeModule
import Synchronization

/// What clients of 2025 want to hear of on their streams, by the name that `initialize` gave them. Any thread may use
/// it.
///
/// A name is nothing else: a request with an unknown one is answered like any other. So clients survive a restart of
/// the gateway, and only have to subscribe again.
final class ResourceSubscriptions: Sendable {
    /// Resources that one client follows at most.
    static let limit = 100
    /// Clients that are remembered.
    private static let capacity = 1000

    private struct State {
        var chats: [String: Set<ChatHandle>] = [:]
        /// The names in the order in which they came.
        var names: Deque<String> = []
    }
    private let state = Mutex(State())

    /// Notes that a client wants to hear of a chat, or not any more. False when it follows too many.
    func set(_ isWanted: Bool, _ chat: ChatHandle, for session: String) -> Bool {
        state.withLock { state in
            guard isWanted else {
                state.chats[session]?.remove(chat)
                return true
            }
            if state.chats[session] == nil {
                state.names.append(session)
                state.chats[session] = []
                if state.names.count > Self.capacity, let oldest = state.names.popFirst() { state.chats[oldest] = nil }
            }
            guard state.chats[session, default: []].count < Self.limit else {
                return state.chats[session]?.contains(chat) == true
            }
            state.chats[session]?.insert(chat)
            return true
        }
    }

    func contains(_ chat: ChatHandle, for session: String) -> Bool {
        state.withLock { $0.chats[session]?.contains(chat) == true }
    }

    /// Forgets a client that says goodbye.
    func remove(_ session: String) {
        state.withLock { state in
            guard state.chats.removeValue(forKey: session) != nil else { return }
            state.names.removeAll { $0 == session }
        }
    }
}
