import CMicroHTTPD
import Glibc
import Synchronization

/// One libmicrohttpd daemon without threads or listening socket: a set of connections with an epoll of its own.
final class Daemon {
    let handle: OpaquePointer
    let descriptor: Int32
    private let callbacks: UnsafeMutablePointer<cmhd_callbacks>
    /// A connection was added or resumed, its epoll reported something, or the last run left work: run it in this
    /// turn.
    @exclusivity(unchecked) var mustRun = false
    /// When it must run next even if nothing happens, because of the library's timeouts.
    @exclusivity(unchecked) var deadline = Nanoseconds.max
    /// Connections whose request line is read and whose head is not complete.
    @exclusivity(unchecked) var heads: [Connection] = []

    /// - Parameter context: the loop. It is not retained: the loop stops the daemon before the loop is released.
    init(configuration: ServerConfiguration, context: UnsafeMutableRawPointer) throws(ServerError) {
        callbacks = .allocate(capacity: 1)
        callbacks.initialize(
            to: cmhd_callbacks(
                access: onAccess, completed: onCompleted, connection: onConnection, uri: onTarget, log: onLog,
                context: context,
                target: nil, value: nil, end: nil))
        // The loop itself keeps `maxConnections`, over all daemons. The library's limit for each daemon is higher, so
        // that it is never reached first.
        let limit = UInt32(clamping: configuration.maxConnections + 1024)
        guard let handle = cmhd_start(callbacks, configuration.pool, limit, configuration.idleSeconds) else {
            callbacks.deallocate()
            throw .library
        }
        self.handle = handle
        descriptor = cmhd_epoll_descriptor(handle)
    }

    /// Lets the library handle what is ready, then asks when it wants to run next.
    func run(now: Nanoseconds) {
        mustRun = false
        _ = MHD_run(handle)
        var milliseconds: UInt64 = 0
        if MHD_get_timeout(handle, &milliseconds) == .YES {
            if milliseconds == 0 { mustRun = true } else { deadline = now + Int64(clamping: milliseconds) * 1_000_000 }
        } else {
            deadline = .max
        }
    }

    /// Closes all connections. Nothing may be suspended: the library would abort the process.
    func stop() {
        MHD_stop_daemon(handle)
        callbacks.deallocate()
    }
}

extension ServerConfiguration {
    var pool: Int { min(max(poolSize, 2048), 65536) }
    /// The library's own timeout. Rounded up: zero would mean never.
    var idleSeconds: UInt32 { UInt32(clamping: (idleTimeout.nanoseconds + 999_999_999) / 1_000_000_000) }
}

// The functions that the library calls, always on the loop's thread. `context` is the loop.

private func loop(_ context: UnsafeMutableRawPointer?) -> Loop {
    Unmanaged<Loop>.fromOpaque(context!).takeUnretainedValue()
}

private func connection(_ pointer: UnsafeMutableRawPointer) -> Connection {
    Unmanaged<Connection>.fromOpaque(pointer).takeUnretainedValue()
}

private let onConnection: MHD_NotifyConnectionCallback = { context, mhd, socketContext, code in
    if code == .CONNECTION_NOTIFY_STARTED {
        guard let arriving = loop(context).connectionStarted(mhd!) else { return }
        socketContext!.pointee = Unmanaged.passRetained(arriving).toOpaque()
    } else if let pointer = socketContext?.pointee {
        loop(context).connectionClosed(Unmanaged<Connection>.fromOpaque(pointer).takeRetainedValue())
    }
}

/// Called when the request line has been read. Only here does the library give the target as the client sent it.
private func onTarget(
    context: UnsafeMutableRawPointer?, uri: UnsafePointer<CChar>?, mhd: OpaquePointer?
) -> UnsafeMutableRawPointer? {
    guard let pointer = cmhd_socket_context(mhd!) else { return nil }
    loop(context).requestStarted(connection(pointer), target: uri)
    return pointer
}

private let onAccess: MHD_AccessHandlerCallback = { context, _, url, method, version, data, size, request in
    guard let pointer = request?.pointee, let url, let method, let version, let size else { return .NO }
    let line = RequestLine(method: method, url: url, version: version)
    return loop(context).requestAdvanced(connection(pointer), line: line, data: data, size: size)
}

