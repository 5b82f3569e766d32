import ArgumentParser
import Formats

/// `parley audit`: what administrators have done.
struct ListAudit: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit", abstract: "List what administrators have done, the newest first.",
        discussion: """
            EXAMPLES:
              parley audit --action key.created
              parley audit --actor person:mara --limit 200
            """)
    @Option(help: ArgumentHelp("Only what this one did: gateway, person:ID or key:ID.", valueName: "actor"))
    var actor: String?
    @Option(help: ArgumentHelp("Only this, such as login.failed.", valueName: "action")) var action: String?
    @Option(help: ArgumentHelp("How many, 1 to 200.", valueName: "count")) var limit = 50
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func run(_ client: GatewayClient, _ output: Output) throws {
        let list = try client.get(
            GatewayClient.path(["audit"], [("actor", actor), ("action", action), ("limit", "\(limit)")]))
        output.list(
            list.root["items"]?.elements ?? [], bytes: Array(list.root.bytes),
            titles: ["AT", "WHO", "NAME", "WHAT", "ON WHAT", "FROM", "DETAIL"]
        ) { entry in
            [
                entry["at"]?.string, entry["actor"]?.string, entry["actorName"]?.string, entry["action"]?.string,
                entry["subject"]?.string, entry["address"]?.string,
                entry["detail"].map { String(decoding: $0.bytes, as: UTF8.self) },
            ].map { $0 ?? "" }
        }
    }
}
