import ArgumentParser
import Formats

/// `parley export`: the desk's conversations of a time, as lines of JSON or as a table.
struct ExportThreads: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write the desk's conversations of a time.",
        discussion: """
            All conversations that were open at some moment of the time, each as a whole. jsonl has one in each line, as \
            parley import reads it: with its customer, contacts, messages, notes and tags; of files the names alone. csv \
            has one message in each row, without notes.

            A file gets its name only when it is whole. When the export breaks off, the status is not 0, and what is on \
            standard output ends within a line.

            EXAMPLES:
              parley export --from 2026-05-01 --until 2026-06-01 --output may.jsonl
              parley export --from 24h --channel shop --format csv > day.csv
            """)

    enum Form: String, ExpressibleByArgument, CaseIterable { case jsonl, csv }

    @Option(help: ArgumentHelp("From a time on, a day in UTC, or so long ago: 24h.", valueName: "time"))
    var from: String
    @Option(help: ArgumentHelp("Before a time. Without it, up to now.", valueName: "time"))
    var until: String?
    @Option(
        help: ArgumentHelp("Only of a channel. It may be given several times.", valueName: "channel"),
        completion: IDCompletion.channels)
    var channel: [String] = []
    @Option(help: "jsonl or csv.") var format = Form.jsonl
    @Option(
        help: ArgumentHelp("The file. Without it, standard output.", valueName: "file"), completion: .file())
    var output: String?
    @OptionGroup var reach: ReachFlags
    @Flag(name: .shortAndLong, help: "Tell errors only.") var quiet = false

    var wantedOutput: OutputFormat? { .table }
    var isQuiet: Bool { quiet }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let times: [(String, String?)] = [
            ("since", try Self.time(from, "--from")),
            ("until", try until.map { text throws(CommandFailure) in try Self.time(text, "--until") }),
        ]
        let path = GatewayClient.path(["desk", "export"], times + channel.map { ("channel", Optional($0)) })
        // Before anything is written, for a wrong use.
        var page = try client.get(path + "&limit=\(Self.pageLength)").root
        let file = try ExportFile(self.output, output, isJSON: format == .jsonl)
        do throws(CommandFailure) {
            switch format {
            case .jsonl: try write(from: &page, path, client, ThreadLines(), to: file, output)
            case .csv: try write(from: &page, path, client, MessageRows(), to: file, output)
            }
            try file.finish()
        } catch {
            file.giveUp()
            var failure = error
            failure.message = "The export broke off. \(error.message)"
            throw failure
        }
    }

    /// Conversations that are asked for at once.
    private static let pageLength = 50
    /// The most bytes of a message.
    private static let longestMessage = 16 << 20

    /// A time of the query: RFC 3339, a day, or how long ago. Throws ``CommandFailure``.
    private static func time(_ text: String, _ flag: String) throws(CommandFailure) -> String {
        if text.wholeMatch(of: /\d{4}-\d{2}-\d{2}/) != nil, let day = Timestamp(rfc3339: text + "T00:00:00Z") {
            return day.rfc3339
        }
        return try Timestamp.ago(text, flag).rfc3339
    }

    private func write<Writer: ExportWriter>(
        from page: inout JSONElement, _ path: String, _ client: GatewayClient, _ writer: Writer, to file: ExportFile,
        _ output: Output
    ) throws(CommandFailure) {
        var writer = writer
        var progress = Progress(output, of: "exported", isBeside: self.output == nil && output.isTerminal)
        try file.write(writer.head)
        while true {
            for thread in page["items"]?.elements ?? [] {
                try write(thread, client, &writer, to: file)
                progress.countOne()
            }
            guard let next = page["next"]?.string else { break }
            page = try client.get(path + "&limit=\(Self.pageLength)&cursor=\(next.percentEncoded)").root
        }
        progress.end()
    }

    private func write<Writer: ExportWriter>(
        _ thread: JSONElement, _ client: GatewayClient, _ writer: inout Writer, to file: ExportFile
    ) throws(CommandFailure) {
        guard let id = thread["id"]?.string else {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer names no conversation.")
        }
        let which = [("channel", thread["channel"]?.string), ("customer", thread["customer"]?["id"]?.string)]
        try file.write(writer.begin(thread))
        let (connection, head) = try client.open(
            "GET", GatewayClient.path(["desk", "threads", id, "transcript"], which + [("format", "json")]))
        guard head.status == 200 else {
            throw CommandFailure(status: head.status, body: try client.rest(of: connection))
        }
        var scanner = ElementScanner(limit: Self.longestMessage)
        var failure: CommandFailure?
        try client.pass(connection) { piece in
            guard failure == nil else { return }
            do {
                for element in try scanner.scan(piece) where element.list == "items" {
                    try file.write(writer.message(try GatewayClient.json(element.bytes).root))
                }
            } catch let fault as CommandFailure {
                failure = fault
            } catch {
                failure = CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer is not JSON.")
            }
        }
        if let failure { throw failure }
        guard scanner.isEnd else {
            throw CommandFailure(.temporary, code: "incomplete", "The gateway could not read on in \(id).")
        }
        if writer.hasNotes { try writeNotes(of: id, which, client, &writer, to: file) }
        try file.write(writer.end())
    }

    /// Agents write few notes about one conversation. The list has the newest first.
    private func writeNotes<Writer: ExportWriter>(
        of thread: String, _ which: [(String, String?)], _ client: GatewayClient, _ writer: inout Writer,
        to file: ExportFile
    ) throws(CommandFailure) {
        let notes = try Pages(client, GatewayClient.path(["desk", "threads", thread, "notes"], which)).items
        for note in notes.reversed() { try file.write(writer.note(note)) }
    }
}
