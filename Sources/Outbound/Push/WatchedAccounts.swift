import ChatStore
import Synchronization

/// Who has devices: what an event costs that concerns nobody of them is a look into this set.
final class WatchedAccounts: Sendable {
    private let audiences = Mutex<Set<Audience>>([])

    /// Accounts, and the desk.
    var all: Set<Audience> { audiences.withLock { $0 } }

    func set(_ audiences: Set<Audience>) { self.audiences.withLock { $0 = audiences } }

    /// Whether one of the events tells somebody with a device of a message. It runs on the store's writer.
    func areConcerned(by events: [LogEvent]) -> Bool {
        audiences.withLock { audiences in
            guard !audiences.isEmpty else { return false }
            return events.contains { event in
                event.type == .messageCreated && event.offset != nil && event.members.contains { audiences.contains($0.audience) }
            }
        }
    }
}
