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

/// The inputs of a session; may be filled from any thread. It holds at most the socket's window
/// (``WebSocketMessages/window``), one wake-up and 64 live events, however slow the client is.
final class SessionInbox: Sendable {
    /// The session reads it, and calls ``took(_:)`` for each input.
    let inputs: AsyncStream<SessionInput>
    private let continuation: AsyncStream<SessionInput>.Continuation
    private let state = Mutex((isWoken: false, live: 0, readsNothing: false))
    /// Live events that may wait; more are lost, as they would be on the way.
    private static let liveLimit = 64

    init() { (inputs, continuation) = AsyncStream.makeStream() }

    /// Adds what the socket tells. Not bounded here: the socket is not read beyond its window.
    func put(_ news: SocketNews) {
        if case .closed(.refused(.policyViolation)) = news { state.withLock { $0.readsNothing = true } }
        continuation.yield(.socket(news))
    }

    /// Whether the socket was closed because the client read nothing. The requests before that are not worth handling:
    /// nobody reads their answers, and there may be hundreds.
    var readsNothing: Bool { state.withLock { $0.readsNothing } }

    /// Wakes the session because the log has something new. Does nothing if a wake-up waits already.
    func wake() {
        let isFirst = state.withLock { state in
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isFirst { continuation.yield(.wake) }
    }

    /// Adds an event that the log does not have. It is lost if 64 wait already.
    func put(live input: SessionInput) {
        let fits = state.withLock { state in
            guard state.live < Self.liveLimit else { return false }
            state.live += 1
            return true
        }
        if fits { continuation.yield(input) }
    }

    /// The session has taken an input out, which makes room for the next of its kind.
    func took(_ input: SessionInput) {
        state.withLock { state in
            switch input {
            case .wake: state.isWoken = false
            case .live, .push: state.live -= 1
            case .socket: break
            }
        }
    }

    /// Ends the stream; the session then ends after what waits.
    func finish() { continuation.finish() }
}
