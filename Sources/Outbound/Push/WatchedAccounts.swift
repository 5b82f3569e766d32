import ChatStore
import Synchronization

/// Who has devices: what an event costs that concerns nobody of them is a look into this set.
final class WatchedAccounts: Sendable {
    private let state = Mutex<(audiences: Set<Audience>, reading: Int)>(([], 0))

    /// Accounts, and the desk.
    var all: Set<Audience> { state.withLock { $0.audiences } }

    /// - Parameter reading: grows with each reading that began. Readings may end in another order than they began: what
    ///   an older one found changes nothing.
    func set(_ audiences: Set<Audience>, reading: Int) {
        state.withLock { state in
            if reading >= state.reading { state = (audiences, reading) }
        }
    }

    /// Whether one of the events tells somebody with a device of a message. It runs on the store's writer.
    func areConcerned(by events: [LogEvent]) -> Bool {
        state.withLock { state in
            let audiences = state.audiences
            guard !audiences.isEmpty else { return false }
            return events.contains { event in
                event.type == .messageCreated && event.offset != nil
                    && event.members.contains { audiences.contains($0.audience) }
            }
        }
    }
}