private let onCompleted: MHD_RequestCompletedCallback = { context, _, request, code in
    guard let pointer = request?.pointee else { return }
    request?.pointee = nil
    loop(context).requestCompleted(connection(pointer), normally: code == .REQUEST_TERMINATED_COMPLETED_OK)
}

private func onLog(context: UnsafeMutableRawPointer?, isMemory: Int32) {
    loop(context).libraryComplained(ofMemory: isMemory != 0)
}

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

/// Requests that the library refuses by itself, after it has read the head and before ``RequestGate`` sees it.
///
/// There are two cases. For a Content-Length that is not a number, the library writes the head of its 400 twice, and a
/// client reads that as two answers. For cookies that do not fit in its pool, it sends an HTML page of its own. Neither
/// can be switched off, but the library logs before it answers. At that moment the loop sends its own answer and shuts
/// the socket for writing. The library's answer then fails, and the library closes the connection.
///
/// While a head is incomplete, the log message does not tell whose it is. So a target or a head that is too long still
/// gets the library's page.
extension Loop {
    /// The running daemon has logged something.
    /// - Parameter ofMemory: the message is about a connection's pool that is used up.
    fileprivate func libraryComplained(ofMemory: Bool) {
        guard let daemon = current else { return }
        // `heads` has the connections for which the access handler has not been called. If the head of one of them is
        // complete and not answered, the library is refusing that one now.
        let complete = daemon.heads.first {
            $0.mhd.map { cmhd_head_size($0) > 0 && cmhd_is_answered($0) == 0 } ?? false
        }
        guard let connection = complete else { return }
        forgetHead(connection)
        let refusal =
            ofMemory
            ? headTooLarge
            : HTTPRefusal(
                status: 400, code: "contentLength", detail: "Content-Length may come only once, and must be a number.")
        refusePlainly(connection, refusal)
    }

    private var headTooLarge: HTTPRefusal {
        HTTPRefusal(
            status: 400, code: "malformedHead",
            detail: "The head has too many or too long headers, cookies or parameters.")
    }

    /// In bytes, rounded up: what the library keeps in the connection's pool for each header and each cookie.
    private static let record = 64
    /// In bytes: the part of the pool that stays free for the head of the answer.
    private static let room = 1536

    /// Refuses a request whose head leaves too little of the connection's pool for the head of the answer. Without this
    /// the library would close the connection without an answer, perhaps after the request has been carried out.
    func refusalForRoom(_ mhd: OpaquePointer) -> HTTPRefusal? {
        let pool = configuration.pool
        var used = cmhd_head_size(mhd) + Self.record * Int(MHD_get_connection_values_n(mhd, .HEADER_KIND, nil, nil))
        let cookies = Int(MHD_get_connection_values_n(mhd, .COOKIE_KIND, nil, nil))
        if cookies > 0 {
            // The library keeps a copy of the Cookie header, which it splits in place.
            var length = 0
            _ = MHD_lookup_connection_value_n(mhd, .HEADER_KIND, "Cookie", 6, nil, &length)
            used += Self.record * cookies + length
        }
        return used > pool - min(Self.room, pool / 5) ? headTooLarge : nil
    }

    /// Writes the answer past the library, then shuts the socket for writing, so that the library closes it.
    func refusePlainly(_ connection: Connection, _ refusal: HTTPRefusal) {
        connection.phase = .refused
        connection.status = refusal.status
        sendPlainly(refused(refusal, connection.request), to: connection)
        shutdown(connection.descriptor, Int32(SHUT_WR))
        connection.lingers = true
    }

    /// Writes a whole answer to the socket, past the library; only for requests that the library does not answer. What
    /// the kernel does not take at once is lost.
    func sendPlainly(_ response: HTTPResponse, to connection: Connection) {
        let bytes = plainAnswer(response)
        bytes.withUnsafeBytes { _ = Glibc.send(connection.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }

    private func plainAnswer(_ response: HTTPResponse) -> [UInt8] {
        let response = response.unshared
        var body: [UInt8] = []
        if case .bytes(let bytes) = response.body { body = bytes }
        var head =
            "HTTP/1.1 \(response.status) \(String(cString: MHD_get_reason_phrase_for(UInt32(clamping: response.status))))\r\n"
        for (name, value) in response.headers where !(name + value).utf8.contains(where: { $0 < 0x20 }) {
            head += "\(name): \(value)\r\n"
        }
        head += "Connection: close\r\nContent-Length: \(body.count)\r\n\r\n"
        return Array(head.utf8) + body
    }
}
