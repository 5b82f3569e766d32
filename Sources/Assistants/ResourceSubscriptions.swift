import Bounds
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

    /// Counts the names and handles that are remembered, and those of streams that list theirs. Ids are as long as clients
    /// make them.
    private let memory = ByteCounter(limit: ByteBound.subscriptions.bytes)

    /// Notes that a client wants to hear of a chat, or not any more. Where there is no room, the client that came first is
    /// forgotten. False when it follows too many.
    func set(_ isWanted: Bool, _ chat: ChatHandle, for session: String) -> Bool {
        state.withLock { state in
            guard isWanted else {
                if state.chats[session]?.remove(chat) != nil { memory.giveBack(Self.cost(chat)) }
                return true
            }
            if state.chats[session] == nil {
                state.names.append(session)
                state.chats[session] = []
                memory.keep(Self.cost(session))
                if state.names.count > Self.capacity { forgetFirst(&state) }
            }
            guard state.chats[session, default: []].count < Self.limit else {
                return state.chats[session]?.contains(chat) == true
            }
            guard state.chats[session]?.insert(chat).inserted == true else { return true }
            while !memory.take(Self.cost(chat)) {
                guard state.names.first != session else {
                    state.chats[session]?.remove(chat)
                    return false
                }
                forgetFirst(&state)
            }
            return true
        }
    }

    /// Counts the chats of a stream that lists them, as long as it has the counter. Nil when there is no room.
    func count(_ chats: Set<ChatHandle>) -> ByteCounter? {
        let counter = ByteCounter(limit: ByteBound.subscriptions.bytes, within: memory)
        return counter.take(chats.reduce(0) { $0 + Self.cost($1) }) ? counter : nil
    }

    /// Bytes of all.
    var byteCount: Int { memory.used }

    private func forgetFirst(_ state: inout State) {
        guard let first = state.names.popFirst() else { return }
        forget(first, &state)
    }

    private func forget(_ session: String, _ state: inout State) {
        guard let chats = state.chats.removeValue(forKey: session) else { return }
        memory.giveBack(chats.reduce(Self.cost(session)) { $0 + Self.cost($1) })
    }

    /// About what a name and a handle take in memory.
    private static func cost(_ session: String) -> Int { 256 + 2 * session.utf8.count }
    private static func cost(_ chat: ChatHandle) -> Int {
        128 + chat.channel.utf8.count + chat.customer.utf8.count + chat.thread.utf8.count
    }

    func contains(_ chat: ChatHandle, for session: String) -> Bool {
        state.withLock { $0.chats[session]?.contains(chat) == true }
    }

    /// Forgets a client that says goodbye.
    func remove(_ session: String) {
        state.withLock { state in
            guard state.chats[session] != nil else { return }
            forget(session, &state)
            state.names.removeAll { $0 == session }
        }
    }
}
