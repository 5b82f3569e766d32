import ArgumentParser
import Formats

/// `parley import`: conversations from a file into the desk.
struct ImportThreads: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add conversations from a file to the desk.",
        discussion: """
            jsonl is what parley export writes: a conversation in each line. zendesk is Zendesk's JSON: an object with \
            tickets, and users where there are any, or a ticket in each line; tickets have their comments in them.

            Conversations keep their times, and nobody is told of them. Each goes in as a whole. One that was imported \
            before changes nothing, so a command that was interrupted is given again. What is refused is told with its \
            line and member, and the rest goes on; the status is 1 then.

            EXAMPLES:
              parley import may.jsonl
              parley import tickets.json --format zendesk --channel support
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable { case jsonl, zendesk }

    @Argument(help: ArgumentHelp("The file; - is standard input, for jsonl.", valueName: "file"), completion: .file())
    var file: String
    @Option(help: "jsonl or zendesk.") var format = Form.jsonl
    @Option(
        help: ArgumentHelp("The channel for all conversations, instead of their own.", valueName: "channel"),
        completion: IDCompletion.channels)
    var channel: String?
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func validate() throws {
        if format == .zendesk, channel == nil {
            throw ValidationError("Tickets have no channel: name one with --channel.")
        }
        if format == .zendesk, file == "-" { throw ValidationError("Tickets are read twice: name a file.") }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        var work = ImportWork(client, output, file: file, channel: channel)
        switch format {
        case .jsonl: try work.takeLines()
        case .zendesk: try work.takeTickets()
        }
        try work.finish()
    }
}

/// One import on its way.
struct ImportWork {
    private let client: GatewayClient
    private let output: Output
    private let file: String
    private let channel: String?
    private var progress: Progress
    private var counts = (imported: 0, unchanged: 0, refused: 0)

    /// The most bytes of a line, or of a ticket. The gateway has a limit of its own.
    private static let limit = 64 << 20

    init(_ client: GatewayClient, _ output: Output, file: String, channel: String?) {
        (self.client, self.output, self.file, self.channel) = (client, output, file, channel)
        progress = Progress(output, of: "read")
    }

    /// Throws ``CommandFailure``.
    mutating func takeLines() throws(CommandFailure) {
        var lines = InputLines(try InputPieces(file), limit: Self.limit)
        defer { lines.pieces.close() }
        while let line = try lines.next() {
            guard let bytes = line.bytes else {
                refuse("line \(line.number)", "it has more than \(Self.limit) bytes")
                continue
            }
            try send(bytes, "line \(line.number)")
            progress.countOne(share: lines.pieces.share)
        }
    }

    /// Throws ``CommandFailure``.
    mutating func takeTickets() throws(CommandFailure) {
        let mode = try client.get(GatewayClient.path(["desk", "channels", channel ?? ""])).root["mode"]?.string
        var users = ZendeskUsers()
        try ZendeskFile.read(file, limit: Self.limit) { list, _, json, _ throws(CommandFailure) in
            if list == "users" { users.add(json) }
        }
        let converter = ZendeskTicket(users: users, hasNames: mode == "multithread")
        try ZendeskFile.read(file, limit: Self.limit) { list, number, json, share throws(CommandFailure) in
            guard list == "tickets" else { return }
            let place = "ticket \(number)" + (json["id"]?.number.map { " (#\($0))" } ?? "")
            let bytes: [UInt8]
            do throws(ZendeskTicket.Fault) {
                bytes = try converter.conversation(json)
            } catch {
                return refuse(place, "/\(error.member): \(error.detail)")
            }
            try send(bytes, place)
            progress.countOne(share: share)
        }
    }

    /// Sends one conversation. What the gateway refuses about it is told, and the rest goes on. Throws
    /// ``CommandFailure`` for what concerns all.
    private mutating func send(_ bytes: [UInt8], _ place: String) throws(CommandFailure) {
        do throws(CommandFailure) {
            let answer = try GatewayClient.json(
                client.call(
                    "POST", GatewayClient.path(["desk", "import"], [("channel", channel)]),
                    headers: [("Content-Type", "application/json")], body: bytes)
            ).root
            if answer["result"]?.string == "unchanged" { counts.unchanged += 1 } else { counts.imported += 1 }
        } catch {
            guard error.status == .refused || error.code == "outsideChannels" else {
                progress.clear()
                var failure = error
                failure.message =
                    "The import stopped at \(place). \(error.message) Give the command again: what is in stays."
                throw failure
            }
            refuse(place, Self.words(error))
        }
    }

    /// What is wrong, each with its member.
    private static func words(_ failure: CommandFailure) -> String {
        let errors = (try? JSONText(failure.json).root["errors"]?.elements) ?? []
        let parts = errors.compactMap { error in
            error["pointer"]?.string.map { pointer in
                "\(pointer.hasPrefix("#") ? pointer.dropFirst() : pointer[...]): \(error["detail"]?.string ?? "")"
            }
        }
        return parts.isEmpty ? failure.message : "\(parts.joined(separator: "; ")) (\(failure.code))"
    }

    private mutating func refuse(_ place: String, _ words: String) {
        counts.refused += 1
        progress.clear()
        output.warn("\(file): \(place): \(words)")
    }

    /// Tells what it came to. Throws ``CommandFailure`` if something was refused.
    func finish() throws(CommandFailure) {
        progress.clear()
        var json = JSONWriter()
        json.beginObject()
        json.member("imported", counts.imported)
        json.member("unchanged", counts.unchanged)
        json.member("refused", counts.refused)
        json.endObject()
        output.item(try GatewayClient.json(json.bytes), titles: ["IMPORTED", "UNCHANGED", "REFUSED"]) { counts in
            ["imported", "unchanged", "refused"].map { name in
                counts.members?.first { $0.name == name }?.value.number ?? ""
            }
        }
        guard counts.refused == 0 else {
            throw CommandFailure(
                .refused, code: "someRefused",
                "\(counts.refused) conversation\(counts.refused == 1 ? " was" : "s were") refused; the others are in.")
        }
    }
}
