import ChatStore
import Synchronization

/// Who has devices: what an event costs that concerns nobody of them is a look into this set.
final class WatchedAccounts: Sendable {
    private let accounts = Mutex<Set<Int64>>([])

    var all: Set<Int64> { accounts.withLock { $0 } }

    func set(_ accounts: Set<Int64>) { self.accounts.withLock { $0 = accounts } }

    /// Whether one of the events tells somebody with a device of a message. It runs on the store's writer.
    func areConcerned(by events: [LogEvent]) -> Bool {
        accounts.withLock { accounts in
            guard !accounts.isEmpty else { return false }
            return events.contains { event in
                event.type == .messageCreated && event.offset != nil && event.members.contains { member in
                    if case .account(let account) = member.audience { accounts.contains(account) } else { false }
                }
            }
        }
    }
}
