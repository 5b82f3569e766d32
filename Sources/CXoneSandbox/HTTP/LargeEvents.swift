import ChatModel
import DequeModule
import Synchronization

/// Events that are too large for a frame, kept for a while to be fetched (`EventInS3`). What does not fit is forgotten, oldest
/// first.
final class LargeEvents: Sendable {
    /// Bytes from which on an event is fetched: what the platform's gateway takes in a frame.
    static let threshold = 128 << 10
    private static let capacity = 64 << 20

    private struct State {
        var order: Deque<String> = []
        var bodies: [String: [UInt8]] = [:]
        var byteCount = 0
    }
    private let state = Mutex(State())
    private let environment: ModelEnvironment
    private let brand: Int

    init(environment: ModelEnvironment, brand: Int) {
        self.environment = environment
        self.brand = brand
    }

    /// Returns where the event can be fetched: by whoever knows the address.
    func keep(_ body: [UInt8], base: String) -> String {
        let id = environment.makeID()
        state.withLock { state in
            state.order.append(id)
            state.bodies[id] = body
            state.byteCount += body.count
            while state.byteCount > Self.capacity, let oldest = state.order.popFirst() {
                state.byteCount -= state.bodies.removeValue(forKey: oldest)?.count ?? 0
            }
        }
        return "\(base)/chat/1.0/brand/\(brand)/events/\(id)"
    }

    func body(_ id: String) -> [UInt8]? { state.withLock { $0.bodies[id] } }
}
