import ChatModel
import ChatStore

/// Tells sessions that have screens how much their account has not read, by the live event `unread.updated`.
extension Notifications {
    /// - Parameter events: nil: some were lost, and any total may have changed.
    func tellTotals(after events: [LogEvent]?) async {
        let accounts = events.map(accountsWithOtherTotals) ?? accountsWithScreens
        for account in accounts {
            // What cannot be read now is told with the next change.
            guard let total = try? await store.read({ try $0.unreadTotal(of: account) }) else { continue }
            let sessions = sessionsToTell(total, of: account)
            if sessions.isEmpty { continue }
            store.feed.publish(UnreadUpdatedEvent(total), to: sessions.map { .session($0) })
        }
    }

    /// The accounts with screens whose totals may have changed by the events. Most events leave a total of nothing as
    /// it is.
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
