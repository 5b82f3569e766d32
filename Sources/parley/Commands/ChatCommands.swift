import ArgumentParser
import Formats
import Foundation

/// `parley chat`: a chat as a customer.
struct CustomerChat: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Chat as a customer.",
        discussion: """
            Each line is sent as a message. A number chooses one of the answers that the newest message offers. \
            /file PATH sends a file, /end ends a live chat, /quit leaves. The session and the newest open thread of the \
            customer are used again, if there are any; --new begins another thread. What the channel asks before a chat \
            is asked here.

            EXAMPLES:
              parley chat
              parley chat --channel demo-live --as mia --new
              printf 'Hello\\n/quit\\n' | parley chat --channel single --as ben
            """)

    @Option(
        help: ArgumentHelp(
            "The channel. Without it, the demonstration's if there is one, else the first.", valueName: "channel"),
        completion: IDCompletion.channels)
    var channel: String?
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The customer's id. Without it, the user's name.", valueName: "id"))
    var customer: String?
    @Flag(name: .customLong("new"), help: "Begin a new thread.") var isNew = false
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let customer = customer ?? ProcessInfo.processInfo.environment["USER"].flatMap { $0.isEmpty ? nil : $0 } ?? "me"
        let session = try session(client, customer)
        guard let id = session["id"]?.string else {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer names no session.")
        }
        let path = ["sessions", id]
        if session["state"]?.string != "ready" { _ = try client.post(GatewayClient.path(path + ["connect"])) }
        let channel = session["channel"]
        let name = channel?["name"]?.string.map { " (\($0))" } ?? ""
        output.inform("you are \(customer) on the channel \(channel?["id"]?.string ?? "")\(name)")
        var input = LineInput()
        guard let thread = try thread(client, path, channel?["preChatSurvey"], output, &input) else { return }
        output.inform("session \(id), thread \(thread)")
        var conversation = Conversation(
            client: client, output: output, part: { GatewayClient.path(path + ["threads", thread, $0]) },
            uploads: path + ["attachments"], thread: thread,
            scope: FeedScope(sessions: [id], isDesk: false, types: "message.created"), incoming: "toClient")
        try conversation.run(&input)
    }

    /// The customer's newest session on the channel, or a new one.
    private func session(_ client: GatewayClient, _ customer: String) throws(CommandFailure) -> JSONElement {
        let channel = if let channel { channel } else { try Self.firstChannel(client) }
        let query = [("service", String?.some("local")), ("channel", channel), ("customer", customer)]
        if let known = try Pages(client, GatewayClient.path(["sessions"], query)).items.last { return known }
        return try client.post("/v1/sessions") { json in
            json.member("channel", channel)
            json.name("customer")
            json.beginObject()
            json.member("id", customer)
            json.endObject()
        }.root
    }

    /// Where somebody answers: the demonstration's channel; otherwise the first one.
    private static func firstChannel(_ client: GatewayClient) throws(CommandFailure) -> String {
        let services = try client.get("/v1/services").root["items"]?.elements ?? []
        let shown = services.compactMap { $0["demonstration"]?["channels"]?.elements?.first?.string }.first
        if let shown { return shown }
        guard let id = try client.get("/v1/desk/channels").root["items"]?.elements?.first?["id"]?.string else {
            throw .usage("The gateway has no channel.")
        }
        return id
    }

    /// The open thread with the latest activity, or a new one, for which the channel's questions are asked first; nil when
    /// the input ends before they are answered.
    private func thread(
        _ client: GatewayClient, _ path: [String], _ survey: JSONElement?, _ output: Output, _ input: inout LineInput
    ) throws(CommandFailure) -> String? {
        if !isNew {
            let open = try Pages(client, GatewayClient.path(path + ["threads"], [("state", "open")]), count: 1)
            if let id = open.items.first?["id"]?.string {
                output.inform("your newest conversation goes on; --new begins another")
                return id
            }
        }
        var answers: [(ident: String, value: String)] = []
        if let survey {
            guard let given = SurveyForm(survey: survey, output: output).ask(&input) else { return nil }
            answers = given
        }
        let made = try client.post(GatewayClient.path(path + ["threads"])) { json in
            if answers.isEmpty { return }
            json.name("customFields")
            json.beginObject()
            for (ident, value) in answers {
                json.name(ident)
                json.value(value)
            }
            json.endObject()
        }
        guard let id = made.root["id"]?.string else {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer names no thread.")
        }
        output.inform("a new conversation begins")
        return id
    }
}

/// `parley desk chat`: the other side.
struct DeskChat: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Chat as an agent.",
        discussion: """
            Each line is sent as a message. /file PATH sends a file, /quit leaves.

            EXAMPLES:
              parley desk chat THREAD --as bo --name Bo
            """)

    @OptionGroup var place: DeskThreadFlags
    @OptionGroup var agent: AgentFlags
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        var input = LineInput()
        var conversation = Conversation(
            client: client, output: output, part: { place.path($0) }, uploads: ["desk", "attachments"],
            thread: place.thread, scope: FeedScope(sessions: [], isDesk: true, types: "message.created"),
            incoming: "toAgent", decorate: { agent.write(to: &$0) })
        try conversation.run(&input)
    }
}
