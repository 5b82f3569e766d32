import ChatModel
import DequeModule
import Synchronization

/// Events that are too large for a frame, kept in memory until the client fetches them (`EventInS3`). When there
/// are too many bytes, the oldest events are dropped: first those of the same client, then those of all. May be
/// used from any task.
final class LargeEvents: Sendable {
    /// Bytes from which on an event is fetched: what the platform's gateway takes in a frame.
    static let threshold = 128 << 10
    /// Bytes that are kept, of all clients together and of one. The last event of a client is kept whatever its size
    /// is.
    static let capacity = 64 << 20, capacityOfOne = 8 << 20

    private struct Event {
        var body: [UInt8]
        var owner: Int
    }

    private struct State {
        var events: [String: Event] = [:]
        /// Oldest first.
        var order: Deque<String> = []
        var orders: [Int: Deque<String>] = [:]
        var byteCount = 0
        var byteCounts: [Int: Int] = [:]

        mutating func remove(_ id: String) {
            guard let event = events.removeValue(forKey: id) else { return }
            byteCount -= event.body.count
            byteCounts[event.owner, default: 0] -= event.body.count
            // A search through both is cheap: only events above the threshold are kept, so they are few.
            order.removeAll { $0 == id }
            orders[event.owner]?.removeAll { $0 == id }
            if orders[event.owner]?.isEmpty == true { (orders[event.owner], byteCounts[event.owner]) = (nil, nil) }
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
    /// ones.
    ///
    /// - Parameter owner: the session's number.
    func keep(_ body: [UInt8], of owner: Int, base: String) -> String {
        let id = environment.makeID()
        state.withLock { state in
            while state.byteCounts[owner, default: 0] + body.count > Self.capacityOfOne,
                let oldest = state.orders[owner]?.first
            {
                state.remove(oldest)
            }
            while state.byteCount + body.count > Self.capacity, let oldest = state.order.first { state.remove(oldest) }
            state.events[id] = Event(body: body, owner: owner)
            state.order.append(id)
            state.orders[owner, default: []].append(id)
            state.byteCount += body.count
            state.byteCounts[owner, default: 0] += body.count
        }
        return "\(base)/chat/1.0/brand/\(brand)/events/\(id)"
    }

    /// The event's JSON; nil if it was dropped. It can be fetched more than once.
    func body(_ id: String) -> [UInt8]? { state.withLock { $0.events[id]?.body } }

    /// The client has gone, and fetches nothing any more.
    func forget(_ owner: Int) {
        state.withLock { state in for id in state.orders[owner] ?? [] { state.remove(id) } }
    }

    /// Bytes that are kept now.
    var byteCount: Int { state.withLock { $0.byteCount } }
}
