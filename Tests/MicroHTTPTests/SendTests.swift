import Glibc
import Testing

@testable import MicroHTTP

/// One system call for each send, and one for many, must do the same. Where the kernel does not permit io_uring, as in
/// many containers, both tests run the first way.
@Suite struct SendTests {
    /// A socket that takes all, a full one, one that takes a part, and one whose peer has gone; many of each, so that
    /// a ring needs several calls.
    @Test(arguments: [false, true], [0, 2]) func everyOrderIsCarriedOut(usesRings: Bool, helpers: Int) throws {
        let crew = SendCrew(helpers: helpers, usesRings: usesRings)
        defer { crew.stop() }
        var pairs: [Pair] = []
        for _ in 0..<50 {
            let (full, half) = (try Pair(), try Pair())
            full.fill()
            half.fill()
            half.takeSome()
            pairs += [try Pair(), full, half, try Pair(isBroken: true)]
        }
        let bytes = [UInt8](repeating: 7, count: 400_000)
        bytes.withUnsafeBytes { bytes in
            let orders = UnsafeMutableBufferPointer<SendOrder>.allocate(capacity: pairs.count)
            defer { orders.deallocate() }
            for (index, pair) in pairs.enumerated() {
                let size = index % 4 == 0 ? 10 + index : bytes.count
                orders.initializeElement(
                    at: index, to: SendOrder(descriptor: pair.server, bytes: .init(rebasing: bytes[..<size])))
            }
            crew.carryOut(orders)
            for (index, order) in orders.enumerated() {
                switch index % 4 {
                case 0: #expect(order.sent == 10 + index)
                case 1: #expect(order.sent == 0)
                case 2: #expect(order.sent.map { $0 > 0 && $0 < bytes.count } == true)
                default: #expect(order.sent == nil)
                }
            }
        }
    }

    /// Two connected sockets.
    private final class Pair {
        let server: Int32
        let client: Int32

        init(isBroken: Bool = false) throws {
            var ends: [Int32] = [-1, -1]
            let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
            (server, client) = (ends[0], ends[1])
            if isBroken { shutdown(server, Int32(SHUT_WR)) }
        }

        deinit {
            close(server)
            close(client)
        }

        /// Sends until the kernel takes nothing more.
        func fill() {
            let bytes = [UInt8](repeating: 1, count: 10_000)
            while send(server, bytes, bytes.count, Int32(MSG_NOSIGNAL)) > 0 {}
        }

        func takeSome() {
            var bytes = [UInt8](repeating: 0, count: 50_000)
            _ = recv(client, &bytes, bytes.count, 0)
        }
    }
}
