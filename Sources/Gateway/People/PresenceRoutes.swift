import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

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
