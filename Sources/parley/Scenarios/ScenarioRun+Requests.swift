import Formats

/// What an app asks of the sandbox, as the sandbox's frames tell it.
extension ScenarioRun {
    /// From now on an app's requests count. Asks nothing where no step will.
    func countRequests() throws(CommandFailure) {
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
    ) throws(CommandFailure) -> (times: [Timestamp], last: Int) {
        var query = [("event", event), ("direction", "toSandbox"), ("after", "\(after)")]
        if let customer { query.append(("customer", customer)) }
        if wait > 0 { query.append(("wait", "\(wait)")) }
        let page = try sandbox.read(GatewayClient.path(["sandbox", "frames"], query)).root
        // The end of a socket and a fault have a type too.
        let asked = (page["items"]?.elements ?? []).filter { ["frame", "request"].contains($0["kind"]?.string) }
        return (
            asked.compactMap { $0["at"]?.string.flatMap { Timestamp(rfc3339: $0) } },
            page["last"]?.number.flatMap { Int($0) } ?? after
        )
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }
}
