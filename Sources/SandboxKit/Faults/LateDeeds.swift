import Bounds
import MicroHTTP
import Synchronization

/// How much the requests hold that are done late. May be used from any task.
final class LateDeeds: Sendable {
    private let held = Mutex(0)

    var bytes: Int { held.withLock { $0 } }

    /// What a request may hold beside its body: its head.
    private static let head = 64 << 10

    /// Reserves the bytes of a request. False if there is no room.
    func take(_ request: HTTPRequest) -> Bool {
        held.withLock { held in
            guard held + Self.weight(request) <= ByteBound.lateDeeds.bytes else { return false }
            held += Self.weight(request)
            return true
        }
    }

    func giveBack(_ request: HTTPRequest) { held.withLock { $0 -= Self.weight(request) } }

    private static func weight(_ request: HTTPRequest) -> Int { head + request.body.count }
}
