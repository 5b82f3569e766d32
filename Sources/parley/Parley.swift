import ArgumentParser
import Foundation

/// The command `parley`. Alone it serves.
@main
struct Parley: AsyncParsableCommand {
    /// The version that `--version`, `/v1/info` and the metrics tell.
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "parley",
        abstract: "A local HTTP+JSON gateway for customer chat.",
        discussion: """
            Alone, `parley` serves. Settings come from flags, from the environment (PARLEY_LISTEN, PARLEY_DATA, ...), \
            from a file (--config) and from defaults, in this order; `parley config` shows each and where it came from.

            Commands that ask a gateway find it by its data folder: --data, or --config. Others are named by --gateway \
            (http://HOST:PORT or unix:PATH) with --token-file. -o says how an answer is printed: table, json, jsonl or \
            id. With -q only errors are told.

            EXAMPLES:
              parley --demo              serve, with a shop and a bot to try things with
              parley open                show the page in a browser
              parley chat                write as a customer
              parley desk threads        see who waits for an answer
              parley desk chat THREAD    answer
              parley tail --desk         follow what happens
            """,
        version: version,
        groupedSubcommands: [
            CommandGroup(
                name: "Gateway",
                subcommands: [
                    Serve.self, ShowStatus.self, OpenPage.self, PrintToken.self, HandOver.self,
                    ShowConfiguration.self,
                    ListRoutes.self, StoreCommands.self, KeyCommands.self, PersonCommands.self,
                    LoginCommands.self, ListAudit.self,
                ]),
            CommandGroup(
                name: "Chats",
                subcommands: [
                    SessionCommands.self, ListThreads.self, ListMessages.self, SendMessage.self, CustomerChat.self,
                    DeskCommands.self, RecordConversation.self, WriteTranscript.self, CustomerCommands.self,
                    ExportThreads.self, ImportThreads.self, ScenarioCommands.self,
                ]),
            CommandGroup(
                name: "API",
                subcommands: [
                    CallAPI.self, FollowEvents.self, WaitForEvent.self, ListRequests.self, SandboxCommands.self,
                    FaultCommands.self, ServeAssistant.self,
                ]),
        ],
        defaultSubcommand: Serve.self)

    /// Runs the command that the arguments name. Options in front of a command would be read as those of `serve`, so
    /// the fault says where they belong.
    static func main() async {
        StandardStreams.fill()
        // While there is one thread: nobody may read the environment when variables are removed.
        _ = Supervisor.own
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            var command = try await Self.command(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let status as ExitCode {
            // All is said. The library would first make the help of the command.
            Foundation.exit(status.rawValue)
        } catch {
            // Each look at the fault makes its whole text, and the script for a shell is a long one.
            if isForShells(arguments) { exit(withError: error) }
            let (text, code) = (fullMessage(for: error), exitCode(for: error))
            if code.isSuccess, text.hasPrefix("OVERVIEW") || text.hasPrefix("USAGE") {
                print(HelpText.folded(text))
                exit(withError: ExitCode.success)
            }
            guard code == .validationFailure,
                let order = misplaced(arguments)
                    ?? (text.contains("Missing expected") ? HelpText.unknownOption(arguments, of: Self.self) : nil)
            else { exit(withError: error) }
            exit(withError: ValidationError(order))
        }
    }

    /// Whether a shell, or who writes its scripts, asks: for the words that may follow, for the script, for all commands.
    private static func isForShells(_ arguments: [String]) -> Bool {
        arguments.first.map {
            $0.hasPrefix("---") || ["--generate-completion-script", "--experimental-dump-help"].contains($0)
        } ?? false
    }

    /// The command that the arguments name. They are read by the command of the first word alone: the library takes longer
    /// to learn all commands than the gateway takes to open its database. What it refuses, and calls for help, go the long
    /// way, where faults and help name `parley`.
    static func command(_ arguments: [String]) async throws -> any ParsableCommand {
        let commands = configuration.groupedSubcommands.flatMap(\.subcommands)
        let named = commands.first { $0._commandName == arguments.first }
        let isOption = arguments.first?.hasPrefix("-") != false && !isForShells(arguments)
        let type = named ?? (isOption ? Serve.self : nil)
        if let type = type as? any AsyncParsableCommand.Type,
            let command = try? await type.asyncParseAsRoot(named == nil ? arguments : Array(arguments.dropFirst())),
            isCommand(Swift.type(of: command), of: type)
        {
            return command
        }
        return try await asyncParseAsRoot(arguments)
    }

    /// Whether it is this command or one below it. The library's own, which shows help, is none.
    private static func isCommand(_ command: any ParsableCommand.Type, of family: any ParsableCommand.Type) -> Bool {
        let groups = family.configuration.groupedSubcommands.flatMap(\.subcommands)
        return command == family
            || (family.configuration.subcommands + groups).contains { isCommand(command, of: $0) }
    }

    /// What to say of arguments that begin with a word that is no command, or with options of a command behind them; nil
    /// for others.
    static func misplaced(_ arguments: [String]) -> String? {
        let names = configuration.groupedSubcommands.flatMap(\.subcommands).map { $0._commandName }
        guard let first = arguments.first else { return nil }
        guard first.hasPrefix("-") else {
            let isKnown = first == "help" || names.contains(first)
            return isKnown ? nil : "There is no command \(first). `parley --help` lists them all."
        }
        guard let place = arguments.firstIndex(where: names.contains), place > 0 else { return nil }
        let command = ([arguments[place]] + arguments[..<place] + arguments[(place + 1)...]).joined(separator: " ")
        return "Options stand after the command: parley \(command)"
    }
}

