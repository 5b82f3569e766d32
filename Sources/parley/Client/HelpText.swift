import ArgumentParser

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
