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
        /// No piece follows.
        var isOver = false
        /// What has come is all of it.
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
            if state.isClosed || state.isOver { return (nil, nil) }
            if state.start > Self.limit {
                state.bytes.removeFirst(state.start)
                state.start = 0
            }
            state.bytes.append(contentsOf: piece)
            if state.count > Self.limit { state.room = Answer() }
            return (state.stream, state.room)
        }
        stream?.wakeSoon()
        await room?.value()
        if state.withLock({ $0.isClosed || $0.isOver }) { throw CancellationError() }
    }

    /// No piece follows. Whoever waits for room waits no more.
    ///
    /// - Parameter isWhole: false: the client is to see that something is missing.
    func end(isWhole: Bool) {
        let (stream, room) = state.withLock { state -> (EventStream?, Answer<Void>?) in
            if state.isOver { return (nil, nil) }
            state.isOver = true
            state.isWhole = isWhole
            defer { state.room = nil }
            return (state.stream, state.room)
        }
        stream?.wakeSoon()
        room?.resolve(())
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
            if state.isOver, !state.isWhole { state.stream?.leaveUnfinished() }
            return (bytes, state.room, state.isOver ? .end : .idle)
        }
        out.append(bytes)
        room?.resolve(())
        return progress
    }

    /// The active gateway's own signs of life are passed on.
    func heartbeat(_ out: inout EventBuffer) {}

    /// The server stops: what is missing then must be seen.
    func draining(_ out: inout EventBuffer) {
        state.withLock { state in
            if state.count > 0 || !state.isWhole { state.stream?.leaveUnfinished() }
        }
    }

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
