import Testing

/// Parley against Parley: what passes on the embedded service passes through CXone's protocol as well.
@Suite(.serialized) struct WireScenarioTests {
    @Test func multithread() async throws { try await pass(Scenario.all, on: "multi") }

    private func pass(_ scenarios: [Scenario], on channel: String) async throws {
        for scenario in scenarios {
            print("WIRE", channel, scenario)
            try await WireGateway.run(on: channel) { gateway in
                let (answers, last, live) = try await gateway.answers(to: scenario)
                var failures = answers.dropLast().filter { $0.status >= 300 }.map { "before: \($0.body)" }
                if let answer = answers.last { failures += scenario.failures(of: answer, at: last, live: live) }
                failures += try gateway.world.differences(of: gateway.near.client, on: channel)
                for failure in failures { print("FAIL", channel, scenario, "\n     ", failure.prefix(600)) }
            }
        }
    }
}
