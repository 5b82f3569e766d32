import ArgumentParser

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
