import Formats
import Foundation

/// A conversation to be played: who takes part, and what each does and waits for.
struct Scenario: Sendable {
    struct Actor: Sendable {
        enum Side: String, Sendable { case customer, agent }
        var name: String
        var side: Side
        /// Somebody else plays this one: its steps are passed over.
        var isExternal = false
        /// With variables.
        var id: String?
        /// The customer's first name, or the agent's name.
        var title: String?
        /// Where the agent's desk is.
        var place = Place()
    }

    /// A gateway.
    struct Place: Hashable, Sendable {
        /// As `--gateway` takes it; nil for the command's own.
        var gateway: String?
        /// As `--token-file` takes it.
        var tokenFile: String?
    }

    /// A value of a session's request, with variables.
    indirect enum Value: Sendable {
        /// A plain text that looks like a number, `true`, `false` or `null` is that.
        case text(String, isPlain: Bool)
        case members([(name: String, value: Value)])
    }

    struct Expectation: Sendable {
        /// The type of the event.
        var event: String
        /// An actor, or customer, agent, bot, system; nil for the other side, and for either one in message.updated.
        var from: String?
        /// Paths in the event's data and what must stand there, with variables: a text, or `/a regular expression/`.
        var conditions: [(path: String, value: String)] = []
        var within: Duration
        /// Names of variables, and the paths of their values in the event's data.
        var saved: [(name: String, path: String)] = []
    }

    enum Action: Sendable {
        case send(text: String, replyTo: String?, saved: [(name: String, path: String)])
        case typing(Duration)
        case close, read
        case expect(Expectation)
        /// The members of the request that tells the sandbox what goes wrong.
        case fault([(name: String, value: Value)])
    }

    struct Step: Sendable {
        var line: Int
        /// Empty for a fault.
        var actor: String
        /// How long to wait before.
        var after: Duration = .zero
        var action: Action
    }

    var file: String
    var title: String
    /// The members of the request for a session that say where it is.
    var session: [(name: String, value: Value)]
    var variables: [String: String]
    var actors: [Actor]
    var steps: [Step]
}

extension Scenario.Value {
    func write(to json: inout JSONWriter, _ filled: (String) -> String) {
        switch self {
        case .text(let text, let isPlain):
            let text = filled(text)
            if isPlain, let value = try? JSONText(Array(text.utf8)), value.root.kind != .string {
                json.raw(value.root.bytes)
            } else {
                json.value(text)
            }
        case .members(let members):
            json.beginObject()
            for (name, value) in members {
                json.name(name)
                value.write(to: &json, filled)
            }
            json.endObject()
        }
    }
}

/// Why a scenario cannot be played: the file is wrong.
struct ScenarioFault: Error, Equatable, CustomStringConvertible {
    var file: String
    var line: Int
    var reason: String

    var description: String { "\(file):\(line): \(reason)" }
}

extension String {
    /// The text with `${name}` replaced; `$${` stands for `${`. Nil, and the name, when a variable has no value.
    func filled(_ value: (String) -> String?) -> (text: String, missing: String?) {
        var (filled, rest) = ("", self[...])
        while let start = rest.range(of: "${") {
            let isEscaped = rest[..<start.lowerBound].hasSuffix("$")
            filled += isEscaped ? rest[..<start.lowerBound].dropLast() : rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard !isEscaped, let end = rest.firstIndex(of: "}") else {
                filled += "${"
                continue
            }
            let name = String(rest[..<end])
            guard let text = value(name) else { return ("", name) }
            filled += text
            rest = rest[rest.index(after: end)...]
        }
        return (filled + rest, nil)
    }
}
