import ArgumentParser
import ChatModel
import Formats
import Scenarios

/// `parley key`: the keys of programs.
struct KeyCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Make, list, rotate and end the keys of programs.",
        discussion: """
            A key opens what its scopes name and nothing else, so a program need not hold the gateway's own token.
            """,
        subcommands: [Add.self, List.self, Rotate.self, Remove.self], defaultSubcommand: List.self)

    static let titles = ["KEY", "NAME", "SCOPES", "CHANNELS", "STATE", "LAST USED", "ENDS"]

    static func row(_ key: JSONElement) -> [String] {
        func names(_ member: StaticString) -> String? {
            key[member]?.elements.map { $0.compactMap(\.string).joined(separator: " ") }
        }
        return [
            key["id"]?.string, key["name"]?.string, names("scopes"), names("channels") ?? "all",
            key["state"]?.string, key["lastUsedAt"]?.string ?? "never", key["expiresAt"]?.string ?? "never",
        ].map { $0 ?? "" }
    }

    struct Add: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a key, and print its text.",
            discussion: """
                The text is shown once, and the gateway does not keep it. A key ends after a year, unless --days or \
                --forever says something else.

                EXAMPLES:
                  parley key add Prometheus --scope metrics.read > /etc/prometheus/parley-key
                  parley key add Kiosk --scope sessions.write --channel help
                  parley key add Bot --scope desk.write --channel help --agent bot --agent-name Bot
                """)
        @Argument(help: "What the key is for.") var name: String
        @Option(
            name: .customLong("scope"),
            help: ArgumentHelp("What it opens; may come several times.", valueName: "scope"))
        var scopes: [String]
        @Option(
            name: .customLong("channel"),
            help: ArgumentHelp(
                "The only channels that are there for it; may come several times.", valueName: "channel"),
            completion: IDCompletion.channels)
        var channels: [String] = []
        @Option(help: ArgumentHelp("The agent as whom it always acts.", valueName: "id")) var agent: String?
        @Option(help: ArgumentHelp("The agent's name.", valueName: "name")) var agentName: String?
        @Flag(help: "The agent is a person, and no bot.") var person = false
        @Option(help: ArgumentHelp("Days until it ends.", valueName: "days")) var days: Int?
        @Flag(help: "It does not end by itself.") var forever = false
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            if days != nil, forever { throw ValidationError("Give --days or --forever, not both.") }
            if let days, !(1...3653).contains(days) { throw ValidationError("--days is a number from 1 to 3653.") }
            if agent == nil, agentName != nil || person {
                throw ValidationError("--agent-name and --person need --agent.")
            }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let key = try client.post("/v1/keys") { json in
                json.member("name", name)
                json.member("scopes", texts: scopes)
                if !channels.isEmpty { json.member("channels", texts: channels) }
                if let agent {
                    json.name("agent")
                    json.beginObject()
                    json.member("id", agent)
                    json.member("name", agentName ?? name)
                    if !person { json.member("isBot", true) }
                    json.endObject()
                }
                if let days {
                    json.member(
                        "expiresAt", ModelEnvironment.system.now().advanced(byMilliseconds: Int64(days) * 86_400_000))
                }
                if forever {
                    json.name("expiresAt")
                    json.raw("null")
                }
            }
            KeyCommands.show(key, output)
        }
    }

    struct List: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the keys, the oldest first.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try client.get("/v1/keys")
            output.list(list.root["items"]?.elements ?? [], bytes: Array(list.root.bytes), titles: titles, row: row)
        }
    }

    struct Rotate: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give a key a new text, and print it.",
            discussion: "The old text works beside the new one for a day, unless --overlap says something else.")
        @Argument(help: "The key's id.") var key: String
        @Option(help: ArgumentHelp("Seconds for which the old text still works.", valueName: "seconds"))
        var overlap: Int?
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let answer = try client.post(GatewayClient.path(["keys", key, "rotate"])) { json in
                if let overlap { json.member("overlapSeconds", overlap) }
            }
            KeyCommands.show(answer, output)
        }
    }

    struct Remove: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a key with its streams and the requests that wait.",
            discussion: "The sessions that it has opened stay, and their tokens go on.")
        @Argument(help: "The key's id.") var key: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            _ = try client.call("DELETE", GatewayClient.path(["keys", key]))
            output.inform("the key \(key) has ended")
        }
    }

    /// Prints the text alone, for a file or a variable; with another form the whole answer.
    private static func show(_ key: JSONText, _ output: Output) {
        if output.format == .table, let secret = key.root["secret"]?.string { return output.line(secret.shownSafely) }
        output.item(key, titles: titles, row: row)
    }
}
