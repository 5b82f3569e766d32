import GatewaySupport
import Testing

/// Parley against Parley: what passes on the embedded service passes through CXone's protocol as well, over real
/// sockets, in all three modes, and both sides have the same afterwards. What the wire changes or excludes stands in
/// ``WireException``.
@Suite struct WireScenarioTests {
    @Test(arguments: ["multi", "single", "live"])
    func whatPassesOnTheEmbeddedServicePassesThroughTheWire(channel: String) async throws {
        let scenarios = try await passing(on: channel).filter {
            if case .excluded = $0.wireException { false } else { true }
        }
        #expect(scenarios.count > 50)
        // What changes nothing needs no gateways of its own.
        try await WireGateway.run(on: channel) { gateway in
            for scenario in scenarios where scenario.changesNothing { try await check(scenario, at: gateway) }
        }
        for scenario in scenarios where !scenario.changesNothing {
            try await WireGateway.run(on: channel) { gateway in try await check(scenario, at: gateway) }
        }
    }

    /// The scenarios are written for the channel `multi`; those that the embedded service passes on another one as
    /// well.
    private func passing(on channel: String) async throws -> [Scenario] {
        if channel == "multi" { return Scenario.throughTheWire }
        var passing: [Scenario] = []
        func passes(_ scenario: Scenario, at gateway: TestGateway) async throws -> Bool {
            let answers = try await Driver.process.answers(to: scenario.requests(at: gateway, live: nil), at: gateway)
            guard let last = answers.last, answers.dropLast().allSatisfy({ $0.status < 300 }) else { return false }
            return scenario.failures(of: last, at: gateway).isEmpty
        }
        // Of live chats their own table says enough; what is about sessions, files and the like goes one way on all
        // channels.
        let all = (Scenario.threads + Scenario.messages + Scenario.desk + Scenario.live)
            .filter { !$0.usesLiveChat && !$0.path.hasPrefix("/v1/desk/channels") }
        try await TestGateway.run(on: channel) { gateway in
            for scenario in all where scenario.changesNothing {
                if try await passes(scenario, at: gateway) { passing.append(scenario) }
            }
        }
        for scenario in all where !scenario.changesNothing {
            try await TestGateway.run(on: channel) { gateway in
                if try await passes(scenario, at: gateway) { passing.append(scenario) }
            }
        }
        return passing
    }

    private func check(_ original: Scenario, at gateway: WireGateway) async throws {
        var scenario = original, isTold = true
        switch original.wireException {
        case .changed(_, let change): change(&scenario)
        case .untold: isTold = false
        case .refused, .excluded, nil: break
        }
        let (answers, last, live) = try await gateway.answers(to: scenario)
        var failures = answers.dropLast().filter { $0.status >= 300 }.map { "before: \($0.body)" }
        if let answer = answers.last { failures += scenario.failures(of: answer, at: last, live: live) }
        if case .refused(let capability) = original.wireException,
            let refusal = answers.first(where: { $0.status >= 300 })
        {
            let isNamed = refusal.body.contains("no capability \(capability.rawValue)")
            if isNamed, refusal.body.contains("\"code\":\"unsupportedCapability\"") { failures = [] }
        }
        if isTold, !original.changesNothing { failures += try await gateway.differences() }
        let name = "\(gateway.channel): \(original.testDescription) after \(original.before.map(\.path))"
        for failure in failures { Issue.record("\(name): \(failure.prefix(1000))") }
    }
}

extension Scenario {
    fileprivate var changesNothing: Bool {
        if case .changed = wireException { return false }
        return before.isEmpty && !usesLiveChat && (method == "GET" || method == "HEAD" || status >= 400)
    }
}
