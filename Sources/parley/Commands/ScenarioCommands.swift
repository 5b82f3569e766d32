import ArgumentParser
import ChatModel
import Formats
import MicroHTTP
import Scenarios

/// `parley scenario`: conversations that are played from files.
struct ScenarioCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario", abstract: "Play conversations from files, to test a bot or an app.",
        subcommands: [Run.self, From.self])

    enum Report: String, ExpressibleByArgument, CaseIterable { case junit, tap }

    struct Run: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Play scenarios.",
            discussion: """
                It ends with status 1 if a step failed, and 64 if a file is wrong. A failure is told with the step's \
                file and line, what came instead, and the transcript so far.

                EXAMPLES:
                  parley scenario run order.yaml --speed 0 --set order=12
                  parley scenario run tests/*.yaml --speed 0 --report junit > report.xml
                """)
        @Argument(help: "The scenarios.", completion: .file()) var files: [String]
        @Option(help: ArgumentHelp("Waits: 0 none, 1 as written, 10 ten times as fast.", valueName: "speed"))
        var speed = 1
        @Option(help: "Print a report for machines: junit or tap.") var report: Report?
        @Option(help: ArgumentHelp("Set a variable; may be repeated.", valueName: "name=value")) var set: [String] = []
        @Option(help: ArgumentHelp("Play each file so many times.", valueName: "count")) var times = 1
        @Option(help: ArgumentHelp("Play so many runs side by side.", valueName: "count")) var parallel = 1
        @Flag(help: "Leave the sessions.") var keep = false
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard 0...1000 ~= speed, 1...100_000 ~= times, 1...1000 ~= parallel else {
                throw ValidationError(
                    "--speed must be from 0 to 1000, --times from 1 to 100000, --parallel from 1 to 1000.")
            }
            guard !files.isEmpty else { throw ValidationError("Name a file.") }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let scenarios = try scenarios().flatMap { Array(repeating: $0, count: times) }
            _ = try client.get("/v1/info")
            // Each run that goes on has a stream and a request.
            raiseDescriptorLimit()
            let settings = ScenarioRuns.Settings(
                speed: speed, keeps: keep, makeName: ModelEnvironment.system.makeID)
            let runs: ScenarioRuns
            do throws(ScenarioFailure) {
                runs = try ScenarioRuns(scenarios, ScenarioClient(client: client), settings)
            } catch {
                throw error.cause as? CommandFailure
                    ?? CommandFailure(.temporary, code: "noFeed", error.message)
            }
            let report = report
            let made = runs.play(sideBySide: parallel) { result in
                guard report == nil else {
                    if let failure = result.failure { output.inform(lines: failure) }
                    return
                }
                for line in result.failure ?? ["ok \(result.scenario.title.shownSafely)"] { output.line(line) }
            }
            switch report {
            case .junit: output.line(made.junit)
            case .tap: output.line(made.tap)
            case nil: break
            }
            if made.failures > 0 {
                throw CommandFailure(
                    .refused, code: "failed", "\(made.failures) of \(made.results.count) runs failed.")
            }
        }

        /// All files, read before anything is played. Throws ``CommandFailure``.
        private func scenarios() throws(CommandFailure) -> [Scenario] {
            var values: [String: String] = [:]
            for pair in set {
                guard let sign = pair.firstIndex(of: "=") else { throw .usage("--set \(pair): write NAME=VALUE.") }
                values[String(pair[..<sign])] = String(pair[pair.index(after: sign)...])
            }
            var scenarios: [Scenario] = []
            for file in files {
                guard let text = String(validating: try InputFile.read(file), as: UTF8.self) else {
                    throw .usage("\(file) is not UTF-8.")
                }
                do throws(ScenarioFault) {
                    scenarios.append(try ScenarioReader.read(text, file: file, set: values))
                } catch {
                    throw .usage(error.description)
                }
            }
            return scenarios
        }
    }

    struct From: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write a scenario from a recording, to standard output.",
            discussion: """
                Ids of messages become variables, times become after and within, and texts stay. Both sides are \
                played; mark one as external to test it. No gateway is asked.
                """)
        @Argument(help: "The recording of parley record, or - for standard input.", completion: .file())
        var file: String
        @Argument(help: "The thread, if messages of more than one are recorded.") var thread: String?

        func run() async throws {
            let output = Output(format: .table, isQuiet: false)
            do throws(CommandFailure) {
                let recording = try InputFile.read(file)
                do throws(ScenarioFault) {
                    // Every text in it is written with escapes.
                    output.write(Array(try ScenarioWriter.write(recording, file: file, thread: thread).utf8))
                } catch {
                    throw .usage(error.description)
                }
            } catch {
                output.fail(error)
                throw ExitCode(error.status.rawValue)
            }
        }
    }
}

