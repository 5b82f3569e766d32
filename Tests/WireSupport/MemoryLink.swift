import CXoneSandbox
import CXoneService
import Synchronization
import TestSupport

/// One WebSocket between two gateways that has no bytes: both ends of it.
///
/// What is on the way when it breaks is lost, on either way.
final class MemoryLink: Socket, SandboxSocket {
    private struct State {
        var isOpen = true
        var isHeld = false
        var tellFar: (@Sendable (SocketNews) -> Void)?
        /// What came before the far end was there to be told.
        var early: [SocketNews] = []
        var toFar: [[UInt8]] = []
        var toNear: [[UInt8]] = []
        /// Pongs to heartbeats that were none of the near end's.
        var swallowed = 0
        var passed = 0
        var frames = 0
    }
    private let state = Mutex(State())
    let texts: AsyncStream<[UInt8]>
    private let feed: AsyncStream<[UInt8]>.Continuation

    init() { (texts, feed) = AsyncStream.makeStream() }

    var isOpen: Bool { state.withLock { $0.isOpen } }
    /// Frames that were put on the way, either way.
    var frameCount: Int { state.withLock { $0.frames } }

    func join(_ tell: @escaping @Sendable (SocketNews) -> Void) {
        let early = state.withLock { state in
            state.tellFar = tell
            defer { state.early = [] }
            return state.early
        }
        for news in early { tell(news) }
    }

    /// While it is held, everything stays on the way.
    func hold(_ isHeld: Bool) {
        state.withLock { state in
            state.isHeld = isHeld
            guard !isHeld, state.isOpen else { return }
            for text in state.toFar { tell(.text(text), &state) }
            for text in state.toNear { feed.yield(text) }
            (state.toFar, state.toNear) = ([], [])
        }
    }

    private func tell(_ news: SocketNews, _ state: inout State) {
        if let tell = state.tellFar { tell(news) } else { state.early.append(news) }
    }

    private func end(_ reason: CloseReason) {
        state.withLock { state in
            guard state.isOpen else { return }
            (state.isOpen, state.toFar, state.toNear) = (false, [], [])
            tell(.closed(reason), &state)
            feed.finish()
        }
    }

    // MARK: The near end

    func send(_ text: [UInt8]) async throws {
        let isSent = state.withLock { state in
            guard state.isOpen else { return false }
            state.frames += 1
            if state.isHeld { state.toFar.append(text) } else { tell(.text(text), &state) }
            return true
        }
        if !isSent { throw SocketClosed() }
    }

    func close() async { end(.client) }

    // MARK: The far end

    var backlog: Int { 0 }

    func flush() {}

    func send(text: [UInt8]) {
        state.withLock { state in
            guard state.isOpen else { return }
            if state.swallowed > 0, text.elementsEqual("\"pong\"".utf8) {
                state.swallowed -= 1
                state.passed += 1
                return
            }
            state.frames += 1
            if state.isHeld { state.toNear.append(text) } else { feed.yield(text) }
        }
    }

    func ping() {}
    func close(_ code: CloseCode) { end(.server) }
    func abort() { end(.server) }
    func handled(_ byteCount: Int) {}

    // MARK: Settling

    /// Returns when the far end has dealt with all that came before, and told what followed.
    func flushFar() async {
        // An answer goes out before what it has caused is told: the second comes after that.
        for _ in 0..<2 {
            let target = state.withLock { state -> Int? in
                guard state.isOpen, !state.isHeld else { return nil }
                state.swallowed += 1
                tell(.text(Array("{\"action\":\"heartbeat\"}".utf8)), &state)
                return state.passed + 1
            }
            guard let target else { return }
            _ = await eventually { [self] in state.withLock { $0.passed >= target || !$0.isOpen } }
        }
    }

    /// Puts a frame before the near end of which it says no more than that it was passed over.
    func mark() -> Bool {
        state.withLock { state in
            guard state.isOpen, !state.isHeld else { return false }
            feed.yield(Array("{\"mark\":1}".utf8))
            return true
        }
    }
}
