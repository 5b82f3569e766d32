import Bounds
import ChatModel
import DequeModule
import Synchronization

/// Events that are too large for a frame, kept in memory until the client fetches them (`EventInS3`). They count as bytes
/// of its socket. When the share of its holder is full, the client's oldest events are dropped, then the holder's. When the
/// share of all unknown visitors is full, their oldest events are dropped. May be used from any task.
final class LargeEvents: Sendable {
    /// Bytes from which on an event is fetched: what the platform's gateway takes in a frame.
    static let threshold = 128 << 10

    private struct Event {
        var body: [UInt8]
        var owner: Int
        var holder: SocketHolder
        var memory: SocketMemory
    }

    private struct State {
        var events: [String: Event] = [:]
        /// Oldest first.
        var order: Deque<String> = []

        mutating func remove(_ id: String) {
            guard let event = events.removeValue(forKey: id) else { return }
            event.memory.giveBack(event.body.count)
            // A search through them is cheap: only events above the threshold are kept, so they are few.
            order.removeAll { $0 == id }
        }

        /// The oldest event that gives way to one of this client.
        func victim(of owner: Int, _ holder: SocketHolder, lacksShare: Bool) -> String? {
            func oldest(_ isOne: (Event) -> Bool) -> String? { order.first { events[$0].map(isOne) == true } }
            guard lacksShare, holder.turn != .nobody else { return oldest { $0.holder.holder == holder.holder } }
            return oldest { $0.owner == owner } ?? oldest { $0.holder == holder }
        }
    }
    private let state = Mutex(State())
    private let environment: ModelEnvironment
    private let brand: Int

    init(environment: ModelEnvironment, brand: Int) {
        self.environment = environment
        self.brand = brand
    }

    /// Keeps an event and returns its URL. Whoever knows the URL can fetch it, as with the platform's signed
    /// ones. Nil when there is no room for it.
    ///
    /// - Parameters:
    ///   - owner: the session's number.
    ///   - memory: counts what its socket holds.
    func storeEvent(
        _ body: [UInt8], of owner: Int, _ holder: SocketHolder, in memory: SocketMemory, base: String
    ) -> String? {
        let id = environment.makeID()
        let isKept = state.withLock { state in
            while !memory.reserve(body.count) {
                let lacksShare = memory.share.lacks(body.count)
                guard let victim = state.victim(of: owner, holder, lacksShare: lacksShare) else { return false }
                state.remove(victim)
            }
            state.events[id] = Event(body: body, owner: owner, holder: holder, memory: memory)
            state.order.append(id)
            return true
        }
        return isKept ? "\(base)/chat/1.0/brand/\(brand)/events/\(id)" : nil
    }

    /// The event's JSON; nil if it was dropped. It can be fetched more than once.
    func body(_ id: String) -> [UInt8]? { state.withLock { $0.events[id]?.body } }

    /// The client has gone, and fetches nothing any more.
    func forget(_ owner: Int) {
        state.withLock { state in
            for id in state.order where state.events[id]?.owner == owner { state.remove(id) }
        }
    }

    /// Bytes that are kept now.
    var byteCount: Int { state.withLock { $0.events.values.reduce(0) { $0 + $1.body.count } } }
}
