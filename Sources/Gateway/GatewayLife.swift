import MicroHTTP
import Synchronization

/// The server's loop, as far as the gateway uses it. ``HTTPServer`` is the real one; tests bring their own.
public protocol GatewayLoop: AnyObject, Sendable {
    /// Runs a job on the loop's thread, in the order of the calls. Returns false when the loop does not run any more;
    /// the job is dropped then.
    @discardableResult
    func execute(_ job: @escaping @Sendable () -> Void) -> Bool
    /// When the loop last turned. `/livez` fails when that is more than 5 seconds ago.
    var lastTurn: ContinuousClock.Instant { get }
    /// The server's counters, for the metrics.
    var statistics: ServerStatistics { get }
    /// The addresses on which the server listens; complete before it accepts its first connection.
    var addresses: [BoundAddress] { get }
}

extension HTTPServer: GatewayLoop {}

/// The gateway's connection with its server, and whether it is stopping. Any thread may use it.
final class GatewayLife: Sendable {
    private struct State {
        // Weak, because the server holds the application as its handler.
        weak var loop: (any GatewayLoop)?
        var isDraining = false
    }

    private let state = Mutex(State())

    /// Nil before ``attach(_:)``, and when the server is gone.
    var loop: (any GatewayLoop)? { state.withLock { $0.loop } }
    /// Whether `/readyz` should say no.
    var isDraining: Bool { state.withLock { $0.isDraining } }

    /// Remembers the loop weakly, since the server holds the application.
    func attach(_ loop: any GatewayLoop) { state.withLock { $0.loop = loop } }
    /// Cannot be undone: a gateway that drains is about to stop.
    func drain() { state.withLock { $0.isDraining = true } }
}
