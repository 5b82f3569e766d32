import Bounds
import Glibc
import Synchronization

/// A small HTTP/1.1 server: one thread of its own, over libmicrohttpd.
///
/// An ``HTTPHandler`` answers requests on that thread, at once or later; event streams are written by it too. Use
/// ``execute(_:)`` to run code on that thread. A server that is released without ``stop(grace:)`` stops at once.
///
/// ```swift
/// func serve(_ handler: any HTTPHandler) async throws {
///     let configuration = ServerConfiguration(listeners: [.tcp(host: "127.0.0.1", port: 0)])
///     let server = HTTPServer(configuration: configuration, handler: handler)
///     try server.start()
///     print(server.addresses)
///     await server.stop(grace: .seconds(5))
/// }
/// ```
public final class HTTPServer: Sendable {
    private let configuration: ServerConfiguration
    private let life: ServerLife

    public init(configuration: ServerConfiguration, handler: any HTTPHandler) {
        self.configuration = configuration
        life = ServerLife(handler: handler)
    }

    deinit { life.requestStop() }

    /// Binds all listeners and starts the thread. When it returns, clients can connect.
    /// - Throws: ``ServerError``; nothing stays open then.
    public func start() throws(ServerError) {
        try life.start(configuration)
    }

    /// Where it listens, in the order of the configuration, with real ports; empty before ``start()``.
    public var addresses: [BoundAddress] { life.addresses }

    /// Runs a job on the loop's thread, in the order of the calls. Jobs of a batch cost one system call together.
    /// - Returns: false when the server does not run; the job is dropped then.
    @discardableResult
    public func execute(_ job: @escaping @Sendable () -> Void) -> Bool { life.loop?.mailbox.post(job) ?? false }

    /// Stops gracefully: no new connections are accepted, idle ones close, each stream ends after its source's last
    /// events (``EventSource/draining(_:)``), and requests in flight finish. When the grace is over, the rest is closed
    /// at once. Returns when everything is closed.
    ///
    /// May be called again, also before the first call has returned: the earliest end counts.
    public func stop(grace: Duration) async {
        await withCheckedContinuation { life.stop(grace: grace, then: $0) }
    }

    /// Closes everything without any grace, and returns when that is done. On the loop's own thread it returns at once.
    public func stopNow() { life.stopNow() }

    public var statistics: ServerStatistics { life.loop?.mailbox.statistics ?? ServerStatistics() }

    /// When the loop last turned: at most a little over a second ago while it lives, unless a handler blocks it.
    public var lastTurn: ContinuousClock.Instant { life.loop?.mailbox.lastTurn ?? ContinuousClock.now }
}

/// Why a server could not start.
public enum ServerError: Error, Sendable, CustomStringConvertible {
    /// Another process listens there.
    case addressInUse(Listener)
    /// The process may not bind there (a port under 1024, a directory it cannot write).
    case permissionDenied(Listener)
    /// Not a numeric address, not an address of this machine, or a socket path that is too long or no socket.
    case invalidAddress(Listener)
    /// No listener was given.
    case noListeners
    /// ``HTTPServer/start()`` was called before; a server starts once.
    case alreadyStarted
    /// The system refused something else: which call, and its `errno`.
    case system(call: String, errno: Int32)
    /// libmicrohttpd would not start.
    case library
    /// This libmicrohttpd stores heads in a way in which the request gate cannot detect malformed ones (`LayoutCheck`).
    case unknownLayout(version: String)

    public var description: String {
        switch self {
        case .addressInUse(let listener): "\(listener): address already in use"
        case .permissionDenied(let listener): "\(listener): permission denied"
        case .invalidAddress(let listener): "\(listener): not an address that can be listened on"
        case .noListeners: "no address to listen on was given"
        case .alreadyStarted: "this server was started before"
        case .system(let call, let code): "\(call): \(String(cString: strerror(code)))"
        case .library: "libmicrohttpd did not start"
        case .unknownLayout(let version):
            "libmicrohttpd \(version) cannot be used: the server cannot check the heads that it parses"
        }
    }
}

/// What a server counts. All numbers were taken at the same moment, when the loop last went to sleep.
public struct ServerStatistics: Sendable, Hashable {
    /// Open now.
    public var connections = 0
    /// Complete and being answered by tasks now.
    public var requestsInFlight = 0
    /// With a body that is still coming now.
    public var requestsIncomplete = 0
    /// Open now, those whose head is still going out included.
    public var streams = 0
    /// Since the start, each of the following.
    public var connectionsAccepted = 0
    public var requests = 0
    public var streamsOpened = 0
    /// Bytes that the kernel took from streams, framing included.
    public var streamBytes = 0
    /// Connections that left HTTP.
    public var upgrades = 0
    /// Turns of the loop.
    public var turns = 0
    /// Requests that MicroHTTP refused by itself.
    public var refusals = 0
    /// Connections that were closed because they took too long, or to make room.
    public var connectionsGivenUp = 0
    /// Reading requests whose task was cancelled, because their client had gone or because they took too long.
    public var requestsAbandoned = 0
    /// Times that accepting paused: at the connection limit, or out of descriptors.
    public var acceptPauses = 0
    public var streamsEnded = 0
    public var streamsPeerGone = 0
    public var streamsStalled = 0
    public var streamsRefused = 0
    public var streamsStopped = 0

    public init() {}

    mutating func count(_ end: StreamEnd) {
        switch end {
        case .ended: streamsEnded += 1
        case .peerGone: streamsPeerGone += 1
        case .stalled: streamsStalled += 1
        case .refused: streamsRefused += 1
        case .stopped: streamsStopped += 1
        }
    }

