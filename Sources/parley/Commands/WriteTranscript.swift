import ArgumentParser

/// `parley transcript`: what was said in a thread, as a file for people or programs.
struct WriteTranscript: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcript", abstract: "Write what was said in a thread to standard output.",
        discussion: """
            Messages stand oldest first. With --desk the thread is one of the desk; otherwise its session is named, \
            too.
            """)

    @Argument(help: ArgumentHelp("The session and the thread, or with --desk the thread.", valueName: "ids"))
    var ids: [String]
    @Flag(help: "The thread as the desk sees it.") var desk = false
    @Option(help: "json, text or html.") var format = TranscriptForm.text
    @OptionGroup var flags: ClientFlags

    func validate() throws {
        if ids.count != (desk ? 1 : 2) {
            throw ValidationError(desk ? "Name a thread." : "Name a session and a thread, or a thread and --desk.")
        }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let segments = desk ? ["desk", "threads", ids[0]] : ["sessions", ids[0], "threads", ids[1]]
        let thread = try client.get(GatewayClient.path(segments)).root
        let messages = try Pages(client, GatewayClient.path(segments + ["messages"])).items
        output.line(format.written(messages.reversed(), of: thread))
    }
}
