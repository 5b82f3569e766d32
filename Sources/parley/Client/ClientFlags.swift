import ArgumentParser
import ChatModel
import Formats
import Foundation
import Scenarios

/// The flags by which a command finds the gateway.
struct ReachFlags: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Where the gateway is: http://HOST:PORT or unix:PATH. Without it, the data folder says.",
            valueName: "address"))
    var gateway: String?
    @Option(
        name: .customLong("token-file"),
        help: ArgumentHelp(
            "A file with the token. Without it, PARLEY_TOKEN, then the data folder's.", valueName: "file"))
    var tokenFile: String?
    @OptionGroup var place: FolderFlags

    /// Throws ``SettingsError``.
    func finder() async throws -> GatewayFinder {
        let folder = try await place.settings([:])[.data]
        guard case .string(let path) = folder.content else { throw SettingsError("data must be a text.") }
        return GatewayFinder(
            gateway: gateway, tokenFile: tokenFile, folder: path, isFolderNamed: folder.origin != .default,
            environment: ProcessInfo.processInfo.environment)
    }
}

/// The flags of most commands that ask the gateway.
struct ClientFlags: ParsableArguments {
    @OptionGroup var reach: ReachFlags
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "table, json, jsonl (one item a line) or id. The default is PARLEY_OUTPUT, else table.", valueName: "form"))
    var output: OutputFormat?
    @Flag(name: .shortAndLong, help: "Tell errors only.")
    var quiet = false
}

/// A command that asks the gateway, and ends with an exit status that says how it went.
protocol ClientCommand: AsyncParsableCommand {
    var reach: ReachFlags { get }
    /// Nil: the environment decides.
    var wantedOutput: OutputFormat? { get }
    var isQuiet: Bool { get }

    /// Does the command's work. It may block: the process has nothing else to do.
    func run(_ client: GatewayClient, _ output: Output) throws
}

extension ClientCommand {
    /// Finds the gateway and does the work. A failure is told on standard error.
    func run() async throws {
        let variable = ProcessInfo.processInfo.environment["PARLEY_OUTPUT"].flatMap { $0.isEmpty ? nil : $0 }
        let output = Output(
            format: wantedOutput ?? variable.flatMap(OutputFormat.init) ?? .table, isQuiet: isQuiet)
        do {
            if let variable, OutputFormat(rawValue: variable) == nil {
                throw CommandFailure.usage(
                    "PARLEY_OUTPUT must be one of \(OutputFormat.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
            try run(GatewayClient(finder: try await reach.finder()), output)
        } catch let failure as CommandFailure {
            output.fail(failure)
            throw ExitCode(failure.status.rawValue)
        } catch let error as SettingsError {
            output.fail(.usage(error.description))
            throw ExitCode(CommandFailure.Status.usage.rawValue)
        }
    }
}

/// A client command with the usual flags.
protocol UsualCommand: ClientCommand {
    var flags: ClientFlags { get }
}

extension UsualCommand {
    var reach: ReachFlags { flags.reach }
    var wantedOutput: OutputFormat? { flags.output }
    var isQuiet: Bool { flags.quiet }
}

/// `--since` and `--until` of lists: from the one on, and before the other.
struct TimeFlags: ParsableArguments {
    @Option(help: ArgumentHelp("Only from a time on, or from so long ago: 10m, 2h.", valueName: "time"))
    var since: String?
    @Option(help: ArgumentHelp("Only before a time, or before so long ago: 10m, 2h.", valueName: "time"))
    var until: String?

    /// The parameters of the query. Throws ``CommandFailure``.
    func query() throws(CommandFailure) -> [(String, String?)] {
        [
            ("since", try since.map { text throws(CommandFailure) in try Timestamp.ago(text, "--since").rfc3339 }),
            ("until", try until.map { text throws(CommandFailure) in try Timestamp.ago(text, "--until").rfc3339 }),
        ]
    }
}

extension DurationText: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Timestamp {
    /// A time as flags take it: RFC 3339, or how long ago. Throws ``CommandFailure``.
    static func ago(_ text: String, _ flag: String) throws(CommandFailure) -> Timestamp {
        if let time = Timestamp(rfc3339: text) { return time }
        guard let ago = DurationText(text) else {
            throw .usage("\(flag) needs a time, such as 10m or 2026-05-04T09:30:00Z.")
        }
        return ModelEnvironment.system.now().advanced(bySeconds: -Int(ago.duration.components.seconds))
    }
}
