import Yams

/// Reads a scenario from YAML. What it does not know, it refuses, with the line.
package struct ScenarioReader {
    let file: String
    /// The names of variables that have a value at the step that is being read.
    var known: Set<String> = ["run"]
    private var variables: [String: String] = [:]
    private let marks: GuardedMarks
    private(set) var actors: [Scenario.Actor] = []
    private(set) var within = Duration.seconds(10)

    /// The most bytes of a file, and the most steps.
    static let maximumLength = 256 << 10
    static let maximumSteps = 2000

    /// Throws ``ScenarioFault``.
    ///
    /// - Parameter set: variables that the command line sets; they count before those of the file.
    package static func read(
        _ text: String, file: String, set: [String: String] = [:]
    ) throws(ScenarioFault) -> Scenario {
        guard text.utf8.count <= maximumLength else {
            throw ScenarioFault(file: file, line: 1, reason: "a scenario has at most \(maximumLength >> 10) KiB")
        }
        // Few are found again below, node by node. Many would make the parser compare for hours.
        guard text.matches(of: /(?m)(?:^|[-:?,\[{])\s*\*[A-Za-z0-9_-]/).count <= 8 else {
            throw ScenarioFault(file: file, line: 1, reason: "a scenario has no aliases")
        }
        let marks = GuardedMarks(text)
        let (parser, node): (Yams.Parser, Node?)
        do {
            parser = try Yams.Parser(yaml: marks.text, resolver: .basic)
            node = try parser.singleRoot()
        } catch {
            throw fault(of: error, file)
        }
        var reader = ScenarioReader(file: file, marks: marks)
        guard let node else { throw ScenarioFault(file: file, line: 1, reason: "the file is empty") }
        // Nodes know their anchors only as long as the parser lives.
        defer { withExtendedLifetime(parser) {} }
        return try reader.scenario(node, set)
    }

    private init(file: String, marks: GuardedMarks) {
        self.file = file
        self.marks = marks
    }

    private static func fault(of error: any Error, _ file: String) -> ScenarioFault {
        switch error as? YamlError {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            ScenarioFault(file: file, line: mark.line, reason: "it is not YAML: \(problem)")
        case .duplicatedKeysInMapping(let names, let context):
            ScenarioFault(
                file: file, line: context.mark.line, reason: "\(names.joined(separator: ", ")) stands there twice")
        default: ScenarioFault(file: file, line: 1, reason: "it is not YAML")
        }
    }

    func fault(_ node: Node, _ reason: String) -> ScenarioFault {
        ScenarioFault(file: file, line: node.mark?.line ?? 1, reason: reason)
    }

    // MARK: Values

    func members(_ node: Node, of names: Set<String>?) throws(ScenarioFault) -> [(Node, String, Node)] {
        guard case .mapping(let mapping) = node else { throw fault(node, "members were expected, NAME: VALUE") }
        var members: [(Node, String, Node)] = []
        for (key, value) in mapping {
            guard key.anchor == nil, value.anchor == nil, node.anchor == nil else {
                throw fault(key, "a scenario has no anchors and no aliases")
            }
            guard let name = key.scalar.map({ marks.removed(from: $0.string) }) else {
                throw fault(key, "a name was expected")
            }
            if let names, !names.contains(name) {
                throw fault(
                    key, "there is no member \(name) here; there are \(names.sorted().joined(separator: ", "))")
            }
            members.append((key, name, value))
        }
        return members
    }

    /// - Parameter isFilled: whether the text may name variables.
    func text(_ node: Node, isFilled: Bool = true) throws(ScenarioFault) -> String {
        guard case .scalar(let scalar) = node, node.anchor == nil else { throw fault(node, "a text was expected") }
        let text = marks.removed(from: scalar.string)
        if isFilled, let missing = text.filled({ known.contains($0) ? "" : nil }).missing {
            throw fault(node, "nothing gives the variable \(missing) a value before this step")
        }
        return text
    }

    /// A text that is the same in all runs.
    func constant(_ key: Node, _ node: Node) throws(ScenarioFault) -> String {
        let filled = try text(node).filled { variables[$0] }
        guard let missing = filled.missing else { return filled.text }
        throw fault(key, "\(missing) has a value only in a run")
    }

    func flag(_ node: Node) throws(ScenarioFault) -> Bool {
        switch try text(node) {
        case "true": return true
        case "false": return false
        default: throw fault(node, "true or false was expected")
        }
    }

    func duration(_ node: Node) throws(ScenarioFault) -> Duration {
        guard let time = DurationText(try text(node)) else {
            throw fault(node, "a time was expected, such as 500ms or 2s")
        }
        return time.duration
    }

    // MARK: Parts

    private mutating func scenario(_ node: Node, _ set: [String: String]) throws(ScenarioFault) -> Scenario {
        let top = try members(
            node,
            of: [
                "scenario", "channel", "variables", "within", "platform", "run", "actors", "steps",
            ])
        func part(_ name: String) -> Node? { top.first { $0.1 == name }?.2 }
        var variables: [String: String] = [:]
        for (_, name, value) in try part("variables").map({ n throws(ScenarioFault) in try members(n, of: nil) }) ?? []
        {
            variables[name] = try text(value, isFilled: false)
        }
        variables.merge(set) { $1 }
        self.variables = variables
        known.formUnion(variables.keys)
        if let node = part("within") { within = try duration(node) }
        guard let channel = part("channel"), let cast = part("actors"), let steps = part("steps") else {
            throw fault(node, "a scenario has channel, actors and steps")
        }
        for (key, name, value) in try members(cast, of: nil) { actors.append(try actor(key, name, value)) }
        guard actors.filter({ $0.side == .customer }).count == 1, actors.count <= 2 else {
            throw fault(cast, "a scenario has one customer, and at most one agent")
        }
        guard case .sequence(let list) = steps, steps.anchor == nil, list.count <= Self.maximumSteps else {
            throw fault(steps, "a list of at most \(Self.maximumSteps) steps was expected")
        }
        let title = try part("scenario").map { n throws(ScenarioFault) in try text(n, isFilled: false) } ?? file
        let session = try session(channel)
        guard !session.contains(where: { $0.name == "customer" }) else {
            throw fault(channel, "the customer is one of the actors")
        }
        var read: [Scenario.Step] = []
        for each in list { read.append(try step(each)) }
        return Scenario(
            file: file, title: title, session: session, variables: variables, actors: actors, steps: read,
            platform: try part("platform").map { n throws(ScenarioFault) in try text(n, isFilled: false) },
            program: try part("run").map { n throws(ScenarioFault) in try program(n) })
    }

    /// A command, or `command` with `ready`.
    private func program(_ node: Node) throws(ScenarioFault) -> Scenario.Program {
        if case .scalar = node { return Scenario.Program(command: try constant(node, node)) }
        var program = Scenario.Program(command: "")
        for (key, name, value) in try members(node, of: ["command", "ready"]) {
            let text = try constant(key, value)
            if name == "command" { program.command = text } else { program.ready = text }
        }
        guard !program.command.isEmpty else { throw fault(node, "run has a command") }
        if let ready = program.ready, (try? Regex(ready)) == nil {
            throw fault(node, "\(ready) is no regular expression")
        }
        return program
    }

    func actor(_ key: Node, _ name: String, _ node: Node) throws(ScenarioFault) -> Scenario.Actor {
        var side: Scenario.Actor.Side?
        var actor = Scenario.Actor(name: name, side: .customer)
        for (key, name, value) in try members(
            node, of: ["as", "external", "id", "firstName", "name", "gateway", "tokenFile"])
        {
            switch name {
            case "as":
                side = Scenario.Actor.Side(rawValue: try text(value))
                guard side != nil else { throw fault(value, "customer or agent was expected") }
            case "external": actor.isExternal = try flag(value)
            case "id": actor.id = try text(value)
            case "gateway": actor.place.gateway = try constant(key, value)
            case "tokenFile": actor.place.tokenFile = try constant(key, value)
            default: actor.title = try text(value)
            }
        }
        guard actor.place == Scenario.Place() || (side == .agent && actor.place.gateway != nil) else {
            throw fault(key, "gateway and tokenFile are members of an agent, and tokenFile stands beside gateway")
        }
        guard !Scenario.sandboxSteps.contains(name) else {
            throw fault(key, "\(name) is a step, so no actor has this name")
        }
        guard let side else { throw fault(key, "\(name) needs `as: customer` or `as: agent`") }
        actor.side = side
        return actor
    }

    /// A channel of the embedded service, or members of a request as they are.
    func session(_ node: Node) throws(ScenarioFault) -> [(name: String, value: Scenario.Value)] {
        if case .scalar = node { return [("channel", .text(try text(node), isPlain: false))] }
        var session: [(name: String, value: Scenario.Value)] = []
        for (_, name, value) in try members(node, of: nil) {
            if case .mapping = value {
                session.append((name, .members(try self.session(value))))
            } else {
                session.append((name, .text(try text(value), isPlain: value.scalar?.style == .plain)))
            }
        }
        return session
    }
}

/// Keeps each U+FEFF that stands inside a scenario's file.
///
/// Yams takes one at the beginning of a text for the mark of the order of bytes, and drops it; its scanner drops one at
/// the beginning of a line. So a guard stands before each while Yams reads: a letter that the file has nowhere else, or
/// the escape of that letter where the mark is written as an escape. Then the guards are taken out of what was read. Only
/// the mark at the very beginning of the file is dropped.
private struct GuardedMarks: Sendable {
    /// The file's text, with the guards.
    let text: String
    /// The letter, and its escape as it looks where escapes mean nothing; nil where there is no mark.
    private let guards: (letter: Unicode.Scalar, escape: String)?

    private static let mark: Unicode.Scalar = "\u{FEFF}"

    init(_ file: String) {
        var letters = Array(file.unicodeScalars)
        if letters.first == Self.mark { letters.removeFirst() }
        let escapes = Self.escapes(in: letters)
        let taken = Set(letters).union(escapes.values)
        // Of the letters that mean nothing to anybody.
        let free = (UInt32(0xE000)...0xF8FF).lazy.compactMap { Unicode.Scalar($0) }.first { !taken.contains($0) }
        guard taken.contains(Self.mark), let letter = free else {
            text = String(String.UnicodeScalarView(letters))
            guards = nil
            return
        }
        let escape = "\\u" + String(letter.value, radix: 16)
        var guarded = String.UnicodeScalarView()
        var backslashes = 0
        for (index, each) in letters.enumerated() {
            if each == Self.mark { guarded.append(letter) }
            // Two backslashes are one, and what follows them is no escape.
            if escapes[index] == Self.mark, backslashes.isMultiple(of: 2) {
                guarded.append(contentsOf: escape.unicodeScalars)
            }
            backslashes = each == "\\" ? backslashes + 1 : 0
            guarded.append(each)
        }
        text = String(guarded)
        guards = (letter, escape)
    }

    /// A text that was read from ``text``, without the guards.
    func removed(from text: String) -> String {
        guard let guards else { return text }
        var letters = text.unicodeScalars
        letters.removeAll { $0 == guards.letter }
        return String(letters).replacing(guards.escape, with: "")
    }

    /// What looks like an escape, by the place of its backslash.
    private static func escapes(in letters: [Unicode.Scalar]) -> [Int: Unicode.Scalar] {
        var found: [Int: Unicode.Scalar] = [:]
        for (index, each) in letters.enumerated() where each == "\\" && index + 1 < letters.count {
            let length = letters[index + 1] == "u" ? 4 : letters[index + 1] == "U" ? 8 : 0
            let digits = letters[(index + 2)...].prefix(length)
            guard length > 0, digits.count == length else { continue }
            let value = UInt32(String(String.UnicodeScalarView(digits)), radix: 16)
            if let letter = value.flatMap({ Unicode.Scalar($0) }) { found[index] = letter }
        }
        return found
    }
}
