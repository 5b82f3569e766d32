import ArgumentParser
import Formats

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
