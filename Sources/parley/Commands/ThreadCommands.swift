import ArgumentParser
import Formats
import Scenarios

/// `parley threads`: the threads of a session.
struct ListThreads: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "threads", abstract: "List the threads of a session, latest activity first.")

    /// As the gateway filters threads.
    enum State: String, ExpressibleByArgument, CaseIterable { case open, closed, all }

    @Argument(help: "The session.", completion: IDCompletion.sessions) var session: String
    @Option(help: "Which threads: open, closed or all.") var state = State.all
    @OptionGroup var times: TimeFlags
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let query = try [("state", state.rawValue)] + times.query()
        let path = GatewayClient.path(["sessions", session, "threads"], query)
        let list = try Pages(client, path)
        output.list(
            list.items, bytes: list.bytes, titles: ["THREAD", "STATE", "UNREAD", "UPDATED", "NAME", "LAST MESSAGE"]
        ) { thread in
            [
                thread["id"]?.string, thread["state"]?.string, thread["unreadCount"]?.number,
                thread["updatedAt"]?.string, thread["name"]?.string, Transcript.line(thread["lastMessage"]),
            ].map { $0 ?? "" }
        }
    }

    /// The thread that is meant when none is named: the only one that the session has. Throws ``CommandFailure``.
    static func only(of session: String, _ client: GatewayClient) throws(CommandFailure) -> String {
        let list = try Pages(client, GatewayClient.path(["sessions", session, "threads"]), count: 2)
        if list.items.count == 1, let id = list.items[0]["id"]?.string { return id }
        if list.items.isEmpty {
            throw .usage(
                "The session has no thread yet. Make one: parley api v1/sessions/\(session)/threads -f name=NAME")
        }
        throw .usage("The session has several threads. Name one of parley threads \(session)")
    }
}

/// `parley messages`: a transcript.
struct ListMessages: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "messages", abstract: "Show the newest messages of a thread, oldest first.",
        discussion: "With -o json it is the gateway's list, which has the newest first.")

    @Argument(help: "The session.", completion: IDCompletion.sessions) var session: String
    @Argument(help: "The thread. It may be left out where there is one.", completion: IDCompletion.threads)
    var thread: String?
    @Option(name: .customShort("n"), help: ArgumentHelp("How many at most.", valueName: "count"))
    var count = 20
    @OptionGroup var times: TimeFlags
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func validate() throws {
        guard 1...100_000 ~= count else { throw ValidationError("-n must be from 1 to 100000.") }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let thread = try thread ?? ListThreads.only(of: session, client)
        let path = try GatewayClient.path(["sessions", session, "threads", thread, "messages"], times.query())
        Transcript.print(try Pages(client, path, count: count), to: output)
    }
}

/// `parley transcript`: what was said in a thread, as a file for people or programs.
struct WriteTranscript: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcript", abstract: "Write what was said in a thread to standard output.",
        discussion: """
            Messages stand oldest first, replies among them. With --desk the thread is one of the desk; otherwise its \
            session is named, too. Times are in UTC.

            EXAMPLES:
              parley transcript SESSION THREAD
              parley transcript THREAD --desk --format html > order.html
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable { case json, text, html }

    @Argument(help: ArgumentHelp("The session and the thread, or with --desk the thread.", valueName: "ids"))
    var ids: [String]
    @Flag(help: "The thread as the desk sees it.") var desk = false
    @Option(help: "json, text or html.") var format = Form.text
    @Option(
        name: .customLong("utc-offset"),
        help: ArgumentHelp("Where the times are those of clocks, in text and html.", valueName: "+HH:MM"))
    var offset: String?
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func validate() throws {
        if ids.count != (desk ? 1 : 2) {
            throw ValidationError(desk ? "Name a thread." : "Name a session and a thread, or a thread and --desk.")
        }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let segments = desk ? ["desk", "threads", ids[0]] : ["sessions", ids[0], "threads", ids[1]]
        let query = [("format", format.rawValue), ("utcOffset", offset)]
        let (connection, head) = try client.open("GET", GatewayClient.path(segments + ["transcript"], query))
        guard head.status == 200 else {
            throw CommandFailure(status: head.status, body: try client.rest(of: connection))
        }
        var text = ForeignText(output, isJSON: format == .json)
        try client.pass(connection) { text.write($0) }
        text.end()
        if format == .json { output.line("") }
    }
}
