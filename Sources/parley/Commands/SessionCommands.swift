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
        @Option(help: ArgumentHelp("The service: local, cxone, sendbird.", valueName: "service"))
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
            output.inform("the session \(session) has ended")
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

/// `parley customer`: all that is kept of one customer, and its end.
struct CustomerCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "customer", abstract: "Export or erase all that is kept of a customer.",
        subcommands: [Export.self, Erase.self])

    /// Which customer is meant.
    struct Place: ParsableArguments {
        @Argument(help: "The customer's id.") var customer: String
        @Option(
            help: ArgumentHelp("The channel. Without it, all of the service's.", valueName: "channel"),
            completion: IDCompletion.channels)
        var channel: String?
        @Option(help: ArgumentHelp("The service: local, cxone, sendbird.", valueName: "service"))
        var service: String?

        func path(_ more: [String] = [], _ query: [(String, String?)] = []) -> String {
            GatewayClient.path(
                ["desk", "customers", customer] + more, [("service", service), ("channel", channel)] + query)
        }
    }

    struct Export: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write all that is kept of a customer to standard output.",
            discussion: """
                Each line is a JSON object, and `kind` says what it is. Files are in it, in parts of base64. The last \
                line is of the kind "end"; without it the export is not whole, and the exit status says so.
                """)
        @OptionGroup var place: Place
        @Flag(help: "The notes of agents, too.") var notes = false
        @OptionGroup var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let path = place.path(["export"], [("notes", notes ? "true" : nil)])
            let (connection, head) = try client.open("GET", path)
            guard head.status == 200 else {
                throw CommandFailure(status: head.status, body: try client.rest(of: connection))
            }
            // The beginning of the last line is enough to know it.
            var end: [UInt8] = []
            var text = ForeignText(output, isJSON: true)
            try client.pass(connection) { bytes in
                end = Array((end + bytes).suffix(Self.tail))
                text.write(bytes)
            }
            text.end()
            guard String(decoding: end, as: UTF8.self).contains("{\"kind\":\"end\"") else {
                throw CommandFailure(
                    .temporary, code: "incomplete", "The export broke off: the gateway could not read on.")
            }
        }

        private static let tail = 256
    }

    struct Erase: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Erase a customer, with everything that is kept of them.",
            discussion: """
                Threads, messages, files, sessions and their tokens go, in rows, in the log and in the search index. \
                Nothing brings them back but a copy of the data folder. What a platform such as NICE CXone has of the \
                customer stays there.
                """)
        @OptionGroup var place: Place
        @Flag(help: "Do it. Without this, the command only says what it would do.") var yes = false
        @OptionGroup var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            guard yes else {
                throw ValidationError("This erases the customer \(place.customer) for ever. Say it with --yes.")
            }
            _ = try client.call("DELETE", place.path())
            output.inform("the customer \(place.customer) is erased")
        }
    }
}
