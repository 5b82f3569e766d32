import Chat
import ChatModel
@testable import CXoneSandbox
import CXoneWire
import Dispatch
import Glibc
@testable import MicroHTTP
import NIOCore
import NIOPosix
import TestSupport
import Testing

/// Attacks by clients that send and do not read, over real sockets.
@Suite(.timeLimit(.minutes(5))) struct SlowReaderTests {
    /// How an attack ended.
    private struct End: Sendable {
        var sentBytes: Int
        var isClosed: Bool
    }

    /// A client's end of a socket pair. The far end is a session of the sandbox.
    private static func attack(
        _ scene: Scene, with frame: [UInt8], atMost limit: Int, heartbeat: TimeAmount
    ) async throws -> End {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        let (near, far) = (ends[0], ends[1])
        defer { close(near) }
        let face = try scene.face("multi")
        let session = SandboxSession(
            number: scene.sandbox.nextNumber(), sandbox: scene.sandbox, face: face,
            query: SocketQuery(
                brandID: scene.sandbox.brandID, channelID: face.id, visitorID: nil, sdkPlatform: "ios",
                sdkVersion: "3.3.1"),
            customer: WireCustomer(id: "ada"), base: "http://localhost:8787")
        let inbox = session.inbox
        AdoptedSocket.adopt(
            UpgradedSocket(descriptor: far, early: [], peer: .unix(uid: 0)), on: MultiThreadedEventLoopGroup.singleton,
            heartbeat: heartbeat, memory: session.memory
        ) {
            scene.sandbox.begin(session, on: $0)
        } tell: {
            inbox.put($0)
        }
        let end: End = await withCheckedContinuation { continuation in
            // It blocks, and tasks may not.
            DispatchQueue(label: "attack").async { continuation.resume(returning: flood(near, frame, limit)) }
        }
        try #require(await eventually { scene.sandbox.sessionCount == 0 })
        return end
    }

    /// Writes a frame again and again, until the other side closes, the limit is reached, or two minutes are over.
    private static func flood(_ descriptor: Int32, _ frame: [UInt8], _ limit: Int) -> End {
        let start = ContinuousClock.now
        let block = Array(repeatElement(frame, count: max(1, 16_384 / frame.count)).joined())
        var sent = 0, place = 0
        while sent < limit, ContinuousClock.now - start < .seconds(120) {
            let count = block[place...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                sent += count
                place = (place + count) % block.count
            } else if errno == EAGAIN {
                var poll = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = Glibc.poll(&poll, 1, 100)
            } else {
                return End(sentBytes: sent, isClosed: true)
            }
        }
        shutdown(descriptor, Int32(SHUT_RDWR))
        return End(sentBytes: sent, isClosed: false)
    }

    private static func frame(_ opcode: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            payload.count < 126
            ? [0x80 | UInt8(payload.count)] : [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        return [0x80 | opcode] + length + [0, 0, 0, 0] + payload
    }

    @Test func whoAsksAndReadsNoAnswerIsNotReadAndThenClosed() async throws {
        try await Scene.run { scene in
            let ada = try await scene.client("ada")
            for number in 0..<20 {
                let text = String(repeating: "x", count: 4000)
                _ = try await ada.ask(ada.text(text, id: "m\(number)", in: "t1"))
            }
            ada.session.inbox.put(.closed(.client))
            let request = ClientFrame.request(ada.request(.recoverThread(ThreadReference(id: "t1")))).encoded()
            let end = try await Self.attack(
                scene, with: Self.frame(1, request), atMost: 16 << 20, heartbeat: .milliseconds(100))
            #expect(end.isClosed)
            #expect(end.sentBytes < 4 << 20, "the window, the kernel's buffers, and no more")
            #expect(scene.logged.entries.contains { $0.hasPrefix("client reads nothing") })
        }
    }

    @Test func whoPingsAndReadsNoPongIsClosed() async throws {
        try await Scene.run { scene in
            let ping = Self.frame(9, Array(repeating: 7, count: 125))
            let end = try await Self.attack(scene, with: ping, atMost: 2 << 30, heartbeat: .milliseconds(100))
            #expect(end.isClosed)
        }
    }

    @Test func whoSendsManySmallFramesAndReadsNothingIsClosed() async throws {
        try await Scene.run { scene in
            let heartbeat = Self.frame(1, Array(#"{"action":"heartbeat"}"#.utf8))
            let end = try await Self.attack(scene, with: heartbeat, atMost: 64 << 20, heartbeat: .milliseconds(100))
            #expect(end.isClosed)
        }
    }
}
