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
    ///
    /// - Parameter byteCount: about what it takes in memory.
    case push(PushEvent, byteCount: Int)

    /// What counts in the memory of the session's socket.
    fileprivate var cost: Int {
        switch self {
        case .live(let event): 256 + event.data.count
        case .push(_, let byteCount): 256 + byteCount
        case .socket, .wake: 0
        }
    }
}

/// An event of the chat's log; swift-log has a type of the same name.
typealias ChatEvent = LogEvent

/// The inputs of a session; may be filled from any thread. It holds at most the socket's window
/// (``WebSocketMessages/window``), one wake-up and 64 live events, however slow the client is. The live events count in
/// the memory of its socket.
final class SessionInbox: Sendable {
    /// The session reads it, and calls ``took(_:)`` for each input.
    let inputs: AsyncStream<SessionInput>
    private let continuation: AsyncStream<SessionInput>.Continuation
    private let memory: SocketMemory
    private struct State {
        var isWoken = false
        var live = 0
        /// How many frames may still begin after the socket was closed; nil while it is open.
        var last: Int?
    }
    private let state = Mutex(State())
    /// Live events that may wait; more are lost, as they would be on the way.
    private static let liveLimit = 64
    /// Frames that are still handled when their client has left. It may say its last words and close; but nobody waits
    /// for more, and there may be hundreds.
    static let lastFrames = 8

    init(memory: SocketMemory) {
        self.memory = memory
        (inputs, continuation) = AsyncStream.makeStream()
    }

    /// Adds what the socket tells. Not bounded here: the socket is not read beyond its window.
    func put(_ news: SocketNews) {
        if case .closed(let reason) = news { end(after: reason == .client ? Self.lastFrames : 0) }
        continuation.yield(.socket(news))
    }

    /// The socket is closed, or will be: what has come of it is handled only as far as this.
    func end(after frames: Int) { state.withLock { $0.last = min($0.last ?? frames, frames) } }

    /// Whether the client has left, so that nobody hears an answer.
    var isOver: Bool { state.withLock { $0.last != nil } }

    /// Whether the next frame is handled.
    func beginsFrame() -> Bool {
        state.withLock { state in
            guard let last = state.last else { return true }
            state.last = max(0, last - 1)
            return last > 0
        }
    }

    /// Wakes the session because the log has something new. Does nothing if a wake-up waits already.
    func wake() {
        let isFirst = state.withLock { state in
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if isFirst { continuation.yield(.wake) }
    }

    /// Adds an event that the log does not have. It is lost if 64 wait already, or if there is no room for it.
    func put(live input: SessionInput) {
        let fits = state.withLock { state in
            guard state.live < Self.liveLimit, memory.reserve(input.cost) else { return false }
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
            case .live, .push:
                state.live -= 1
                memory.giveBack(input.cost)
            case .socket: break
            }
        }
    }

    /// Ends the stream; the session then ends after what waits.
    func finish() { continuation.finish() }
}
