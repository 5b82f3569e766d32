import ArgumentParser

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
        @Option(help: ArgumentHelp("The service: local, cxone.", valueName: "service"))
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
            output.note("the customer \(place.customer) is erased")
        }
    }
}
