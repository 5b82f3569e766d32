import HTTPClientPort
import Synchronization

/// The rules for addresses as they are now: where the gateway itself listens is known only once it does.
package final class CurrentAddressRules: Sendable {
    private let rules: Mutex<AddressRules>

    package init(_ rules: AddressRules = AddressRules()) { self.rules = Mutex(rules) }

    package var current: AddressRules { rules.withLock { $0 } }

    package func set(_ listeners: OwnListeners) { rules.withLock { $0.ownListeners = listeners } }

    /// These rules as they are asked before each connection. A refusal is thrown as ``AddressRefusal``.
    package func judge(_ registrar: AddressRules.Registrar) -> ConnectionJudge {
        { [self] target in try current.judge(registrar)(target) }
    }
}
