import DequeModule
import Synchronization

/// What each visitor last told about its device. A visitor tells it over HTTP before its socket names the
/// customer, so it is kept here until then. May be used from any task.
///
/// The visitor that was named first gives way when there are too many. Nothing is lost but what was told before a socket
/// was opened: a device that was registered is in the store.
final class VisitorDevices: Sendable {
    private let state = Mutex((news: [String: DeviceNews](), order: Deque<String>()))

    /// The most visitors that are remembered.
    static let limit = 10_000

    /// Replaces what the visitor told before. A new visitor may displace the oldest one.
    func put(_ news: DeviceNews, of visitor: String) {
        state.withLock { state in
            if state.news.updateValue(news, forKey: visitor) == nil { state.order.append(visitor) }
            while state.order.count > Self.limit, let first = state.order.popFirst() { state.news[first] = nil }
        }
    }

    /// Nil if the visitor told nothing, or was displaced.
    func news(of visitor: String) -> DeviceNews? { state.withLock { $0.news[visitor] } }
}
