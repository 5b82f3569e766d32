import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP
import Synchronization

/// `/v1/desk/presence`: which agents are at the desk, and at which conversation.
struct PresenceRoutes: RouteGroup {
    private static let path = "/v1/desk/presence"

    let desk: any DeskService

    var routes: [Route] {
        let desk = desk
        return [
            Route(
                .get, Self.path, "listPresence", access: .scope(.deskRead),
                handler: .now { call in
                    let all = call.core.presence.all(within: call.rights.channels)
                    return call.json(headers: [Call.revalidate]) { json in
                        json.beginObject()
                        json.member("items", all)
                        json.endObject()
                    }
                }),
            Route(
                .put, Self.path, "setPresence", access: .scope(.deskWrite), query: .only(DeskRoutes.acting),
                body: .json,
                handler: .aside { call in
                    let body: PresenceBody = try call.body()
                    _ = try call.actingAgent  // what the query names is looked at, also beside the body
                    var agent = try call.agent(body.agent)
                    agent.name = agent.name ?? agent.id
                    let place = try await call.place(body.thread, desk)
                    call.core.reportPresence(
                        DeskPresence(agent: agent, state: body.state, place: place, doing: body.doing),
                        within: call.rights.channels, desk)
                    return call.noContent()
                }),
        ]
    }
}

/// `{"state","threadId"?,"doing"?,"agent"?}`: what an agent's page says.
struct PresenceBody: RequestBody {
    let state: DeskPresence.State
    let thread: String?
    let doing: DeskPresence.Doing?
    let agent: Agent?

    init(reading object: inout ObjectReader) {
        state = object.requiredChoice("state", of: DeskPresence.State.allCases) ?? .online
        thread = object.optionalID("threadId")
        doing = object.optionalChoice("doing", of: DeskPresence.Doing.allCases)
        agent = AgentBody.optional(&object)
        if doing != nil, thread == nil { object.reject("doing", "this needs the member threadId") }
        if state == .offline, thread != nil { object.reject("threadId", "whoever is offline is at no conversation") }
    }
}

extension Call {
    /// The conversation of this id, with what tells it apart from others. Throws `unknownThread`, `ambiguousThread`.
    fileprivate func place(_ thread: String?, _ desk: any DeskService) async throws -> DeskPresence.Place? {
        let (channel, customer) = (try query.channel("channel"), try query.identifier("customer"))
        guard let thread else { return nil }
        let meant = DeskThread(id: thread, channel: channel, customer: customer, within: rights.channels)
        let found = try JSONText(try await desk.thread(meant).body).root
        guard let channel = found["channel"]?.string, let customer = found["customer"]?["id"]?.string else {
            return nil
        }
        return DeskPresence.Place(threadID: thread, channel: channel, customerID: customer)
    }
}

extension GatewayCore {
    /// Notes what an agent's page says, tells the desk if it is news, and forgets it when nothing is heard for a while.
    fileprivate func reportPresence(_ presence: DeskPresence, within channels: Set<String>?, _ desk: any DeskService) {
        guard let (number, isNews, changesStaff) = self.presence.report(presence, within: channels) else { return }
        if isNews { publishPresence(presence) }
        let tellStaff = { @Sendable [book = self.presence] in desk.staffChanged { book.hasStaff($0) } }
        if changesStaff { tellStaff() }
        guard presence.state != .offline else { return }
        let agent = presence.agent.id
        let timer = Task { [weak self, clock] in
            do {
                try await clock.sleep(for: PresenceBook.life)
            } catch {
                return  // something newer was heard
            }
            guard let core = self, let gone = core.presence.expire(number, of: agent) else { return }
            core.publishPresence(gone)
            tellStaff()
        }
        self.presence.setTimer(timer, for: number, of: agent)
    }

    /// Whoever does not see the conversation hears that the agent is there; the others also hear where.
    private func publishPresence(_ presence: DeskPresence) {
        let bare = DeskPresence(agent: presence.agent, state: presence.state)
        store.feed.publish(PresenceUpdatedEvent(bare), to: [.desk])
        guard let place = presence.place else { return }
        let owner = ThreadOwner(channel: place.channel, customer: place.customerID)
        store.feed.publish(PresenceUpdatedEvent(presence), to: [.desk], owner: owner)
    }
}

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
