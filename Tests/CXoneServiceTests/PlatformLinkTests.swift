import ChatModel
@testable import CXoneService
import CXoneWire
import Synchronization
import TestSupport
import Testing

/// The heartbeat of one socket.
@Suite(.timeLimit(.minutes(5))) struct PlatformLinkTests {
    /// A socket whose other end the test holds; it never answers by itself.
    private final class SilentSocket: Socket {
        let texts: AsyncStream<[UInt8]>
        private let feed: AsyncStream<[UInt8]>.Continuation
        private let state = Mutex((sent: 0, handled: 0, isClosed: false))

        init() { (texts, feed) = AsyncStream.makeStream() }

        var sentCount: Int { state.withLock { $0.sent } }
        var handledCount: Int { state.withLock { $0.handled } }
        var isClosed: Bool { state.withLock { $0.isClosed } }

        func receive(_ frame: ServerFrame) { feed.yield(frame.encoded()) }
        func handled(_ byteCount: Int) { state.withLock { $0.handled += 1 } }
        func send(_ text: [UInt8]) async throws { state.withLock { $0.sent += 1 } }

        func close() async {
            state.withLock { $0.isClosed = true }
            feed.finish()
        }
    }

    private let clock = ManualClock()
    private let socket = SilentSocket()

    /// - Parameter gate: pushes are dealt with when it is open.
    private func link(_ gate: Gate, _ lost: Flag) -> PlatformLink {
        PlatformLink(
            socket: socket, clock: clock, makeID: { "e" },
            handlers: PlatformLink.Handlers(
                push: { _ in await gate.pass() }, error: { _ in },
                fetch: { (_) throws(ChatError) in throw ChatError(.serverError, "none") }, notice: { _ in },
                loss: { lost.raise() })
        ) { id, event in
            ClientRequest(eventID: id, brandID: 1, channelID: "c", customer: nil, visitorID: nil, event: event)
        }
    }

    /// A heartbeat, and the time in which its pong should come.
    private func beat(after pause: Duration) async {
        let sent = socket.sentCount
        #expect(await eventually { clock.sleeperCount == 1 })
        clock.advance(by: pause)
        // The patience for the pong begins when the heartbeat is sent.
        #expect(await eventually { clock.sleeperCount == 1 })
        #expect(socket.sentCount == sent + 1)
        clock.advance(by: PlatformLink.pongPatience)
    }

    @Test("While frames wait here the pong is not missed; afterwards it is") func waitingFramesExcuseThePong()
        async throws
    {
        let gate = Gate(), lost = Flag(), link = link(gate, lost)
        link.start()
        let typing = ServerPush(
            eventID: "p", createdAt: nil,
            event: .senderTypingEnded(
                SenderTyping(
                    origin: PushOrigin(brandID: 1, channelID: "c"), thread: ThreadReference(id: "t"), agent: nil)))
        for _ in 0..<3 { socket.receive(.push(typing)) }
        #expect(await eventually { link.waitingCount == 3 })
        await beat(after: PlatformLink.heartbeat)
        // It sleeps until the next heartbeat, or has given up.
        #expect(await eventually { clock.sleeperCount == 1 || !link.isOpen })
        #expect(link.isOpen && !lost.isRaised)
        gate.open()
        #expect(await eventually { socket.handledCount == 3 })
        await beat(after: PlatformLink.heartbeat - PlatformLink.pongPatience)
        #expect(await eventually { lost.isRaised && socket.isClosed })
    }

    @Test("A pong is taken at once, however many frames wait") func aPongPassesTheFrames() async throws {
        let gate = Gate(), lost = Flag(), link = link(gate, lost)
        link.start()
        socket.receive(.pong)
        #expect(await eventually { socket.handledCount == 1 })
        #expect(await eventually { clock.sleeperCount == 1 })
        await link.close()
        #expect(clock.sleeperCount == 0 && !lost.isRaised)
    }
}
