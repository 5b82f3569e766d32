import Formats
import Foundation

/// A conversation to be played: who takes part, and what each does and waits for.
package struct Scenario: Sendable {
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
    package struct Place: Hashable, Sendable {
        /// As `--gateway` takes it; nil for the command's own.
        package var gateway: String?
        /// As `--token-file` takes it.
        package var tokenFile: String?
    }

    /// A value of a session's request, with variables.
    indirect enum Value: Sendable {
        /// A plain text that looks like a number, `true`, `false` or `null` is that.
        case text(String, isPlain: Bool)
        case members([(name: String, value: Value)])
    }

    /// Names of variables, and the paths of their values in the event's data.
    typealias Saved = [(name: String, path: ScenarioPath)]

    /// What a message consists of, with variables.
    struct Content: Sendable {
        var text: String?
        /// What belongs to the answer that was chosen.
        var postback: String?
        /// The path of a file, from the scenario's folder.
        var file: String?
        var replyTo: String?
        var saved: Saved = []
    }

    /// An event that may come.
    struct Pattern: Sendable {
        /// The type of the event.
        var event = "message.created"
        /// An actor, or customer, agent, bot, system; nil for the other side, and for either one in message.updated.
        var from: String?
        var conditions: [ScenarioCondition] = []
    }

    struct Expectation: Sendable {
        var pattern = Pattern()
        var within: Duration
        /// How long no second one may come; nil if more may come.
        var once: Duration?
        var saved: Saved = []
    }

    /// What an app must ask of the sandbox, since the last fault.
    struct Requests: Sendable {
        /// The platform's name of the request, or over HTTP the operation's id.
        var event: String
        /// Of one customer, with variables; nil for all apps.
        var customer: String?
        /// So often at least.
        var times = 1
        /// Whether the last pause between them must be longer than the first.
        var isSlowing = false
        var within: Duration
    }

    /// A program that is started for the runs of the scenario, and ended behind them.
    struct Program: Hashable, Sendable {
        /// For a shell.
        var command: String
        /// An expression for a line of its output: when the runs may begin. Nil: at once.
        var ready: String?
    }

    enum Action: Sendable {
        case send(Content)
        case typing(Duration)
        case close, read
        case expect(Expectation)
        /// No message of the other side comes in this time, and each that came since the actor's last step was expected.
        case nothingElse(Duration)
        /// None of these comes in this time, nor came since the actor's last step.
        case noneOf([Pattern], within: Duration)
        /// The members of the request that tells the sandbox what goes wrong.
        case fault([(name: String, value: Value)])
        /// An app asks the sandbox for something.
        case requests(Requests)
    }

    struct Step: Sendable {
        var line: Int
        /// Empty for what concerns the sandbox.
        var actor: String
        /// How long to wait before.
        var after: Duration = .zero
        var action: Action
    }

    /// The steps that are no actor's.
    static let sandboxSteps = ["fault", "sandbox"]

    var file: String
    package var title: String
    /// The members of the request for a session that say where it is.
    var session: [(name: String, value: Value)]
    var variables: [String: String]
    var actors: [Actor]
    var steps: [Step]
    /// Whose sandbox is meant where the gateway has several, such as `sendbird`; nil for the first one.
    var platform: String?
    var program: Program?

    /// The folder of the file: where the program runs, and its other files are.
    var folder: String {
        file.lastIndex(of: "/").map { $0 == file.startIndex ? "/" : String(file[..<$0]) } ?? "."
    }
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
package struct ScenarioFault: Error, Equatable, CustomStringConvertible {
    var file: String
    var line: Int
    var reason: String

    package var description: String { "\(file):\(line): \(reason)" }
}

extension String {
    /// The text as a part of a regular expression that means the text itself.
    ///
    /// By characters, as the reader of expressions takes them: it knows no escape for one that is not ASCII alone.
    var escapedForExpression: String {
        map { character in
            let scalars = character.unicodeScalars
            guard let first = scalars.first else { return "" }
            let isSpecial =
                first.isASCII && first.value >= 0x20 && !("0"..."9").contains(first) && !first.properties.isAlphabetic
            // The reader refuses a sign with a meaning that has a mark, and a mark would join the sign in front.
            if isSpecial && scalars.count > 1 || first.properties.isGraphemeExtend {
                return scalars.map(\.shown).joined()
            }
            return isSpecial ? "\\\(character)" : "\(character)"
        }.joined()
    }

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

/// A time as scenarios and commands take it: `500ms`, `30s`, `10m`, `2h`, `1d`; a number alone is seconds.
package struct DurationText: Sendable {
    package let duration: Duration

    /// Nil for another text.
    package init?(_ text: String) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let number = Int64(digits), number <= 1_000_000_000 else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": duration = .milliseconds(number)
        case "", "s": duration = .seconds(number)
        case "m": duration = .seconds(number * 60)
        case "h": duration = .seconds(number * 3600)
        case "d": duration = .seconds(number * 86_400)
        default: return nil
        }
    }

    /// The whole time in milliseconds, which is what the API takes.
    package var milliseconds: Int {
        let (seconds, attoseconds) = duration.components
        return Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
    }
}
