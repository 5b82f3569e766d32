import Formats

/// Why a step failed.
struct StepFailure: Error {
    var step: Scenario.Step
    var reason: String
}

/// One run of a scenario against a gateway. It blocks.
final class ScenarioRun {
    private let scenario: Scenario
    private let client: any ScenarioGateway
    private let desks: [Scenario.Place: any ScenarioDesk]
    private let clock: ScenarioClock
    /// 0: no waiting; otherwise how many times as fast as written.
    private let speed: Int
    private var variables: [String: String]
    private var session: (id: String, cursor: String)?
    private var thread: String?
    /// What the played agent sees.
    private var desk: (any ScenarioEvents)?
    /// The feeds of the actors that are played, by name.
    private var feeds: [String: ScenarioFeed] = [:]
    /// What was said, for the report.
    private(set) var transcript: [String] = []

    /// - Parameter desks: one for each place of a played agent.
    init(
        _ scenario: Scenario, _ client: any ScenarioGateway, _ desks: [Scenario.Place: any ScenarioDesk],
        run: String, speed: Int, clock: ScenarioClock = .real
    ) {
        (self.scenario, self.client, self.desks) = (scenario, client, desks)
        (self.speed, self.clock) = (speed, clock)
        variables = scenario.variables
        variables["run"] = run
    }

    /// Plays all steps. Throws ``StepFailure``, or ``CommandFailure`` for what happens before the first step.
    func play(keeps: Bool) throws {
        defer {
            if let desk { for desks in desks.values { desks.remove(desk) } }
            if !keeps, let session {
                _ = try? client.call("DELETE", GatewayClient.path(["sessions", session.id]), headers: [], body: nil)
            }
        }
        try open()
        for step in scenario.steps {
            do {
                if case .fault(let members) = step.action {
                    try addFault(members)
                    continue
                }
                guard let actor = scenario.actors.first(where: { $0.name == step.actor }), !actor.isExternal else {
                    continue
                }
                if speed > 0, step.after > .zero { clock.sleep(clock.now() + step.after / speed) }
                try perform(step, as: actor)
            } catch let failure as CommandFailure {
                throw StepFailure(step: step, reason: failure.message)
            }
        }
    }

    /// The sandbox is at the gateway of the desk.
    private func addFault(_ members: [(name: String, value: Scenario.Value)]) throws(CommandFailure) {
        let place = scenario.actors.first { $0.side == .agent }?.place ?? Scenario.Place()
        _ = try client.at(place).post("/v1/sandbox/faults") { json in
            for (name, value) in members {
                json.name(name)
                value.write(to: &json, self.filled)
            }
        }
    }

    private func open() throws(CommandFailure) {
        if let actor = scenario.actors.first(where: { $0.side == .customer }) {
            if actor.isExternal { return expectCustomer(actor) }
            let whole = try client.post("/v1/sessions") { json in
                for (name, value) in self.scenario.session {
                    json.name(name)
                    value.write(to: &json, self.filled)
                }
                json.name("customer")
                json.beginObject()
                json.member("id", actor.id.map(self.filled))
                json.member("firstName", actor.title.map(self.filled))
                json.endObject()
            }.root
            guard let id = whole["id"]?.string, let cursor = whole["cursor"]?.string else {
                throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer names no session.")
            }
            session = (id, cursor)
            feeds[actor.name] = ScenarioFeed(try client.events(of: id, after: cursor))
            let open = GatewayClient.path(["sessions", id, "threads"], [("state", "open"), ("limit", "1")])
            thread = try client.read(open).root["items"]?.elements?.first?["id"]?.string
            if thread == nil {
                thread = try client.post(GatewayClient.path(["sessions", id, "threads"])) { _ in }.root["id"]?.string
            }
        }
        if let thread { follow(.thread(thread)) }
        // A feed that begins to read after the first step could miss what follows it.
        for feed in feeds.values { try feed.prepare() }
    }

    /// With an external customer, the first message of the channel begins the run's conversation.
    private func expectCustomer(_ actor: Scenario.Actor) {
        var channel: String?
        if case .text(let text, _)? = scenario.session.first(where: { $0.name == "channel" })?.value {
            channel = filled(text)
        }
        follow(.first(channel: channel, customer: actor.id.map(filled)))
    }

    private func follow(_ conversation: DeskEvents.Conversation) {
        guard let agent = scenario.actors.first(where: { $0.side == .agent && !$0.isExternal }) else { return }
        desk = desks[agent.place]?.events(of: conversation)
        feeds[agent.name] = desk.map { ScenarioFeed($0) }
    }

    private func client(of actor: Scenario.Actor) -> any ScenarioGateway { client.at(actor.place) }

    private func filled(_ text: String) -> String { text.filled { variables[$0] }.text }

    private func path(_ actor: Scenario.Actor, _ part: String, _ step: Scenario.Step) throws -> String {
        guard let thread = thread ?? desk?.thread else {
            throw StepFailure(step: step, reason: "there is no conversation yet: expect one first")
        }
        return switch actor.side {
        case .agent: GatewayClient.path(["desk", "threads", thread, part])
        case .customer: GatewayClient.path(["sessions", session?.id ?? "", "threads", thread, part])
        }
    }

    private func agent(_ actor: Scenario.Actor, _ json: inout JSONWriter) {
        guard actor.side == .agent else { return }
        json.name("agent")
        json.beginObject()
        json.member("id", actor.id.map(filled) ?? actor.name)
        json.member("name", actor.title.map(filled) ?? actor.name)
        json.endObject()
    }

