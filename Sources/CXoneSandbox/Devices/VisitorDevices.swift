import DequeModule
import Synchronization

/// What visitors told of their devices last. A visitor tells it over HTTP before its socket says for whom it acts, so it
/// is kept until then.
///
/// The visitor that was named first gives way when there are too many. Nothing is lost but what was told before a socket
/// was opened: a device that was registered is in the store.
final class VisitorDevices: Sendable {
    private let state = Mutex((news: [String: DeviceNews](), order: Deque<String>()))

    static let limit = 10_000

    func put(_ news: DeviceNews, of visitor: String) {
        state.withLock { state in
            if state.news.updateValue(news, forKey: visitor) == nil { state.order.append(visitor) }
            while state.order.count > Self.limit, let first = state.order.popFirst() { state.news[first] = nil }
        }
    }

    func news(of visitor: String) -> DeviceNews? { state.withLock { $0.news[visitor] } }
}