    /// Streams closed since the start for this reason.
    public func streamsClosed(_ reason: StreamEnd) -> Int {
        switch reason {
        case .ended: streamsEnded
        case .peerGone: streamsPeerGone
        case .stalled: streamsStalled
        case .refused: streamsRefused
        case .stopped: streamsStopped
        }
    }
}

/// Limits and intervals of an ``HTTPServer``.
///
/// Sizes are bytes. Changing a value after the server was made has no effect on it.
public struct ServerConfiguration: Sendable {
    /// Where to listen; all must succeed.
    public var listeners: [Listener]
    /// libmicrohttpd daemons that the loop's thread drives (1...64). Resuming one request walks all suspended
    /// connections of its daemon, so more daemons make that walk shorter.
    public var daemons = 8
    /// Memory of one connection in libmicrohttpd, 2048...65536. A request's head must fit in about three quarters of
    /// it, each header and each cookie with 64 bytes more.
    public var poolSize = 8192
    /// Connections at a time. At the limit the oldest of those give way that are idle or whose request is still coming,
    /// and those whose answer is taken slowly; connections that had no request of a known sender go first. Only if there
    /// are none do further clients wait in the backlog. Fewer when the process may not open so many descriptors: 256 of
    /// them stay for other things.
    public var maxConnections = 16384
    /// Event streams at a time, at most three quarters of the connections; a further one is refused with 503
    /// `tooManyStreams`. These places and those of the next limits are shared by holder (`SharedPlaces`): whoever has
    /// its share gets 429 `shareExceeded`.
    public var maxStreams = 12000
    /// Complete requests at a time that wait for a ``HTTPReply/later(_:)``; a further one is refused with 503
    /// `tooManyRequests`, unless the handler says that it ``HTTPHandler/isAlwaysAnswered(_:)``.
    public var maxRequests = 4096
    /// Requests at a time whose body is still coming. At the limit the oldest give way with 503 `tooManyRequests`,
    /// those of unknown senders first. Where a holder has its share, the oldest of its own gives way with 429.
    public var maxIncomplete = 4096
    /// Bytes of bodies and answers that are in memory, all together. At the limit incomplete requests give way, those
    /// of unknown senders first, then answers that wait for their client to take them. Those that hold most go first.
    /// An answer with a body of up to 64 KiB is counted, and sent though there is no room. The rest is shared by holder
    /// (`ByteShares`): whoever has its share gets 429 `shareExceeded`, and only its own requests and answers give way.
    public var maxMemory = ByteBound.memory.bytes
    /// What the whole process holds in memory for its clients; nil if the server is alone.
    public var memory: ByteCounter?
    /// Bytes that all streams together have unsent; they are part of `maxMemory`, and shared by holder. A stream whose
    /// bytes find no room is closed as ``StreamEnd/stalled``. What several streams of a holder have alike counts once.
    public var maxUnsent = ByteBound.unsent.bytes
    /// Requests at a time whose body a ``BodySink`` takes, which has buffers of its own; a further one is refused with
    /// 503 `tooManyRequests`.
    public var maxSinks = 256
    /// How long a request may take to come, from its first line to the end of its body: this time, and what its body
    /// needs at `slowestBody`. Otherwise it is refused with 408 `requestTimeout`. An answer may take `idleTimeout` and
    /// what its body needs at the same rate; then the connection is closed.
    public var requestTime: Duration = .seconds(10)
    /// The task of a GET or HEAD is cancelled after this time. What it answers then is still sent.
    public var readTime: Duration = .seconds(120)
    /// Bytes a second.
    public var slowestBody = 4096
    /// The greatest request body, unless ``HTTPHandler/bodyLimit(for:)`` says otherwise; a greater one is refused with
    /// 413 `bodyTooLarge`.
    public var maxBody = 1 << 20
    /// A connection without a request, or one that sends or takes nothing, is closed after this time (whole seconds;
    /// zero is never). A part of a first line is no request. Requests that are being answered later, and streams, are
    /// not idle.
    public var idleTimeout: Duration = .seconds(30)
    /// How often each stream's ``EventSource/heartbeat(_:)`` is called; zero is never.
    public var heartbeat: Duration = .seconds(15)
    /// Called on the loop's thread at its start and then in this interval, so that it stops while the loop hangs; nil
    /// calls nothing. It must not block.
    public var pulse: (interval: Duration, action: @Sendable () -> Void)?
    /// A stream whose socket took nothing for this time though bytes are waiting is closed as ``StreamEnd/stalled``.
    public var stallLimit: Duration = .seconds(60)
    /// `TCP_USER_TIMEOUT`: how long sent bytes may stay unacknowledged before the kernel gives the connection up; nil
    /// is the kernel's own.
    public var userTimeout: Duration? = .seconds(30)
    /// The most that one call of ``EventSource/fill(_:)`` may append, and so the most that one stream keeps unsent.
    public var streamBuffer = 64 << 10
    /// `SO_SNDBUF` of a stream's socket; nil lets the kernel tune it.
    public var sendBuffer: Int?
    /// Threads that send to streams when many have something to send, the loop's own included.
    public var senders = min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// Whether these threads send to many streams by one system call (io_uring), if the kernel permits it.
    public var usesRings = true
    /// Length of the listening sockets' queues; the kernel caps it at `net.core.somaxconn`.
    public var backlog: Int32 = 4096

    public init(listeners: [Listener]) {
        self.listeners = listeners
    }
}