    private func perform(_ step: Scenario.Step, as actor: Scenario.Actor) throws {
        guard let feed = feeds[actor.name] else { return }
        switch step.action {
        case .expect(let expected): return try expect(expected, as: actor, feed, step)
        case .send(let text, let parent, let saved):
            let message = try client(of: actor).post(path(actor, "messages", step)) { json in
                json.member("text", self.filled(text))
                json.member("parentId", parent.map(self.filled))
                self.agent(actor, &json)
            }.root
            feed.begin(behind: message["id"]?.string)
            transcript.append(Transcript.line(message) ?? "")
            for (name, path) in saved {
                // The answer is the message; paths are those of the event about it.
                guard let value = Self.value(message, path.hasPrefix("message.") ? String(path.dropFirst(8)) : path)
                else { throw StepFailure(step: step, reason: "the message has no \(path) to save") }
                variables[name] = value
            }
            return
        case .typing(let time):
            try feed.begin(at: head(actor))
            for isTyping in [true, false] {
                _ = try client(of: actor).post(path(actor, "typing", step)) { json in
                    json.name("isTyping")
                    json.value(isTyping)
                    self.agent(actor, &json)
                }
                if isTyping, speed > 0 { clock.sleep(clock.now() + time / speed) }
            }
        case .close:
            try feed.begin(at: head(actor))
            _ = try client(of: actor).post(path(actor, actor.side == .agent ? "close" : "archive", step), nil)
        case .read:
            try feed.begin(at: head(actor))
            _ = try client(of: actor).post(path(actor, "read", step), nil)
        case .fault(let members): try addFault(members)
        }
    }

    /// Where the log ends for this actor.
    private func head(_ actor: Scenario.Actor) throws(CommandFailure) -> String? {
        let scope = FeedScope(sessions: actor.side == .agent ? [] : [session?.id ?? ""], isDesk: actor.side == .agent)
        return try client(of: actor).read(scope.path(from: .now)).root["cursor"]?.string
    }

    private func expect(
        _ expected: Scenario.Expectation, as actor: Scenario.Actor, _ feed: ScenarioFeed, _ step: Scenario.Step
    ) throws {
        let end = clock.now() + expected.within
        var others: [String] = []
        while let event = try feed.next(until: end) {
            guard let data = (try? JSONText(event.data))?.root, concerns(data) else { continue }
            if event.type == expected.event, comes(event.type, data, from: expected.from, to: actor),
                try expected.conditions.allSatisfy({ try Self.holds(Self.value(data, $0.path), $0.value, variables) })
            {
                for (name, path) in expected.saved {
                    guard let value = Self.value(data, path) else {
                        throw StepFailure(step: step, reason: "the event has no \(path) to save")
                    }
                    variables[name] = value
                }
                if let line = Transcript.line(data["message"]), isPlayedElsewhere(data) { transcript.append(line) }
                return
            }
            if !event.isMark, others.count < 20 {
                others.append("\(event.type) \(EventPrinter.words(event.type, data))")
            }
        }
        let wanted = ([expected.event] + expected.conditions.map { "\($0.path) \(filled($0.value))" })
            .joined(separator: ", ")
        throw StepFailure(
            step: step,
            reason: "\(actor.name) expected \(wanted) within \(expected.within); instead came "
                + (others.isEmpty ? "nothing" : others.joined(separator: "; ")))
    }

    /// Whether the event belongs to this conversation: a session may have others.
    private func concerns(_ data: JSONElement) -> Bool {
        let id = data["threadId"]?.string ?? data["thread"]?["id"]?.string
        return id == nil || thread == nil || id == thread
    }

    private func isPlayedElsewhere(_ data: JSONElement) -> Bool {
        let kind = data["message"]?["author"]?["kind"]?.string
        return scenario.actors.contains { $0.isExternal && ($0.side == .customer) == (kind == "customer") }
    }

    private func comes(_ type: String, _ data: JSONElement, from wanted: String?, to actor: Scenario.Actor) -> Bool {
        guard let author = data["message"]?["author"] ?? data["author"], let kind = author["kind"]?.string else {
            return true
        }
        let isCustomer = kind == "customer"
        // A message that is changed or read may be the actor's own.
        guard let wanted else { return type == "message.updated" || isCustomer == (actor.side == .agent) }
        guard let other = scenario.actors.first(where: { $0.name == wanted }) else { return kind == wanted }
        return isCustomer == (other.side == .customer)
    }

    /// The text or number at a path such as `message.id`.
    private static func value(_ data: JSONElement, _ path: String) -> String? {
        var place = data
        for name in path.split(separator: ".") {
            guard let next = place.members?.first(where: { $0.name == name })?.value else { return nil }
            place = next
        }
        return place.string ?? String(decoding: place.bytes, as: UTF8.self)
    }

    private static func holds(_ value: String?, _ wanted: String, _ variables: [String: String]) throws -> Bool {
        guard let value else { return false }
        guard wanted.count > 1, wanted.hasPrefix("/"), wanted.hasSuffix("/") else {
            return value == wanted.filled { variables[$0] }.text
        }
        // A variable's value is no part of the expression.
        let pattern = wanted.dropFirst().dropLast().description.filled { name in
            variables[name].map { $0.map { $0.isLetter || $0.isNumber ? "\($0)" : "\\\($0)" }.joined() }
        }.text
        return value.contains(try Regex(pattern))
    }
}
