import MicroHTTP
import Synchronization

/// The server's loop, as the gateway uses it. ``HTTPServer`` is one; tests bring their own.
public protocol GatewayLoop: AnyObject, Sendable {
    /// Runs a job on the loop's thread, in the order of the calls. False when it does not run any more.
    @discardableResult
    func execute(_ job: @escaping @Sendable () -> Void) -> Bool
    /// When the loop last turned.
    var lastTurn: ContinuousClock.Instant { get }
    var statistics: ServerStatistics { get }
    var addresses: [BoundAddress] { get }
}

extension HTTPServer: GatewayLoop {}

/// Where the gateway stands between start and end.
final class GatewayLife: Sendable {
    private struct State {
        // Weak, because the server holds the application as its handler.
        weak var loop: (any GatewayLoop)?
        var isDraining = false
    }

    private let state = Mutex(State())

    var loop: (any GatewayLoop)? { state.withLock { $0.loop } }
    var isDraining: Bool { state.withLock { $0.isDraining } }

    func attach(_ loop: any GatewayLoop) { state.withLock { $0.loop = loop } }
    func drain() { state.withLock { $0.isDraining = true } }
}
