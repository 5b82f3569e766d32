import ChatStore
import CXoneWire
import Synchronization

/// What a session has to deal with, in its order.
enum SessionInput: Sendable {
    case socket(SocketNews)
    /// The log has something new for the customer.
    case wake
    /// Something that is live only: typing.
    case live(LogEvent)
    /// A push that no event of the log stands for.
    case push(PushEvent)
}

/// An event of the chat's log; swift-log has a type of the same name.
typealias ChatEvent = LogEvent

/// Where everybody puts what a session is to deal with. It holds no more than the socket's window
/// (``WebSocketMessages/window``), one wake-up and a few live events, however slow the client is.
final class SessionInbox: Sendable {
    let inputs: AsyncStream<SessionInput>
    private let continuation: AsyncStream<SessionInput>.Continuation
    private let state = Mutex((isWoken: false, live: 0))
    /// Live events that may wait; more are lost, as they would be on the way.
    private static let liveLimit = 64

    init() { (inputs, continuation) = AsyncStream.makeStream() }

    func put(_ news: SocketNews) { continuation.yield(.socket(news)) }

    func wake() {
        let isFirst = state.withLock { state in
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isFirst { continuation.yield(.wake) }
    }

    func put(live input: SessionInput) {
        let fits = state.withLock { state in
            guard state.live < Self.liveLimit else { return false }
            state.live += 1
            return true
        }
        if fits { continuation.yield(input) }
    }

    /// An input was taken out.
    func took(_ input: SessionInput) {
        state.withLock { state in
            switch input {
            case .wake: state.isWoken = false
            case .live, .push: state.live -= 1
            case .socket: break
            }
        }
    }

    func finish() { continuation.finish() }
}
