import ArgumentParser
import Formats
import Scenarios

/// `parley send`: sends a message as the session's customer.
struct SendMessage: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "send", abstract: "Send a message as a session's customer.",
        usage: "parley send <session> [<thread>] <text> [<options>]",
        discussion: """
            The thread may be left out where there is one. The text - is read from standard input. With --file the \
            text may be left out, or be empty. With --id the same command can be repeated: the message is sent once.

            EXAMPLES:
              parley send SESSION 'Where is my order?'
              parley send SESSION THREAD 'See this.' --file photo.png
              date | parley send SESSION -
            """)

    @Argument(help: "The session.", completion: IDCompletion.sessions) var session: String
    @Argument(
        help: ArgumentHelp("The thread, if there are several, and the text.", valueName: "thread> <text"),
        completion: IDCompletion.threads)
    var words: [String] = []
    @OptionGroup var content: ContentFlags
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func validate() throws { try content.validate(words) }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let text = try content.text(words)
        let thread = try words.count == 2 ? words[0] : ListThreads.only(of: session, client)
        let file = try content.upload(client, to: ["sessions", session, "attachments"])
        let answer = try client.post(GatewayClient.path(["sessions", session, "threads", thread, "messages"])) { json in
            content.write(text: text, file: file, to: &json)
        }
        output.item(answer, titles: Transcript.titles, row: Transcript.row)
    }
}

/// What a message consists of, as flags.
struct ContentFlags: ParsableArguments {
    @Option(help: ArgumentHelp("A file to send along.", valueName: "file")) var file: String?
    @Option(
        name: .customLong("reply-to"), help: ArgumentHelp("The message that this one replies to.", valueName: "message")
    )
    var replyTo: String?
    @Option(help: ArgumentHelp("The new message's id. Without it, the gateway makes one.", valueName: "id"))
    var id: String?

    /// - Parameter words: thread and text, text alone, or with a file nothing.
    func validate(_ words: [String]) throws {
        guard (file == nil ? 1 : 0)...2 ~= words.count else {
            throw ValidationError("Give a text, and before it the thread if there are several.")
        }
    }

    /// The last word, or what standard input holds; nil for an empty one. One line end at its end is left out. Throws
    /// ``CommandFailure``.
    func text(_ words: [String]) throws(CommandFailure) -> String? {
        try words.last.map { word throws(CommandFailure) in try Self.text(of: word) } ?? nil
    }

    /// The word, or what standard input holds. Throws ``CommandFailure``.
    static func text(of word: String) throws(CommandFailure) -> String? {
        guard word == "-" else { return word.isEmpty ? nil : word }
        guard let text = String(validating: InputFile.withoutEnd(try InputFile.read("-")[...]), as: UTF8.self) else {
            throw .usage("The text on standard input is not UTF-8.")
        }
        return text.isEmpty ? nil : text
    }

    /// Uploads the file, if there is one, and returns its attachment's id. Throws ``CommandFailure``.
    func upload(_ client: GatewayClient, to segments: [String]) throws(CommandFailure) -> String? {
        try file.map { path throws(CommandFailure) in try InputFile.upload(path, client, to: segments) }
    }

    /// Writes the members of the message.
    func write(text: String?, file: String?, to json: inout JSONWriter) {
        json.member("id", id)
        json.member("text", text)
        json.member("parentId", replyTo)
        guard let file else { return }
        json.name("attachments")
        json.beginArray()
        json.beginObject()
        json.member("id", file)
        json.endObject()
        json.endArray()
    }
}
