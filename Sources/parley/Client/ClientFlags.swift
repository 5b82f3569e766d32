import ArgumentParser
import ChatModel
import Formats
import Foundation
import Scenarios

/// Flags by which a command finds the gateway.
protocol GatewayNaming: FolderNaming {
    var gateway: String? { get }
    var tokenFile: String? { get }
}

extension GatewayNaming {
    /// Throws ``SettingsError``.
    func finder() async throws -> GatewayFinder {
        let folder = try await settings([:])[.data]
        guard case .string(let path) = folder.content else { throw SettingsError("data must be a text.") }
        return GatewayFinder(
            gateway: gateway, tokenFile: tokenFile, folder: path, isFolderNamed: folder.origin != .default,
            environment: ProcessInfo.processInfo.environment)
    }
}

extension ArgumentHelp {
    fileprivate static let gateway = ArgumentHelp(
        "Where the gateway is: http://HOST:PORT or unix:PATH. Without it, the data folder says.", valueName: "address")
    fileprivate static let tokenFile = ArgumentHelp(
        "A file with the token. Without it, PARLEY_TOKEN, then the data folder's.", valueName: "file")
}

/// The flags of commands that ask the gateway and print what comes.
struct ReachFlags: GatewayNaming {
    @Option(help: .gateway) var gateway: String?
    @Option(name: .customLong("token-file"), help: .tokenFile) var tokenFile: String?
    @Option(help: .dataFolder) var data: String?
    @Option(help: .configurationFile) var config: String?
}

/// The flags of most commands that ask the gateway.
struct ClientFlags: GatewayNaming {
    @Option(help: .gateway) var gateway: String?
    @Option(name: .customLong("token-file"), help: .tokenFile) var tokenFile: String?
    @Option(help: .dataFolder) var data: String?
    @Option(help: .configurationFile) var config: String?
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
    associatedtype Reach: GatewayNaming
    var reach: Reach { get }
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
            format: OutputFormat.wanted(by: wantedOutput, variable), isQuiet: isQuiet)
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
    var reach: ClientFlags { flags }
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

/// Completes ids in a shell, with those that the running gateway has.
///
/// The gateway is found as the command itself would find it, by the words that stand there already. It gets 200 ms,
/// because somebody waits for each key. If it does not answer, there is nothing to choose from.
enum IDCompletion {
    private static let patience = Duration.milliseconds(200)

    static let sessions = kind { _ in ["sessions"] }
    /// The threads of the session that the words name.
    static let threads = kind { words in session(words).map { ["sessions", $0, "threads"] } }
    static let deskThreads = kind { _ in ["desk", "threads"] }
    static let channels = kind { _ in ["desk", "channels"] }
    static let agents = kind { _ in ["desk", "agents"] }
    static let tags = kind { _ in ["desk", "tags"] }
    /// The scripts of faults.
    static let scripts = kind { _ in ["sandbox", "scripts"] }
    /// The numbers of the sandbox's sockets.
    static let sockets = kind { _ in ["sandbox", "sockets"] }

    /// - Parameter list: the path of a list, from the words of the command line; nil for none.
    private static func kind(_ list: @escaping @Sendable ([String]) -> [String]?) -> CompletionKind {
        .custom { words, _, _ in
            guard let path = list(words), let reach = try? ReachFlags.parse(flags(words)),
                let finder = try? await reach.finder()
            else { return [] }
            let client = GatewayClient(finder: finder, deadline: ContinuousClock.now + patience)
            let items = (try? client.get(GatewayClient.path(path)))?.root["items"]?.elements ?? []
            return offered(items.compactMap { $0["id"]?.string ?? $0["number"]?.number })
        }
    }

    /// The ids that mean themselves in every shell.
    ///
    /// Customers choose the ids of threads. bash expands what it is offered: `$(touch x)` would run as the command of
    /// whoever presses TAB. zsh reads a colon as the end of the word, and a hyphen in front would make an option of it.
    static func offered(_ ids: [String]) -> [String] {
        ids.filter { id in
            !id.isEmpty && !id.hasPrefix("-")
                && id.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: "-._".utf8.contains(byte)
                    }
                }
        }
    }

    /// The flags among the words that say where the gateway is.
    private static func flags(_ words: [String]) -> [String] {
        var found: [String] = []
        for (index, word) in words.enumerated() {
            for name in ["--gateway", "--token-file", "--data", "--config"] {
                if word.hasPrefix(name + "=") { found.append(word) }
                if word == name, index + 1 < words.count { found += [word, words[index + 1]] }
            }
        }
        return found
    }

    /// The first word behind the command that is neither an option nor, as it seems, an option's value.
    private static func session(_ words: [String]) -> String? {
        words.indices.dropFirst(2).first { !words[$0].hasPrefix("-") && !words[$0 - 1].hasPrefix("-") }.map {
            words[$0]
        }
    }
}
