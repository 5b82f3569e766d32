import Formats

/// Why a step failed.
struct StepFailure: Error {
    var step: Scenario.Step
    var reason: String
}

/// One run of a scenario against a gateway. It blocks.
final class ScenarioRun {
    let scenario: Scenario
    private let client: any ScenarioGateway
    private let desks: [Scenario.Place: any ScenarioDesk]
    let clock: ScenarioClock
    /// 0: no waiting; otherwise how many times as fast as written.
    private let speed: Int
    private(set) var variables: [String: String]
    private var session: (id: String, cursor: String)?
    private(set) var thread: String?
    /// Whether the run has begun the thread, and whether its agent has closed it.
    private var (isOwnThread, isClosed) = (false, false)
    /// What the played agent sees.
    private var desk: (any ScenarioEvents)?
    /// The feeds of the actors that are played, by name.
    private var feeds: [String: ScenarioFeed] = [:]
    /// The frame of the sandbox behind which an app's requests count.
    var frame = 0
    /// What was said, for the report.
    var transcript: [String] = []

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

    /// Plays all steps. Throws ``StepFailure``, or ``ScenarioFailure`` for what happens before the first step.
    func play(keeps: Bool) throws {
        defer {
            if let desk { for desks in desks.values { desks.remove(desk) } }
            if !keeps { closeThread() }
            if !keeps, let session {
                _ = try? client.call("DELETE", ["sessions", session.id], query: [], body: nil)
            }
        }
        try open()
        for step in scenario.steps {
            do {
                switch step.action {
                case .fault(let members):
                    try addFault(members)
                    continue
                case .requests(let wanted):
                    try expectRequests(wanted, step)
                    continue
                default: break
                }
                guard let actor = scenario.actors.first(where: { $0.name == step.actor }), !actor.isExternal else {
                    continue
                }
                if speed > 0, step.after > .zero { clock.sleep(clock.now() + step.after / speed) }
                try perform(step, as: actor)
            } catch let failure as ScenarioFailure {
                throw StepFailure(step: step, reason: failure.message)
            }
        }
    }

    /// What a run has begun it does not leave to the agents, in whose list it would wait.
    private func closeThread() {
        guard isOwnThread, !isClosed, let thread else { return }
        let place = scenario.actors.first { $0.side == .agent }?.place ?? Scenario.Place()
        _ = try? client.at(place).post(["desk", "threads", thread, "close"])
    }

    /// The sandbox is at the gateway of the desk.
    var sandbox: any ScenarioGateway {
        client.at(scenario.actors.first { $0.side == .agent }?.place ?? Scenario.Place())
    }

    /// Names whose sandbox is meant.
    var platform: [(String, String)] { scenario.platform.map { [("platform", $0)] } ?? [] }

    private func addFault(_ members: [(name: String, value: Scenario.Value)]) throws(ScenarioFailure) {
        try countRequests()
        _ = try sandbox.post(["sandbox", "faults"], platform) { json in
            for (name, value) in members {
                json.name(name)
                value.write(to: &json, self.filled)
            }
        }
    }

    private func open() throws(ScenarioFailure) {
        try countRequests()
        if let actor = scenario.actors.first(where: { $0.side == .customer }) {
            if actor.isExternal { return expectCustomer(actor) }
            let whole = try client.post(["sessions"]) { json in
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
                throw ScenarioFailure("The gateway's answer names no session.")
            }
            session = (id, cursor)
            feeds[actor.name] = ScenarioFeed(try client.events(of: id, after: cursor))
            let open = try client.read(["sessions", id, "threads"], [("state", "open"), ("limit", "1")])
            thread = open.root["items"]?.elements?.first?["id"]?.string
            // Who has an id may have had the thread before.
            isOwnThread = thread == nil || actor.id == nil
            if thread == nil {
                thread = try client.post(["sessions", id, "threads"]) { _ in }.root["id"]?.string
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

    func filled(_ text: String) -> String { text.filled { variables[$0] }.text }

    private func path(_ actor: Scenario.Actor, _ part: String, _ step: Scenario.Step) throws -> [String] {
        guard let thread = thread ?? desk?.thread else {
            throw StepFailure(step: step, reason: "there is no conversation yet: expect one first")
        }
        return switch actor.side {
        case .agent: ["desk", "threads", thread, part]
        case .customer: ["sessions", session?.id ?? "", "threads", thread, part]
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
        case .nothingElse(let time): return try expectNothingElse(for: time, as: actor, feed, step)
        case .noneOf(let patterns, let time): return try expectNone(of: patterns, for: time, as: actor, feed, step)
        case .send(let content): try send(content, as: actor, feed, step)
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
            _ = try client(of: actor).post(path(actor, actor.side == .agent ? "close" : "archive", step))
            if actor.side == .agent { isClosed = true }
        case .read:
            try feed.begin(at: head(actor))
            _ = try client(of: actor).post(path(actor, "read", step))
        case .fault, .requests: break
        }
    }

    private func send(
        _ content: Scenario.Content, as actor: Scenario.Actor, _ feed: ScenarioFeed, _ step: Scenario.Step
    ) throws {
        let file = try content.file.map { file in
            let path = filled(file)
            return try client(of: actor).upload(
                path.hasPrefix("/") ? path : "\(scenario.folder)/\(path)",
                to: actor.side == .agent ? ["desk", "attachments"] : ["sessions", session?.id ?? "", "attachments"])
        }
        let answer = try client(of: actor).post(path(actor, "messages", step)) { json in
            json.member("text", content.text.map(self.filled))
            json.member("postback", content.postback.map(self.filled))
            json.member("parentId", content.replyTo.map(self.filled))
            if let file {
                json.name("attachments")
                json.beginArray()
                json.beginObject()
                json.member("id", file)
                json.endObject()
                json.endArray()
            }
            self.agent(actor, &json)
        }
        feed.begin(behind: answer.root["id"]?.string)
        transcript.append(Transcript.line(answer.root) ?? "")
        if content.saved.isEmpty { return }
        // Paths are those of the event about the message.
        let event = try JSONText.answer(Array("{\"message\":".utf8) + answer.root.bytes + [UInt8(ascii: "}")])
        try save(content.saved, of: event.root, "the message", step)
    }

    func save(_ saved: Scenario.Saved, of data: JSONElement, _ name: String, _ step: Scenario.Step) throws {
        for (variable, path) in saved {
            guard case .values(let values) = path.find(in: data), let value = values.first else {
                throw StepFailure(step: step, reason: "\(name) has no \(path.text) to save")
            }
            variables[variable] = value
        }
    }

    /// Where the log ends for this actor.
    private func head(_ actor: Scenario.Actor) throws(ScenarioFailure) -> String? {
        let path = actor.side == .agent ? ["desk", "events"] : ["sessions", session?.id ?? "", "events"]
        return try client(of: actor).read(path).root["cursor"]?.string
    }
}
