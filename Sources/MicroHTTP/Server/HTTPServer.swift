import Glibc
import Synchronization

/// A small HTTP/1.1 server: one thread of its own, over libmicrohttpd.
///
/// An ``HTTPHandler`` answers requests on that thread, at once or later; event streams are written by it too. Use
/// ``execute(_:)`` to run code on that thread. A server that is released without ``stop(grace:)`` stops at once.
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