/// The commands' client, as runs of scenarios use it.
private struct ScenarioClient: ScenarioGateway {
    let client: GatewayClient

    /// The environment's token and address are for the command's own gateway alone.
    func at(_ place: Scenario.Place) -> ScenarioClient {
        guard let gateway = place.gateway else { return self }
        var other = client
        other.finder.gateway = gateway
        other.finder.tokenFile = place.tokenFile
        other.finder.isFolderNamed = false
        other.finder.environment = [:]
        return ScenarioClient(client: other)
    }

    func call(
        _ method: String, _ segments: [String], query: [(String, String)], body: [UInt8]?
    ) throws(ScenarioFailure) -> [UInt8] {
        var headers: [(String, String)] = method == "GET" ? [("Accept", "application/json")] : []
        if body != nil { headers.append(("Content-Type", "application/json")) }
        return try Self.explained { () throws(CommandFailure) in
            try client.call(method, GatewayClient.path(segments, query), headers: headers, body: body)
        }
    }

    func upload(_ file: String, to segments: [String]) throws(ScenarioFailure) -> String {
        try Self.explained { () throws(CommandFailure) in try InputFile.upload(file, client, to: segments) }
    }

    func events(of session: String, after cursor: String) throws(ScenarioFailure) -> any ScenarioEvents {
        try follow(FeedScope(sessions: [session], isDesk: false), from: .after(cursor))
    }

    func deskEvents() throws(ScenarioFailure) -> any ScenarioEvents {
        try follow(FeedScope(sessions: [], isDesk: true), from: .now)
    }

    private func follow(_ scope: FeedScope, from start: FeedStart) throws(ScenarioFailure) -> any ScenarioEvents {
        // What is told about single streams would be lost among the results.
        let output = Output(format: .table, isQuiet: true)
        return FollowedEvents(
            following: try Self.explained { () throws(CommandFailure) in
                try Following(client, scope, from: start, output: output)
            })
    }

    func environment() throws(ScenarioFailure) -> [String: String?] {
        let found = try Self.explained { () throws(CommandFailure) in try client.finder.find() }
        return ["PARLEY_GATEWAY": found.address.description, "PARLEY_TOKEN": found.token]
    }

    fileprivate static func explained<T>(_ body: () throws(CommandFailure) -> T) throws(ScenarioFailure) -> T {
        do throws(CommandFailure) {
            return try body()
        } catch {
            throw ScenarioFailure(error.message, cause: error)
        }
    }
}

private final class FollowedEvents: ScenarioEvents {
    private let following: Following

    init(following: Following) { self.following = following }

    var thread: String? { nil }

    func prepare() throws(ScenarioFailure) {
        let end = ContinuousClock.now + .seconds(60)
        // What comes before `ready` happened before the first step.
        while let event = try event(until: end) { if event.type == "ready" { return } }
        throw ScenarioFailure(ScenarioFeed.noFeed)
    }

    func next(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> ScenarioEvent? {
        try event(until: deadline).map { ScenarioEvent(id: $0.id, type: $0.type, data: $0.data) }
    }

    private func event(until deadline: ContinuousClock.Instant) throws(ScenarioFailure) -> FeedEvent? {
        try ScenarioClient.explained { () throws(CommandFailure) in
            guard case .event(let event) = try following.next(until: deadline) else { return nil }
            return event
        }
    }
}
