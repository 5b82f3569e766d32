import ChatModel
import ChatStore

/// Tells sessions that have screens how much their account has not read, by the live event `unread.updated`. A live
/// event is not stored in the log: who is away reads the total with the next GET.
extension Notifications {
    /// Reads the totals that the events may have changed, and tells those that did change. Called by the log's reader,
    /// one batch after the other.
    ///
    /// - Parameter events: nil says that some events were lost, so any total may have changed.
    func tellTotals(after events: [LogEvent]?) async {
        let accounts = events.map(accountsWithOtherTotals) ?? accountsWithScreens
        for account in accounts {
            // A total that cannot be read now is told with the next change.
            guard let total = try? await store.read({ try $0.unreadTotal(of: account) }) else { continue }
            let sessions = sessionsToTell(total, of: account)
            if sessions.isEmpty { continue }
            store.feed.publish(UnreadUpdatedEvent(total), to: sessions.map { .session($0) })
        }
    }

    /// The accounts with screens whose totals these events may have changed, each once. Most events change a thread
    /// that was read and stays read; those cost no read of the store.
    private func accountsWithOtherTotals(_ events: [LogEvent]) -> [Int64] {
        var found: [Int64] = []
        for event in events where event.type.changesTotals {
            for member in event.members {
                guard case .account(let account) = member.audience, !found.contains(account) else { continue }
                if mayChange(account, by: member.unreadCount) { found.append(account) }
            }
        }
        return found
    }
}

extension EventType {
    /// Whether what an account has not read may be another number after an event of this type.
    var changesTotals: Bool {
        switch self {
        case .threadCreated, .threadUpdated, .threadRemoved: true
        default: false
        }
    }
}
