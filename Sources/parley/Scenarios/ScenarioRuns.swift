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
    private let state = Mutex((next: 0, end: 0, results: [Int: ScenarioReport.Result]()))

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
    /// Runs of a file whose program is started have the gateway to themselves, because the program of another file would
    /// answer, too. The program is started once for all runs of the file.
    ///
    /// - Parameter told: gets each result as soon as it is there, one after the other.
    func play(sideBySide count: Int, told: @escaping @Sendable (ScenarioReport.Result) -> Void) -> ScenarioReport {
        var start = 0
        while start < runs.count {
            let first = runs[start]
            let end = runs[start...].firstIndex {
                $0.program != first.program || ($0.program != nil && $0.file != first.file)
            }
            state.withLock { ($0.next, $0.end) = (start, end ?? runs.count) }
            start = end ?? runs.count
            playBatch(first, sideBySide: count, told)
        }
        return ScenarioReport(results: state.withLock { $0.results }.sorted { $0.key < $1.key }.map(\.value))
    }

    private func playBatch(
        _ first: Scenario, sideBySide count: Int, _ told: @escaping @Sendable (ScenarioReport.Result) -> Void
    ) {
        var (program, failure): (ScenarioProgram?, CommandFailure?)
        do throws(CommandFailure) {
            if let wanted = first.program {
                program = try ScenarioProgram(wanted.command, in: first.folder, environment: try environment())
                if let ready = wanted.ready { try program?.wait(until: ready) }
            }
        } catch { failure = error }
        defer { program?.end() }
        let (running, fault) = (program, failure)
        let group = DispatchGroup()
        for _ in 0..<min(count, state.withLock { $0.end - $0.next }) {
            group.enter()
            let thread = Thread { [self] in
                while let index = take() {
                    let result = result(of: runs[index], running, fault)
                    state.withLock { state in
                        state.results[index] = result
                        told(result)
                    }
                }
                group.leave()
            }
            thread.start()
        }
        group.wait()
    }

    /// What the program finds the gateway by.
    private func environment() throws(CommandFailure) -> [String: String] {
        let found = try client.finder.find()
        var variables = ProcessInfo.processInfo.environment
        variables["PARLEY_GATEWAY"] = found.address.description
        variables["PARLEY_TOKEN"] = found.token
        return variables
    }

    private func take() -> Int? {
        state.withLock { state in
            guard state.next < state.end else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func result(
        of scenario: Scenario, _ program: ScenarioProgram?, _ fault: CommandFailure?
    ) -> ScenarioReport.Result {
        let start = ContinuousClock.now
        let run = ScenarioRun(
            scenario, client, desks, run: ModelEnvironment.system.makeID(), speed: settings.speed)
        var failure: [String]?
        do {
            if let fault { throw fault }
            try run.play(keeps: settings.keeps)
            if let fault = program?.fault { throw CommandFailure(.refused, code: "programEnded", fault) }
        } catch {
            let step = error as? StepFailure
            let reason = step?.reason ?? (error as? CommandFailure)?.message ?? "\(error)"
            failure = ScenarioReport.words(scenario, line: step?.step.line ?? 1, reason, run.transcript)
            failure? += [step == nil ? nil : program?.fault].compactMap { $0 } + (program?.words ?? [])
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
