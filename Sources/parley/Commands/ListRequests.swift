import ArgumentParser
import Formats
import Foundation

/// `parley requests`: the newest requests of the gateway.
struct ListRequests: UsualCommand {
    static let configuration = CommandConfiguration(
        commandName: "requests", abstract: "List the newest requests, or show how to make one again.",
        discussion: """
            The gateway remembers the last 500 requests that have ended, in memory. With a number of the list, the line \
            for a shell is printed that makes this request again.
            """)

    static let titles = ["NUMBER", "AT", "STATUS", "MS", "METHOD", "PATH", "TOKEN", "PROBLEM"]

    @Argument(help: "The number of a request, to print it as a curl line.") var number: Int?
    @Flag(help: "Go on with requests as they end.") var follow = false
    @OptionGroup(title: "Global options") var flags: ClientFlags

    func validate() throws {
        if number != nil, follow { throw ValidationError("Give either a number or --follow.") }
    }

    func run(_ client: GatewayClient, _ output: Output) throws {
        if let number {
            let request = try client.get(GatewayClient.path(["requests", String(number)]))
            guard output.format == .table else { return output.item(request, titles: [], row: { _ in [] }) }
            return output.line(request.root["curl"]?.string ?? "")
        }
        let first = try client.get(Self.path)
        show(first, output)
        guard follow else { return }
        var last = first.root["last"]?.number ?? "0"
        while true {
            do throws(CommandFailure) {
                let more = try client.get("\(Self.path)?after=\(last)&wait=25")
                last = more.root["last"]?.number ?? last
                if more.root["items"]?.elements?.isEmpty == false { show(more, output) }
            } catch {
                guard error.status == .unreachable || error.status == .temporary else { throw error }
                output.inform("the gateway is away")
                Waiting.sleep(until: ContinuousClock.now + .seconds(2))
            }
            // Nobody reads standard output any more.
            if Waiting.wait(for: [(STDOUT_FILENO, 0)], until: ContinuousClock.now) != nil { return }
        }
    }

    private static var path: String { GatewayClient.path(["requests"]) }

    private func show(_ list: JSONText, _ output: Output) {
        output.list(
            list.root["items"]?.elements ?? [], bytes: Array(list.root.bytes), titles: Self.titles,
            id: { $0["number"]?.number }, row: Self.row)
    }

    private static func row(_ request: JSONElement) -> [String] {
        let microseconds = request["microseconds"]?.number.flatMap { Double($0) } ?? 0
        let session = request["session"]?.string
        return [
            request["number"]?.number ?? "", request["at"]?.string ?? "", request["status"]?.number ?? "",
            String(format: "%.1f", microseconds / 1000), request["method"]?.string ?? "",
            request["path"]?.string ?? "", session ?? request["token"]?.string ?? "",
            request["problem"]?["code"]?.string ?? "",
        ]
    }
}

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
