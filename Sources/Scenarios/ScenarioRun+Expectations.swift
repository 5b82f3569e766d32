import Formats

extension ScenarioRun {
    /// Waits for an event, and takes it.
    func expect(
        _ expected: Scenario.Expectation, as actor: Scenario.Actor, _ feed: ScenarioFeed, _ step: Scenario.Step
    ) throws {
        let end = clock.now() + expected.within
        var others: [String] = []
        while let event = try feed.next(until: end) {
            guard let data = (try? JSONText(event.data))?.root, concerns(data) else { continue }
            let fault = try mismatch(expected.pattern, event.type, data, actor, step)
            feed.recordSeen(event, isTaken: fault == nil)
            if fault == nil {
                try save(expected.saved, of: data, "the event", step)
                if let line = Transcript.line(data["message"]), isPlayedElsewhere(data) { transcript.append(line) }
                if let once = expected.once { try expectNoSecond(expected.pattern, for: once, as: actor, feed, step) }
                return
            }
            if others.count < 20 {
                others.append(words(event, data) + (fault.flatMap { $0.isEmpty ? nil : " (\($0))" } ?? ""))
            }
        }
        throw StepFailure(
            step: step,
            reason: "\(actor.name) expected \(words(expected.pattern)) within \(expected.within); instead came "
                + (others.isEmpty ? "nothing" : others.joined(separator: "; ")))
    }

    /// What comes is only looked at.
    private func expectNoSecond(
        _ pattern: Scenario.Pattern, for time: Duration, as actor: Scenario.Actor, _ feed: ScenarioFeed,
        _ step: Scenario.Step
    ) throws {
        try watch(feed, for: time) { event, data in
            guard try mismatch(pattern, event.type, data, actor, step) == nil else { return }
            throw StepFailure(
                step: step,
                reason: "\(actor.name) expected \(words(pattern)) once; a second one came: \(words(event, data))")
        }
    }

    func expectNothingElse(
        for time: Duration, as actor: Scenario.Actor, _ feed: ScenarioFeed, _ step: Scenario.Step
    ) throws {
        let other = Scenario.Pattern()
        func check(_ event: ScenarioEvent, _ data: JSONElement) throws {
            guard try mismatch(other, event.type, data, actor, step) == nil else { return }
            throw StepFailure(
                step: step, reason: "\(actor.name) expected nothing else; but there was \(words(event, data))")
        }
        for (event, isTaken) in feed.seen where !isTaken {
            if let data = (try? JSONText(event.data))?.root { try check(event, data) }
        }
        try watch(feed, for: time, check)
    }

    func expectNone(
        of patterns: [Scenario.Pattern], for time: Duration, as actor: Scenario.Actor, _ feed: ScenarioFeed,
        _ step: Scenario.Step
    ) throws {
        func check(_ event: ScenarioEvent, _ data: JSONElement) throws {
            for pattern in patterns where try mismatch(pattern, event.type, data, actor, step) == nil {
                throw StepFailure(
                    step: step,
                    reason: "\(actor.name) expected no \(words(pattern)); but there was \(words(event, data))")
            }
        }
        for (event, _) in feed.seen { if let data = (try? JSONText(event.data))?.root { try check(event, data) } }
        try watch(feed, for: time, check)
    }

    /// Looks at what comes in a time, and leaves it to the steps to come.
    private func watch(
        _ feed: ScenarioFeed, for time: Duration, _ check: (ScenarioEvent, JSONElement) throws -> Void
    ) throws {
        let end = clock.now() + time
        var looked: [ScenarioEvent] = []
        while let event = try feed.next(until: end) {
            looked.append(event)
            if let data = (try? JSONText(event.data))?.root, concerns(data) { try check(event, data) }
        }
        feed.putBack(looked)
    }

    // MARK: Events

