import CMicroHTTPD

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
