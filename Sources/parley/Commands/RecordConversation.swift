import ArgumentParser
import ChatModel
import Formats

/// `parley record`: a conversation as lines of JSON, from the log.
struct RecordConversation: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "record", abstract: "Write a conversation to standard output, from the log.",
        discussion: """
            The first line says what was recorded; each line behind it is an event {"id"?,"type","data"}. The log is \
            kept, so a conversation can be recorded after it has happened.

            EXAMPLES:
              parley record SESSION THREAD > order.jsonl
              parley record SESSION --since 10m --redact > order.jsonl
            """)

    @Argument(help: "The session.", completion: IDCompletion.sessions) var session: String
    @Argument(help: "The thread. Without it, all threads of the session.", completion: IDCompletion.threads)
    var thread: String?
    @Option(help: ArgumentHelp("Begin at a time, or so long ago: 10m, 2h.", valueName: "time")) var since: String?
    @Flag(help: "Replace texts, names, ids of people and values of fields by stand-ins.") var redact = false
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let start = try since.map(FeedStart.ago)
        let whole = try client.get(GatewayClient.path(["sessions", session])).root
        if let thread { _ = try client.get(GatewayClient.path(["sessions", session, "threads", thread])) }
        var redaction = redact ? Redaction() : nil
        var head = JSONWriter()
        head.beginObject()
        head.member("format", "parley-recording")
        head.name("version")
        head.value(1)
        head.member("service", whole["service"]?.string)
        head.member("channel", whole["channel"]?["id"]?.string)
        head.member("mode", whole["mode"]?.string)
        if let customer = whole["customer"] {
            head.name("customer")
            head.raw(redaction?.redacted(customer) ?? Array(customer.bytes))
        }
        head.member("thread", thread)
        head.endObject()
        output.line(head.bytes)
        try events(client, from: start) { event in
            guard thread == nil || Self.thread(of: event) == thread else { return }
            output.line(redaction?.redacted(event) ?? Array(event.bytes))
        }
    }

    /// Reads the log up to where it ends now, page by page. Throws ``CommandFailure``.
    private func events(
        _ client: GatewayClient, from start: FeedStart?, _ take: (JSONElement) -> Void
    ) throws(CommandFailure) {
        let scope = FeedScope(sessions: [session], isDesk: false)
        var path = start.map { scope.path(from: $0) } ?? scope.path(from: .now) + "?earliest=true"
        while true {
            let page = try GatewayClient.json(
                client.call("GET", path, headers: [("Accept", "application/json")])
            ).root
            if page["reset"] != nil {
                throw CommandFailure(.refused, code: "reset", "The log lost its place while it was read. Try again.")
            }
            for event in page["items"]?.elements ?? [] { take(event) }
            guard page["hasMore"]?.kind == .true, let cursor = page["cursor"]?.string else { return }
            path = scope.path(from: .after(cursor))
        }
    }

    /// The thread that an event concerns; nil for one that concerns the session.
    private static func thread(of event: JSONElement) -> String? {
        event["data"]?["threadId"]?.string ?? event["data"]?["thread"]?["id"]?.string
    }
}
