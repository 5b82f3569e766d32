import ArgumentParser
import Formats

/// `parley mcp`: lets an assistant work with the gateway over its standard input and output.
struct ServeAssistant: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Let an assistant work at the desk, by the Model Context Protocol.",
        discussion: """
            Hosts of assistants start this command. It carries their messages to the gateway, which needs \
            parley serve --mcp read or --mcp write. Standard output has messages alone.
            """)

    @Flag(help: "Play a customer, to test the desk or a bot.") var customer = false
    @Flag(name: .customLong("read-only"), help: "Allow tools that only read.") var readOnly = false
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("Who the assistant is: an agent's id, or with --customer a customer's.", valueName: "id"))
    var id: String?
    @Option(help: ArgumentHelp("The name that others see.", valueName: "name")) var name: String?
    @Option(
        help: ArgumentHelp("A channel whose chats it may reach; may be repeated. Without it, all.", valueName: "id"))
    var channel: [String] = []
    @OptionGroup var reach: ReachFlags

    var wantedOutput: OutputFormat? { .table }
    var isQuiet: Bool { true }

    func run(_ client: GatewayClient, _ output: Output) throws {
        let query =
            [("as", id), ("name", name), ("access", readOnly ? "read" : nil)] + channel.map { ("channel", $0) }
        let pairs = query.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }
        let path = customer ? "/mcp/customer" : "/mcp"
        AssistantBridge(client, path: path + (pairs.isEmpty ? "" : "?" + pairs.joined(separator: "&"))).run()
    }
}
