import ArgumentParser
import Formats
import Foundation

/// `parley api`: any route of the gateway, with the token that the other commands use.
struct CallAPI: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "api", abstract: "Make a request of any route.",
        usage: "parley api [<method>] <path> [<options>]",
        discussion: """
            The method is GET, or POST if there is a body. The path is that of the reference, such as v1/sessions. The \
            answer's body goes to standard output as it comes; that of a stream goes on until it ends.

            EXAMPLES:
              parley api v1/services
              parley api v1/sessions -f channel=multi
              parley api PATCH v1/desk/channels/multi -f name='My requests'
            """)

    @OptionGroup var reach: ReachFlags
    @Argument(help: ArgumentHelp("The method, if it is not the usual one, and the path.", valueName: "method> <path"))
    var words: [String]
    @Option(
        name: [.customShort("f"), .customLong("field")],
        help: ArgumentHelp("A member of the body: NAME=TEXT, or NAME:=JSON; may be repeated.", valueName: "name=value"))
    var fields: [String] = []
    @Option(
        name: [.customShort("q"), .customLong("query")],
        help: ArgumentHelp("A parameter of the query; may be repeated.", valueName: "name=value"))
    var query: [String] = []
    @Option(help: ArgumentHelp("A file with the body, - for standard input.", valueName: "file"))
    var input: String?
    @Option(
        name: .customLong("content-type"), help: ArgumentHelp("The type of the body of --input.", valueName: "type"))
    var contentType = "application/json"
    @Flag(name: .customLong("all-pages"), help: "Follow the pages of a list, and print one list of all.")
    var allPages = false
    @Flag(name: [.customShort("i"), .customLong("include")], help: "Print the answer's status and headers, too.")
    var includesHead = false
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp(
            "json: the answer as it comes; of a list also jsonl (one item a line) or id.", valueName: "form"))
    var output: OutputFormat?

    /// Other commands print tables unless they are told otherwise; this one prints what the gateway says.
    var wantedOutput: OutputFormat? { output ?? .json }
    var isQuiet: Bool { false }

    func validate() throws {
        guard 1...2 ~= words.count else { throw ValidationError("Give a path, and before it a method if need be.") }
        guard fields.isEmpty || input == nil else { throw ValidationError("Give either -f or --input, but not both.") }
        for word in words where word.utf8.contains(where: { $0 <= 0x20 || $0 >= 0x7F }) {
            throw ValidationError("Method and path must be plain ASCII; -q encodes what it is given.")
        }
        if allPages, words.count == 2 || !fields.isEmpty || input != nil {
            throw ValidationError("--all-pages is for GET.")
        }
        if output == .table { throw ValidationError("This command prints no tables: choose json, jsonl or id.") }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let body = try body()
        let method = words.count == 2 ? words[0].uppercased() : body == nil ? "GET" : "POST"
        let path = try path()
        let headers = body == nil ? [] : [("Content-Type", contentType)]
        if allPages {
            let list = try Pages(client, path)
            return output.list(list.items, bytes: list.bytes, titles: []) { _ in [] }
        }
        if output.format != .json {
            let answer = try GatewayClient.json(client.call(method, path, headers: headers, body: body)).root
            return output.list(answer["items"]?.elements ?? [answer], bytes: [], titles: []) { _ in [] }
        }
        let (connection, head) = try client.open(method, path, headers: headers, body: body)
        if includesHead {
            var text = ForeignText(output, isJSON: false)
            text.write(head.bytes)
            text.end()
        }
        guard 200..<400 ~= head.status else {
            throw CommandFailure(status: head.status, body: try client.rest(of: connection))
        }
        let found = try client.finder.find()
        var last: UInt8?
        let isText = ["json", "text/"].contains { head["Content-Type"]?.contains($0) == true }
        let isJSON = ["json", "event-stream"].contains { head["Content-Type"]?.contains($0) == true }
        var text = ForeignText(output, isJSON: isJSON)
        while let piece = try GatewayClient.explained(found, { try connection.body() }) {
            if piece.isEmpty {
                _ = connection.wait(until: nil)
            } else {
                text.write(piece)
                last = piece.last
            }
        }
        text.end()
        if isText, let last, last != UInt8(ascii: "\n") { output.write([UInt8(ascii: "\n")]) }
    }

    /// The path with a slash in front and the query behind.
    private func path() throws(CommandFailure) -> String {
        let path = words[words.count - 1]
        var pairs: [String] = []
        for pair in query {
            guard let sign = pair.firstIndex(of: "=") else { throw .usage("-q \(pair): write NAME=VALUE.") }
            pairs.append(
                String(pair[..<sign]).percentEncoded + "=" + String(pair[pair.index(after: sign)...]).percentEncoded)
        }
        let start = path.hasPrefix("/") ? path : "/" + path
        return pairs.isEmpty ? start : start + (start.contains("?") ? "&" : "?") + pairs.joined(separator: "&")
    }

    private func body() throws(CommandFailure) -> [UInt8]? {
        if let input { return try InputFile.read(input) }
        guard !fields.isEmpty else { return nil }
        var writer = JSONWriter()
        writer.beginObject()
        for field in fields {
            guard let sign = field.firstIndex(of: "=") else {
                throw .usage("-f \(field): write NAME=TEXT or NAME:=JSON.")
            }
            let value = String(field[field.index(after: sign)...])
            if field[..<sign].hasSuffix(":") {
                writer.name(String(field[..<sign].dropLast()))
                guard (try? JSONText(Array(value.utf8))) != nil else {
                    throw .usage("-f \(field): the value is not JSON.")
                }
                writer.raw(value.utf8)
            } else {
                writer.name(String(field[..<sign]))
                writer.value(value)
            }
        }
        writer.endObject()
        return writer.bytes
    }
}
