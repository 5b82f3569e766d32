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
