import ArgumentParser
import Formats

/// `parley sessions`: who acts for which customer.
struct SessionCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions", abstract: "List, open, show and end sessions.",
        subcommands: [List.self, New.self, Show.self, End.self], defaultSubcommand: List.self)

    static let titles = ["SESSION", "CHANNEL", "CUSTOMER", "STATE", "CREATED"]

    static func row(_ session: JSONElement) -> [String] {
        [
            session["id"]?.string, session["channel"]?["id"]?.string, session["customer"]?["id"]?.string,
            session["state"]?.string, session["createdAt"]?.string,
        ].map { $0 ?? "" }
    }

    struct List: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the sessions, oldest first.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try Pages(client, "/v1/sessions")
            output.list(list.items, bytes: list.bytes, titles: titles, row: row)
        }
    }

    struct New: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Open a session.",
            discussion: """
                The answer as JSON has the session's own token, which opens this session and nothing else.

                EXAMPLES:
                  parley sessions new --channel multi --as cleo --first-name Cleo
                  SESSION=$(parley sessions new --channel multi -o id)
                """)
        @Option(help: ArgumentHelp("The channel.", valueName: "channel"), completion: IDCompletion.channels)
        var channel: String
        @Option(help: ArgumentHelp("The service: local, cxone.", valueName: "service"))
        var service: String?
        @OptionGroup var customer: CustomerFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let answer = try customer.open(client, channel: channel, service: service)
            output.item(answer, titles: titles, row: row)
        }
    }

    struct Show: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "Show a session.")
        @Argument(help: "The session.", completion: IDCompletion.sessions) var session: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            output.item(try client.get(GatewayClient.path(["sessions", session])), titles: titles, row: row)
        }
    }

    struct End: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "End a session, and close its streams.")
        @Argument(help: "The session.", completion: IDCompletion.sessions) var session: String
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            _ = try client.call("DELETE", GatewayClient.path(["sessions", session]))
            output.note("the session \(session) has ended")
        }
    }
}

/// The flags that say as which customer a session acts.
struct CustomerFlags: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The customer's id. Without it, the gateway makes one.", valueName: "id"))
    var id: String?
    @Option(name: .customLong("first-name"), help: ArgumentHelp("The customer's first name.", valueName: "name"))
    var firstName: String?
    @Option(name: .customLong("last-name"), help: ArgumentHelp("The customer's last name.", valueName: "name"))
    var lastName: String?

    /// Opens a session for the customer. Throws ``CommandFailure``.
    func open(_ client: GatewayClient, channel: String, service: String?) throws(CommandFailure) -> JSONText {
        try client.post("/v1/sessions") { json in
            json.member("service", service)
            json.member("channel", channel)
            if id == nil, firstName == nil, lastName == nil { return }
            json.name("customer")
            json.beginObject()
            json.member("id", id)
            json.member("firstName", firstName)
            json.member("lastName", lastName)
            json.endObject()
        }
    }
}
