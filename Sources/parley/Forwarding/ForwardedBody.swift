import Chat
import MicroHTTP
import Synchronization

/// The body of an answer that is passed on piece by piece. What the client has not taken yet is bounded: the next piece
/// is asked for when there is room for it.
final class ForwardedBody: EventSource {
    private struct State {
        var bytes: [UInt8] = []
        /// Those before it are sent.
        var start = 0
        var isWhole = false
        var isClosed = false
        var stream: EventStream?
        /// Whoever waits for room.
        var room: Answer<Void>?
        var count: Int { bytes.count - start }
    }

    private let state = Mutex(State())
    private let onEnd: @Sendable () -> Void
    /// In bytes.
    private static let limit = 64 << 10

    /// - Parameter onEnd: called when the client has all, or takes no more.
    init(onEnd: @escaping @Sendable () -> Void) { self.onEnd = onEnd }

    /// Takes the next piece. Returns when there is room for another one. Throws when the client has gone.
    func take(_ piece: [UInt8]) async throws {
        let (stream, room) = state.withLock { state -> (EventStream?, Answer<Void>?) in
            if state.isClosed { return (nil, nil) }
            state.bytes.append(contentsOf: piece)
            if state.count > Self.limit { state.room = Answer() }
            return (state.stream, state.room)
        }
        stream?.wakeSoon()
        await room?.value()
        if state.withLock({ $0.isClosed }) { throw CancellationError() }
    }

    /// No piece follows, whether the body is whole or not: of an incomplete one the client has fewer bytes than the head
    /// says, or a stream that ends.
    func end() {
        let stream = state.withLock { state in
            state.isWhole = true
            return state.stream
        }
        stream?.wakeSoon()
    }

    func opened(_ stream: EventStream) { state.withLock { $0.stream = stream } }

    func fill(_ out: inout EventBuffer) -> EventProgress {
        let (bytes, room, progress) = state.withLock { state -> (ArraySlice<UInt8>, Answer<Void>?, EventProgress) in
            let end = min(state.bytes.count, state.start + max(1, out.limit - out.count))
            let bytes = state.bytes[state.start..<end]
            state.start = end
            guard state.count == 0 else { return (bytes, nil, .more) }
            state.bytes = []
            state.start = 0
            defer { state.room = nil }
            return (bytes, state.room, state.isWhole ? .end : .idle)
        }
        out.append(bytes)
        room?.resolve(())
        return progress
    }

    /// The active gateway's own signs of life are passed on.
    func heartbeat(_ out: inout EventBuffer) {}
    func draining(_ out: inout EventBuffer) {}

    func closed(_ reason: StreamEnd) {
        let room = state.withLock { state in
            state.isClosed = true
            state.bytes = []
            state.start = 0
            state.stream = nil
            return state.room
        }
        room?.resolve(())
        onEnd()
    }
}
