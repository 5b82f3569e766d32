import ChatModel
import Synchronization

/// Who is at the desk now, as the pages of agents say again and again. In memory only: after a restart they say it anew. Any
/// thread may use it.
package final class PresenceBook: Sendable {
    private struct Entry {
        var presence: DeskPresence
        /// The channels that the agent sees; nil for all.
        var channels: Set<String>?
        /// Tells the reports of one agent apart.
        var number: Int
        /// Forgets the agent in time.
        var timer: Task<Void, Never>?
    }

    /// How long a report counts.
    static let life = Duration.seconds(60)
    /// The most agents that are remembered; a further one is not heard.
    static let limit = 2000

    private let entries = Mutex<(byAgent: [String: Entry], last: Int)>(([:], 0))

    /// Notes what an agent's page says.
    ///
    /// - Parameter channels: the channels that the agent sees; nil for all.
    /// - Returns: the number of the report, for ``expire(_:of:)``, whether it says something new, and whether there may be an
    ///   agent now on a channel that had none, or none any more; nil when too many agents are remembered.
    func report(
        _ presence: DeskPresence, within channels: Set<String>? = nil
    ) -> (number: Int, isNews: Bool, changesStaff: Bool)? {
        entries.withLock { entries in
            let known = entries.byAgent[presence.agent.id]
            guard known != nil || entries.byAgent.count < Self.limit else { return nil }
            entries.last += 1
            known?.timer?.cancel()
            let isNews = known?.presence != presence
            entries.byAgent[presence.agent.id] =
                presence.state == .offline
                ? nil : Entry(presence: presence, channels: channels, number: entries.last)
            let (was, isOnline) = (known?.presence.state == .online, presence.state == .online)
            return (
                entries.last, isNews && (known != nil || presence.state != .offline),
                was != isOnline || isOnline && known?.channels != channels
            )
        }
    }

    /// Whether an agent is there who sees the channel, and is not away.
    func hasStaff(_ channel: String) -> Bool {
        entries.withLock { entries in
            entries.byAgent.values.contains {
                $0.presence.state == .online && ($0.channels?.contains(channel) ?? true)
            }
        }
    }

    /// Keeps what forgets the agent after this report; the next report cancels it.
    func setTimer(_ timer: Task<Void, Never>, for number: Int, of agent: String) {
        let isLate = entries.withLock { entries in
            guard entries.byAgent[agent]?.number == number else { return true }
            entries.byAgent[agent]?.timer = timer
            return false
        }
        if isLate { timer.cancel() }
    }

    /// Forgets an agent of whom nothing was heard after this report. Returns what is to be told: that the agent is gone.
    func expire(_ number: Int, of agent: String) -> DeskPresence? {
        entries.withLock { entries in
            guard let entry = entries.byAgent[agent], entry.number == number else { return nil }
            entries.byAgent[agent] = nil
            return DeskPresence(agent: entry.presence.agent, state: .offline)
        }
    }

    /// All who are there, by id; where they are is left out if it is on another channel.
    ///
    /// - Parameter channels: the channels that the reader sees; nil for all.
    func all(within channels: Set<String>?) -> [DeskPresence] {
        let all = entries.withLock { $0.byAgent.values.map(\.presence) }.sorted { $0.agent.id < $1.agent.id }
        return all.map { $0.seen(within: channels) }
    }
}

extension DeskPresence {
    /// The same without a conversation that the reader does not see.
    func seen(within channels: Set<String>?) -> DeskPresence {
        guard let channels, let place, !channels.contains(place.channel) else { return self }
        return DeskPresence(agent: agent, state: state)
    }
}
