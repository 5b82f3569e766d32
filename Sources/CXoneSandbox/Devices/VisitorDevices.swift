import CXoneWire
import DequeModule
import Synchronization

/// What each visitor last told about its device. A visitor tells it over HTTP before its socket names the
/// customer, so it is kept here until then. May be used from any task.
///
/// The visitor that was named first gives way when there are too many. Then only news that came
/// before the visitor's socket was opened is lost. A registered device is in the store.
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

    func removeAll() { state.withLock { $0 = ([:], []) } }

    /// Nil if the visitor told nothing, or was displaced.
    func news(of visitor: String) -> DeviceNews? { state.withLock { $0.news[visitor] } }
}

/// What a fingerprint says of the app's device, where it says anything.
enum DeviceNews: Sendable, Hashable {
    /// The app on one of Apple's systems can be reached under this token.
    case token(String)
    /// Nothing is to be pushed to it any more.
    case removed

    /// Bytes of a token. The platform's own are shorter.
    static let maximumTokenLength = 512

    /// Nil where the fingerprint does not mention a token, where the token is too long to be one, or where it is none
    /// of Apple's systems: the device stays as it is known.
    init?(_ fingerprint: DeviceFingerprint?) {
        switch fingerprint?.deviceToken {
        case .token(let token):
            guard token.utf8.count <= Self.maximumTokenLength,
                ["ios", "ipados"].contains(fingerprint?.os?.lowercased())
            else { return nil }
            self = .token(token)
        case .removed: self = .removed
        case nil: return nil
        }
    }
}
