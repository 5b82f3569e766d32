import ArgumentParser
import Formats
import Foundation

/// `parley chat`: a chat as a customer.
struct CustomerChat: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Chat as a customer.",
        discussion: """
            Each line is sent as a message. /file PATH sends a file, /end ends a live chat, /quit leaves. The session \
            and the newest open thread of the customer are used again, if there are any.
            """)

    @Option(
        help: ArgumentHelp("The channel. Without it, the first one.", valueName: "channel"),
        completion: IDCompletion.channels)
    var channel: String?
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("The customer's id. Without it, the user's name.", valueName: "id"))
    var customer: String?
    @OptionGroup var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let session = try session(client)
        guard let id = session["id"]?.string else {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer names no session.")
        }
        let path = ["sessions", id]
        if session["state"]?.string != "ready" { _ = try client.post(GatewayClient.path(path + ["connect"])) }
        let thread = try thread(client, path)
        output.note("session \(id), thread \(thread)")
        try Conversation(
            client: client, output: output, part: { GatewayClient.path(path + ["threads", thread, $0]) },
            uploads: path + ["attachments"], thread: thread,
            scope: FeedScope(sessions: [id], isDesk: false, types: "message.created"), incoming: "toClient"
        ).run()
    }

    /// The customer's newest session on the channel, or a new one.
    private func session(_ client: GatewayClient) throws(CommandFailure) -> JSONElement {
        let customer = customer ?? ProcessInfo.processInfo.environment["USER"].flatMap { $0.isEmpty ? nil : $0 } ?? "me"
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

    private static func firstChannel(_ client: GatewayClient) throws(CommandFailure) -> String {
        guard let id = try client.get("/v1/desk/channels").root["items"]?.elements?.first?["id"]?.string else {
            throw .usage("The gateway has no channel.")
        }
        return id
    }

    /// The open thread with the latest activity, or a new one.
    private func thread(_ client: GatewayClient, _ path: [String]) throws(CommandFailure) -> String {
        let open = try Pages(client, GatewayClient.path(path + ["threads"], [("state", "open")]), count: 1)
        if let id = open.items.first?["id"]?.string { return id }
        guard let id = try client.post(GatewayClient.path(path + ["threads"]), { _ in }).root["id"]?.string else {
            throw CommandFailure(.unreachable, code: "brokenAnswer", "The gateway's answer names no thread.")
        }
        return id
    }
}

/// `parley desk chat`: the other side.
struct DeskChat: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Chat as an agent.",
        discussion: "Each line is sent as a message. /file PATH sends a file, /quit leaves.")

    @OptionGroup var place: DeskThreadFlags
    @OptionGroup var agent: AgentFlags
    @OptionGroup var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        try Conversation(
            client: client, output: output, part: { place.path($0) }, uploads: ["desk", "attachments"],
            thread: place.thread, scope: FeedScope(sessions: [], isDesk: true, types: "message.created"),
            incoming: "toAgent", decorate: { agent.write(to: &$0) }
        ).run()
    }
}
