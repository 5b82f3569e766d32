import Glibc

/// Limits and intervals of an ``HTTPServer``.
///
/// Sizes are bytes. Changing a value after the server was made has no effect on it.
public struct ServerConfiguration: Sendable {
    /// Where to listen; all must succeed.
    public var listeners: [Listener]
    /// libmicrohttpd daemons that the loop's thread drives (1...64). Resuming one request walks all suspended connections
    /// of its daemon, so more daemons make that walk shorter.
    public var daemons = 8
    /// Memory of one connection in libmicrohttpd, 2048...65536. A request's head must fit in about three quarters of it.
    public var poolSize = 8192
    /// Connections at a time. At the limit the server stops accepting until one closes: further clients wait in the backlog.
    public var maxConnections = 16384
    /// Event streams at a time; a further one is refused with 503 `tooManyStreams`.
    public var maxStreams = 12000
    /// Requests at a time between head and answer, streams apart; a further one is refused with 503 `tooManyRequests`.
    public var maxRequests = 4096
    /// The greatest request body, unless ``HTTPHandler/bodyLimit(for:)`` says otherwise; a greater one is refused with 413 `bodyTooLarge`.
    public var maxBody = 1 << 20
    /// A connection without a request, or one that sends or takes nothing, is closed after this time (whole seconds; zero
    /// is never). Requests that are being answered later, and streams, are not idle.
    public var idleTimeout: Duration = .seconds(30)
    /// How often each stream's ``EventSource/heartbeat(_:)`` is called; zero is never.
    public var heartbeat: Duration = .seconds(15)
    /// A stream whose socket took nothing for this time though bytes are waiting is closed as ``StreamEnd/stalled``.
    public var stallLimit: Duration = .seconds(60)
    /// `TCP_USER_TIMEOUT`: how long sent bytes may stay unacknowledged before the kernel gives the connection up; nil is the kernel's own.
    public var userTimeout: Duration? = .seconds(30)
    /// The most that one call of ``EventSource/fill(_:)`` may append, and so the most that one stream keeps unsent.
    public var streamBuffer = 64 << 10
    /// `SO_SNDBUF` of a stream's socket; nil lets the kernel tune it.
    public var sendBuffer: Int?
    /// Threads that send to streams when many have something to send, the loop's own included.
    public var senders = min(4, max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    /// Length of the listening sockets' queues; the kernel caps it at `net.core.somaxconn`.
    public var backlog: Int32 = 4096

    public init(listeners: [Listener]) {
        self.listeners = listeners
    }
}
