import Bounds
import Glibc

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
