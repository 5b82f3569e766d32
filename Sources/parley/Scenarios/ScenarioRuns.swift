import ChatModel
import Dispatch
import Foundation
import Synchronization

/// Runs of scenarios, some of them side by side. Each has a thread and a customer's stream of its own; the desk's
/// stream is shared.
final class ScenarioRuns: Sendable {
    struct Settings: Sendable {
        /// 0: no waiting; otherwise how many times as fast as written.
        var speed: Int
        /// Whether the sessions stay.
        var keeps: Bool
    }

    private let runs: [Scenario]
    private let client: GatewayClient
    private let settings: Settings
    private let desks: [Scenario.Place: DeskEvents]
    private let state = Mutex((next: 0, results: [Int: ScenarioReport.Result]()))

    /// Opens the desks' streams. Throws ``CommandFailure``.
    init(_ runs: [Scenario], _ client: GatewayClient, _ settings: Settings) throws(CommandFailure) {
        (self.runs, self.client, self.settings) = (runs, client, settings)
        var desks: [Scenario.Place: DeskEvents] = [:]
        let hasExternalCustomer = runs.contains { run in
            run.actors.contains { $0.isExternal && $0.side == .customer }
        }
        for scenario in runs {
            for actor in scenario.actors where actor.side == .agent && !actor.isExternal && desks[actor.place] == nil {
                desks[actor.place] = try DeskEvents(
                    client.at(actor.place), keepsUnclaimed: hasExternalCustomer,
                    Output(format: .table, isQuiet: true))
            }
        }
        self.desks = desks
    }

    /// Plays all. Returns the results in the order of the runs.
    ///
    /// - Parameter told: gets each result as soon as it is there, one after the other.
    func play(sideBySide count: Int, told: @escaping @Sendable (ScenarioReport.Result) -> Void) -> ScenarioReport {
        let group = DispatchGroup()
        for _ in 0..<min(count, runs.count) {
            group.enter()
            let thread = Thread {
                while let index = self.take() {
                    let result = self.result(of: self.runs[index])
                    self.state.withLock { state in
                        state.results[index] = result
                        told(result)
                    }
                }
                group.leave()
            }
            thread.start()
        }
        group.wait()
        return ScenarioReport(results: state.withLock { $0.results }.sorted { $0.key < $1.key }.map(\.value))
    }

    private func take() -> Int? {
        state.withLock { state in
            defer { state.next += 1 }
            return state.next < runs.count ? state.next : nil
        }
    }

    private func result(of scenario: Scenario) -> ScenarioReport.Result {
        let start = ContinuousClock.now
        let run = ScenarioRun(
            scenario, client, desks, run: ModelEnvironment.system.makeID(), speed: settings.speed)
        var failure: String?
        do {
            try run.play(keeps: settings.keeps)
        } catch let fault as StepFailure {
            failure = ScenarioReport.words(scenario, line: fault.step.line, fault.reason, run.transcript)
        } catch {
            let reason = (error as? CommandFailure)?.message ?? "\(error)"
            failure = ScenarioReport.words(scenario, line: 1, reason, run.transcript)
        }
        return ScenarioReport.Result(scenario: scenario, duration: start.duration(to: .now), failure: failure)
    }
}

extension GatewayClient {
    /// The client of another gateway, or this one. The environment's token and address are for this one alone.
    func at(_ place: Scenario.Place) -> GatewayClient {
        guard let gateway = place.gateway else { return self }
        var other = self
        other.finder.gateway = gateway
        other.finder.tokenFile = place.tokenFile
        other.finder.isFolderNamed = false
        other.finder.environment = [:]
        return other
    }
}