    /// Why an event is not the one that is meant: empty for one of another type, nil if it is the one.
    private func mismatch(
        _ pattern: Scenario.Pattern, _ type: String, _ data: JSONElement, _ actor: Scenario.Actor, _ step: Scenario.Step
    ) throws -> String? {
        guard type == pattern.event else { return "" }
        guard comes(type, data, from: pattern.from, to: actor) else {
            return "it is not from \(pattern.from ?? "the other side")"
        }
        for condition in pattern.conditions {
            do {
                if let fault = try condition.fault(in: data, variables) { return fault }
            } catch {
                throw StepFailure(step: step, reason: "\(filled(condition.value)) is no regular expression")
            }
        }
        return nil
    }

    private func words(_ pattern: Scenario.Pattern) -> String {
        ([pattern.event] + pattern.conditions.map { "\($0.path.text) \(filled($0.value))" }).joined(separator: ", ")
    }

    private func words(_ event: ScenarioEvent, _ data: JSONElement) -> String {
        "\(event.type) \(Transcript.words(event.type, data).cut(toScalars: 500).text)"
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
}

/// What an app asks of the sandbox, as the sandbox's frames tell it.
extension ScenarioRun {
    /// From now on an app's requests count. Asks nothing where no step will.
    func countRequests() throws(ScenarioFailure) {
        let isAsked = scenario.steps.contains { if case .requests = $0.action { true } else { false } }
        // No event has this name: only the number of the newest frame is wanted.
        if isAsked { frame = try frames("-", of: nil, after: 0, wait: 0).last }
    }

    /// Waits until an app has asked often enough, and looks at its pauses.
    func expectRequests(_ wanted: Scenario.Requests, _ step: Scenario.Step) throws {
        let end = clock.now() + wanted.within
        let customer = wanted.customer.map(filled)
        var (times, after, wait) = ([Timestamp](), frame, 0)
        while true {
            let found = try frames(wanted.event, of: customer, after: after, wait: wait)
            let left = clock.now().duration(to: end)
            // A wait ends up to a second behind its time. What came then came too late.
            if wait == 0 || left >= .zero { (times, after) = (times + found.times, found.last) }
            if times.count >= wanted.times || left <= .zero { break }
            // At most so many seconds may be asked for.
            wait = min(50, Int(left.components.seconds) + 1)
        }
        guard times.count >= wanted.times else {
            throw StepFailure(
                step: step,
                reason: "the app was expected to ask for \(wanted.event) \(Self.times(wanted.times)) within "
                    + "\(wanted.within); it did so \(Self.times(times.count))")
        }
        let pauses = zip(times, times.dropFirst()).map { $1.milliseconds - $0.milliseconds }
        guard wanted.isSlowing, let first = pauses.first, let last = pauses.last else { return }
        // By a fifth: clients make their pauses uneven on purpose.
        guard last * 5 >= first * 6 else {
            throw StepFailure(
                step: step,
                reason: "the app was expected to wait longer between its attempts at \(wanted.event); its pauses were "
                    + pauses.map { "\($0) ms" }.joined(separator: ", "))
        }
    }

    /// The times of an app's requests of this kind since the frame with the number `after`. Also the number of the newest
    /// frame.
    private func frames(
        _ event: String, of customer: String?, after: Int, wait: Int
    ) throws(ScenarioFailure) -> (times: [Timestamp], last: Int) {
        var query = [("event", event), ("direction", "toSandbox"), ("after", "\(after)")] + platform
        if let customer { query.append(("customer", customer)) }
        if wait > 0 { query.append(("wait", "\(wait)")) }
        let page = try sandbox.read(["sandbox", "frames"], query).root
        // The end of a socket and a fault have a type too.
        let asked = (page["items"]?.elements ?? []).filter { ["frame", "request"].contains($0["kind"]?.string) }
        return (
            asked.compactMap { $0["at"]?.string.flatMap { Timestamp(rfc3339: $0) } },
            page["last"]?.number.flatMap { Int($0) } ?? after
        )
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
