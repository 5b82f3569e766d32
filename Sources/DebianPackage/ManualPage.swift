import Foundation

/// The part of the manual page (mdoc) that lists the commands, made from what `--experimental-dump-help` says.
enum ManualPage {
    private struct Dump: Decodable {
        var serializationVersion: Int
        var command: Command
    }

    private struct Command: Decodable {
        var commandName: String
        var abstract: String?
        var discussion: String?
        var shouldDisplay: Bool
        var arguments: [Argument]?
        var subcommands: [Command]?
    }

    private struct Argument: Decodable, Equatable {
        struct Name: Decodable, Equatable {
            var kind: String
            var name: String
        }
        var kind: String
        var names: [Name]?
        var valueName: String?
        var abstract: String?
        var isOptional: Bool
        var isRepeating: Bool
        var shouldDisplay: Bool
        var defaultValue: String?
    }

    /// The options of so many commands are described once, below them.
    private static let common = 5

    /// The sections COMMANDS and COMMON OPTIONS. Throws ``Failure`` for a form of the dump that is not known.
    static func commands(dump: String) throws -> String {
        let dump = try JSONDecoder().decode(Dump.self, from: Data(dump.utf8))
        guard dump.serializationVersion == 0 else {
            throw Failure("--experimental-dump-help has a new form, \(dump.serializationVersion).")
        }
        var all: [(name: String, command: Command)] = []
        func collect(_ command: Command, below name: String) {
            for command in command.subcommands ?? [] where command.shouldDisplay && command.commandName != "help" {
                let name = name.isEmpty ? command.commandName : "\(name) \(command.commandName)"
                if command.subcommands?.isEmpty ?? true { all.append((name, command)) }
                collect(command, below: name)
            }
        }
        collect(dump.command, below: "")
        let everything = all.flatMap { options(of: $0.command) }
        var shared: [Argument] = []
        for option in everything where !shared.contains(option) && everything.count(where: { $0 == option }) >= common {
            shared.append(option)
        }
        var page = ".Sh COMMANDS\n"
        for (name, command) in all {
            page += ".Ss parley \(name)\(synopsis(command))\n"
            page += lines(command.abstract) + lines(command.discussion)
            page += list(options(of: command).filter { !shared.contains($0) })
        }
        page += ".Sh COMMON OPTIONS\nMost commands that ask a gateway have these.\n" + list(shared)
        return String(page.dropLast())
    }

    private static func options(of command: Command) -> [Argument] {
        (command.arguments ?? []).filter { argument in
            argument.shouldDisplay && argument.kind != "positional"
                && !["help", "version"].contains(argument.names?.last?.name)
        }
    }

    /// What stands behind a command's name.
    private static func synopsis(_ command: Command) -> String {
        (command.arguments ?? []).filter { $0.kind == "positional" && $0.shouldDisplay }.map { argument in
            // A name such as `thread> <text` stands for several in the help, which puts `<` and `>` around it.
            let names = (argument.valueName ?? "").replacingOccurrences(of: "> <", with: " ")
            return (argument.isOptional ? " Op" : "") + " Ar \(escaped(names))" + (argument.isRepeating ? " ..." : "")
        }.joined()
    }

    private static func list(_ options: [Argument]) -> String {
        guard !options.isEmpty else { return "" }
        var text = ".Bl -tag -width Ds\n"
        for option in options {
            let names = (option.names ?? []).map { "Fl \($0.kind == "long" ? "\\-" : "")\(escaped($0.name))" }
            text += ".It " + names.joined(separator: " , ")
            if option.kind == "option" { text += " Ar \(escaped(option.valueName ?? "value"))" }
            text += "\n" + lines(option.abstract)
        }
        return text + ".El\n"
    }

    /// Text as mdoc wants it: each sentence begins a line, and no line has more than 80 bytes.
    private static func lines(_ text: String?) -> String {
        guard let text, !text.isEmpty else { return "" }
        var page = ""
        for sentence in text.replacing(/(?<end>[A-Za-z0-9)`][.:]) (?=[A-Z-])/, with: { "\($0.end)\n" }).split(
            separator: "\n")
        {
            // An example stands as it is: a word such as Bo would be a macro there.
            if sentence.hasPrefix("  ") {
                page +=
                    ".Dl " + sentence.split(separator: " ").map { "\\&" + escaped(String($0)) }.joined(separator: " ")
                    + "\n"
                continue
            }
            var line = ""
            for word in sentence.split(separator: " ").map({ escaped(String($0)) }) {
                if line.utf8.count + word.utf8.count >= 80 {
                    page += line + "\n"
                    line = ""
                }
                line += line.isEmpty ? word : " " + word
            }
            page += line + "\n"
        }
        return page
    }

    /// Text that means nothing to mdoc, also at the beginning of a line.
    private static func escaped(_ text: String) -> String {
        let text = text.replacingOccurrences(of: "\\", with: "\\e").replacingOccurrences(of: "-", with: "\\-")
            .replacingOccurrences(of: "\"", with: "\\(dq")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
