import Chat
import ChatModel
import ChatStore
import Formats

/// Somebody at the desk.
package struct KnownAgent: Sendable {
    package let agent: Agent
    /// Whether it is somebody who signs in here.
    package let isPerson: Bool
    /// Whether they are a person who may not sign in any more.
    package let isGone: Bool
    /// The only channels that they see; nil for all.
    private let channels: [String]?

    fileprivate init(_ agent: Agent, person: Person?) {
        let active = person?.state == .active ? person : nil
        self.agent = active?.agent ?? agent
        isPerson = active != nil
        isGone = person != nil && active == nil
        channels = active?.channels
    }

    /// Whether conversations of the channel can be given to them.
    package func takes(_ channel: String) -> Bool { !isGone && channels?.contains(channel) ?? true }
}

extension GatewayCore {
    /// Who has worked at the desk, the one who did so last first; then the other persons who may sign in.
    package func agents(at desk: any DeskService) async throws(ChatError) -> [KnownAgent] {
        let atWork = try await desk.agents()
        let all = people.all()
        let known = atWork.map { agent in
            KnownAgent(agent, person: all.first { $0.id.hasSameBytes(as: agent.id) })
        }
        let others = all.filter { person in
            person.state == .active && !atWork.contains { $0.id.hasSameBytes(as: person.id) }
        }
        return known + others.map { KnownAgent($0.agent, person: $0) }
    }

    /// Who is there now, or away, by the agent's id.
    package var presences: [String: DeskPresence.State] {
        Dictionary(presence.all(within: nil).map { ($0.agent.id, $0.state) }) { first, _ in first }
    }
}