/// What is said of commands and their options, where the library's words are not enough.
enum HelpText {
    /// The title of the options that most commands have.
    static let shared = "Global options"

    /// A help text whose shared options stand in one line at its end, for they are the same everywhere: `parley --help`
    /// tells what they mean.
    static func folded(_ text: String) -> String {
        var (lines, names): ([String], [String]) = ([], [])
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.lowercased() == "\(shared.lowercased()):" {
                isInside = true
            } else if !isInside {
                lines.append(String(line))
            } else if line.isEmpty {
                isInside = false
            } else if line.hasPrefix("  -") {
                // The description stands behind two spaces, or in lines further to the right.
                let entry = line.dropFirst(2)
                names.append(String(entry[..<(entry.firstRange(of: "  ")?.lowerBound ?? entry.endIndex)]))
            }
        }
        guard !names.isEmpty else { return text }
        for index in lines.indices where lines[index].hasPrefix("USAGE: ") {
            for name in names {
                let long = name.firstRange(of: "--").map { name[$0.lowerBound...] } ?? name[...]
                lines[index] = lines[index].replacing(" [\(long)]", with: "")
            }
            lines[index] += " [<global options>]"
        }
        while lines.last?.isEmpty == true { lines.removeLast() }
        let all = names.map { $0.replacing(", --", with: "/--") }.joined(separator: ", ")
        return lines.joined(separator: "\n") + "\n\n\(shared.uppercased()): \(all)\n"
    }

    /// Names the first option that the command does not have; nil if there is none. The library would ask for what is
    /// missing instead.
    static func unknownOption(_ arguments: [String], of root: any ParsableCommand.Type) -> String? {
        var (command, names) = (root, [root._commandName])
        for word in arguments {
            let inner =
                command.configuration.subcommands + command.configuration.groupedSubcommands.flatMap(\.subcommands)
            guard let next = inner.first(where: { $0._commandName == word }) else { break }
            (command, names) = (next, names + [word])
        }
        let help = root.helpMessage(for: command, includeHidden: true)
        let known = Set(help.matches(of: /--[a-z][a-z0-9-]*/).map { String($0.output) })
        for word in arguments.prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
            let name = String(word.prefix { $0 != "=" })
            if known.contains(name) { continue }
            let near = known.min { distance(name, $0) < distance(name, $1) }
            let advice = near.flatMap { distance(name, $0) <= 2 ? " Did you mean \($0)?" : nil } ?? ""
            return "There is no option \(name).\(advice) `\(names.joined(separator: " ")) --help` lists them."
        }
        return nil
    }

    /// How many letters must be put in, taken out or changed to make one word of the other.
    static func distance(_ one: String, _ other: String) -> Int {
        let letters = Array(other.utf8)
        var row = Array(0...letters.count)
        for (index, letter) in one.utf8.enumerated() {
            var last = row[0]
            row[0] = index + 1
            for place in letters.indices {
                let changed = last + (letter == letters[place] ? 0 : 1)
                last = row[place + 1]
                row[place + 1] = min(changed, row[place] + 1, last + 1)
            }
        }
        return row[letters.count]
    }
}
