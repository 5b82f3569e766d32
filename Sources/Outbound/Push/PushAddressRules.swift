import HTTPClientPort
import Synchronization

/// Where pushes may go: what a session may name, and not back to the gateway, whose listeners are known once it has
/// started.
package final class PushAddressRules: Sendable {
    private let rules: Mutex<AddressRules>

    package init(allowedHosts: [AllowedHost] = []) { rules = Mutex(AddressRules(allowedHosts: allowedHosts)) }

    package func setOwn(_ listeners: OwnListeners) { rules.withLock { $0.ownListeners = listeners } }

    /// Asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package var judge: ConnectionJudge {
        { [self] target in try rules.withLock { $0 }.judge(.session)(target) }
    }

    /// What an endpoint's URL alone tells, for its registration.
    func check(_ endpoint: AbsoluteURL) throws(AddressRefusal) {
        try rules.withLock { $0 }.check(TargetAddress(endpoint.text), by: .session)
    }
}
