import CMicroHTTPD
import Glibc
import Synchronization

/// Checks whether the linked libmicrohttpd stores heads in memory in the way that ``RequestGate`` reads them.
///
/// The gate detects malformed heads by the addresses of their fields (see ``HeadFields``). Another version of the
/// library may place the fields differently. So before a server starts, it sends some heads through its own gate and
/// compares the statuses. The library's version number is not asked.
enum LayoutCheck {
    /// A head, and the status of its answer.
    typealias Sample = (head: String, status: Int)

    static let samples: [Sample] = [
        ("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nX-B:  2 \r\nX-C:\r\n\r\n", 204),
        ("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\nX-B: 2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n folded\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\nX-A: 1\u{0}2\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: a\r\n: 1\r\nX-B: 2\r\n\r\n", 400),
        // More parameters than the pool has room for. They pass only if the library records none of them.
        ("GET /?\(String(repeating: "x=1&", count: 500)) HTTP/1.1\r\nHost: a\r\n\r\n", 204),
        ("GET /\u{0}?\(String(repeating: "x=1&", count: 500)) HTTP/1.1\r\nHost: a\r\n\r\n", 400),
    ]

    /// The result of the check; nil before it. A check that failed with a system error is repeated at the next start.
    private static let found = Mutex<Bool?>(nil)

    /// Whether the samples get their statuses. The check runs once in a process.
    static func passes() throws(ServerError) -> Bool {
        if let known = found.withLock({ $0 }) { return known }
        let passes = try check(samples)
        found.withLock { $0 = passes }
        return passes
    }

    /// Whether each head gets its status from a loop with one daemon and no listeners.
    static func check(_ samples: [Sample]) throws(ServerError) -> Bool {
        var configuration = ServerConfiguration(listeners: [])
        configuration.daemons = 1
        let loop = try Loop(configuration: configuration, handler: Empty())
        try loop.open()
        defer {
            loop.stopNow()
            loop.checkStop()
        }
        for sample in samples {
            let answered = try status(of: sample.head, loop)
            if answered != sample.status { return false }
        }
        return true
    }

    private static func status(of head: String, _ loop: Loop) throws(ServerError) -> Int? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw .system(call: "socketpair", errno: errno) }
        defer { close(ends[1]) }
        let bytes = Array(head.utf8)
        guard send(ends[1], bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            let code = errno
            close(ends[0])
            throw .system(call: "send", errno: code)
        }
        var storage = sockaddr_storage()
        storage.ss_family = sa_family_t(AF_UNIX)
        loop.add(ends[0], peer: .unix(uid: 0), storage, socklen_t(MemoryLayout<sa_family_t>.size))
        var answer = [UInt8](repeating: 0, count: 64)
        // The whole head is in the socket already. The library needs a few runs to read and answer it.
        for _ in 0..<20 {
            loop.daemons[0].run(now: loop.now)
            let count = recv(ends[1], &answer, answer.count, 0)
            guard count > 12 else { continue }
            return Int(String(decoding: answer[9..<12], as: UTF8.self))
        }
        return nil
    }

    private struct Empty: HTTPHandler {
        func respond(to request: HTTPRequest) -> HTTPReply { .now(HTTPResponse(status: 204)) }
    }
}
