import Dispatch
import Foundation
import Synchronization

/// Runs of scenarios, some of them side by side. Each has a thread and a customer's stream of its own; the desk's
/// stream is shared.
package final class ScenarioRuns: Sendable {
    package struct Settings: Sendable {
        /// 0: no waiting; otherwise how many times as fast as written.
        var speed: Int
        /// Whether the sessions stay.
        var keeps: Bool
        /// Makes the name of a run, which no other has.
        var makeName: @Sendable () -> String

        package init(speed: Int, keeps: Bool, makeName: @escaping @Sendable () -> String) {
            (self.speed, self.keeps, self.makeName) = (speed, keeps, makeName)
        }
    }

    private let runs: [Scenario]
    private let client: any ScenarioGateway
    private let settings: Settings
    private let desks: [Scenario.Place: DeskEvents]
    private let state = Mutex((next: 0, end: 0, results: [Int: ScenarioReport.Result]()))

    /// Opens the desks' streams. Throws ``ScenarioFailure``.
    package init(_ runs: [Scenario], _ client: any ScenarioGateway, _ settings: Settings) throws(ScenarioFailure) {
        (self.runs, self.client, self.settings) = (runs, client, settings)
        var desks: [Scenario.Place: DeskEvents] = [:]
        let hasExternalCustomer = runs.contains { run in
            run.actors.contains { $0.isExternal && $0.side == .customer }
        }
        for scenario in runs {
            for actor in scenario.actors where actor.side == .agent && !actor.isExternal && desks[actor.place] == nil {
                desks[actor.place] = try DeskEvents(
                    client.at(actor.place), keepsUnclaimed: hasExternalCustomer)
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
    package func play(
        sideBySide count: Int, told: @escaping @Sendable (ScenarioReport.Result) -> Void
    ) -> ScenarioReport {
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
        var (program, failure): (ScenarioProgram?, ScenarioFailure?)
        do throws(ScenarioFailure) {
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
                while let index = nextIndex() {
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
    private func environment() throws(ScenarioFailure) -> [String: String] {
        var variables = ProcessInfo.processInfo.environment
        for (name, value) in try client.environment() { variables[name] = value }
        return variables
    }

    private func nextIndex() -> Int? {
        state.withLock { state in
            guard state.next < state.end else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    private func result(
        of scenario: Scenario, _ program: ScenarioProgram?, _ fault: ScenarioFailure?
    ) -> ScenarioReport.Result {
        let start = ContinuousClock.now
        let run = ScenarioRun(
            scenario, client, desks, run: settings.makeName(), speed: settings.speed)
        var failure: [String]?
        do {
            if let fault { throw fault }
            try run.play(keeps: settings.keeps)
            if let fault = program?.fault { throw ScenarioFailure(fault) }
        } catch {
            let step = error as? StepFailure
            let reason = step?.reason ?? (error as? ScenarioFailure)?.message ?? "\(error)"
            failure = ScenarioReport.words(scenario, line: step?.step.line ?? 1, reason, run.transcript)
            failure? += [step == nil ? nil : program?.fault].compactMap { $0 } + (program?.words ?? [])
        }
        return ScenarioReport.Result(scenario: scenario, duration: start.duration(to: .now), failure: failure)
    }
}
