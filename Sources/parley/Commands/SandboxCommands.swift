import ArgumentParser
import Formats

/// `parley sandbox`: what programs and the sandbox of their platform say to each other.
struct SandboxCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sandbox", abstract: "See what apps say to the sandbox, and begin with a clean one.",
        subcommands: [Sockets.self, ListFrames.self, Reset.self])

    struct Sockets: UsualCommand {
        static let configuration = CommandConfiguration(abstract: "List the open sockets of apps, oldest first.")
        @OptionGroup(title: "Global options") var flags: ClientFlags

        private static let titles = ["SOCKET", "CUSTOMER", "CHANNEL", "PLATFORM", "RECEIVED", "SENT", "SINCE"]

        func run(_ client: GatewayClient, _ output: Output) throws {
            let list = try SandboxClient(client).list(["sockets"])
            output.list(list.items, bytes: list.bytes, titles: Self.titles, id: { $0["number"]?.number }) { socket in
                [
                    socket["number"]?.number, socket["customer"]?.string, socket["channel"]?.string,
                    socket["platform"]?.string, socket["received"]?.number, socket["sent"]?.number,
                    socket["since"]?.string,
                ].map { $0 ?? "" }
            }
        }
    }

    struct Reset: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Begin with a clean sandbox.",
            discussion: """
                It closes the sockets of all apps, and removes faults, scripts, frames, devices, and the threads of the \
                customers for whom apps have acted. It asks nothing, so it wants --yes.
                """)
        @Flag(help: "Really remove all this.") var yes = false
        @OptionGroup var sandbox: SandboxFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func validate() throws {
            guard yes else {
                throw ValidationError(
                    "This removes the threads of all customers for whom apps have acted. Give --yes to do it.")
            }
        }

        func run(_ client: GatewayClient, _ output: Output) throws {
            let done = try SandboxClient(client, sandbox.platform).post(["reset"])
            output.item(done, titles: ["SOCKETS", "CUSTOMERS", "THREADS"]) { done in
                ["sockets", "customers", "threads"].map { done[$0]?.number ?? "" }
            }
        }
    }
}

/// The flag that says which sandbox is meant.
struct SandboxFlags: ParsableArguments {
    @Option(
        help: "The platform whose sandbox is meant: cxone or sendbird. Without it, the gateway's only one, or cxone.",
        completion: .list(["cxone", "sendbird"]))
    var platform: String?
}

/// The sandbox of the gateway, which only a gateway that was started with it has.
struct SandboxClient {
    let client: GatewayClient
    /// Nil for the gateway's own choice.
    private let platform: String?

    init(_ client: GatewayClient, _ platform: String? = nil) { (self.client, self.platform) = (client, platform) }

    /// A path of the sandbox, of segments that are encoded here, with a query.
    private func path(_ segments: [String], _ query: [(String, String?)] = []) -> String {
        GatewayClient.path(["sandbox"] + segments, query + [("platform", platform)])
    }

    /// The answer to a GET, as JSON. Throws ``CommandFailure``, as the others do.
    func get(_ segments: [String], _ query: [(String, String?)] = []) throws(CommandFailure) -> JSONText {
        try explained { () throws(CommandFailure) in try client.get(path(segments, query)) }
    }

    /// A whole list.
    func list(_ segments: [String]) throws(CommandFailure) -> Pages {
        try explained { () throws(CommandFailure) in try Pages(client, path(segments), isPaged: false) }
    }

    /// The answer to a POST, as JSON.
    ///
    /// - Parameter body: JSON; nil for none.
    func post(_ segments: [String], body: [UInt8]? = nil) throws(CommandFailure) -> JSONText {
        let headers = body == nil ? [] : [("Content-Type", "application/json")]
        return try explained { () throws(CommandFailure) in
            try GatewayClient.json(client.call("POST", path(segments), headers: headers, body: body))
        }
    }

    func delete(_ segments: [String]) throws(CommandFailure) {
        _ = try explained { () throws(CommandFailure) in try client.call("DELETE", path(segments)) }
    }

    /// Does a request, and says what to do about a gateway that has no sandbox.
    private func explained<T>(_ work: () throws(CommandFailure) -> T) throws(CommandFailure) -> T {
        do throws(CommandFailure) {
            return try work()
        } catch {
            guard error.code == "notFound",
                case let info = try client.get("/v1/info").root, info["sandbox"] == nil, info["sendbirdSandbox"] == nil
            else { throw error }
            throw CommandFailure(
                .refused, code: "notFound",
                "This gateway has no sandbox: start it with --cxone-sandbox or --sendbird-sandbox. (notFound)")
        }
    }
}
