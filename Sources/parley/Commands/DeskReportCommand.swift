import ArgumentParser
import Formats

/// `parley desk report`: figures on the desk's work.
extension DeskCommands {
    struct Report: UsualCommand {
        static let configuration = CommandConfiguration(
            abstract: "Count what came in and was closed, with times and ratings.",
            discussion: """
                By default of the last 30 days, by day. Times are the median and the 90th percentile, in seconds.

                EXAMPLES:
                  parley desk report --by agent --since 168h --time-zone Europe/Berlin
                  parley desk report --by tag -o json
                """)
        /// What each row is about.
        enum Grouping: String, ExpressibleByArgument, CaseIterable { case day, hour, agent, channel, tag }

        @Option(help: "What each row is about: day, hour, agent, channel or tag.") var by = Grouping.day
        @Option(help: ArgumentHelp("Such as Europe/Berlin. Without it, UTC.", valueName: "zone")) var timeZone: String?
        @Option(help: ArgumentHelp("Only of a channel.", valueName: "channel"), completion: IDCompletion.channels)
        var channel: String?
        @OptionGroup var times: TimeFlags
        @OptionGroup(title: "Global options") var flags: ClientFlags

        func run(_ client: GatewayClient, _ output: Output) throws {
            let query: [(String, String?)] = [("by", by.rawValue), ("timeZone", timeZone), ("channel", channel)]
            let report = try client.get(GatewayClient.path(["desk", "reports"], query + times.query())).root
            let names = try names(client)
            guard output.format == .table else {
                return output.list(
                    report["items"]?.elements ?? [], bytes: Array(report.bytes), titles: [], id: { $0["key"]?.string },
                    row: { _ in [] })
            }
            var rows = (report["items"]?.elements ?? []).map { row in
                let key = row["key"]?.string ?? ""
                return Self.row(key.isEmpty ? "-" : names[key] ?? key, row)
            }
            if let total = report["total"] { rows.append(Self.row("total", total)) }
            output.table(Table(titles: [by.rawValue.uppercased()] + Self.titles, rows: rows, styles: [.bold]))
        }

        /// What ids are called, where rows are about agents or tags. Throws ``CommandFailure``.
        private func names(_ client: GatewayClient) throws(CommandFailure) -> [String: String] {
            guard by == .agent || by == .tag else { return [:] }
            let items = try client.get(GatewayClient.path(["desk", by == .tag ? "tags" : "agents"])).root["items"]
            let named = (items?.elements ?? []).compactMap { one in
                one["id"]?.string.map { ($0, one["name"]?.string ?? $0) }
            }
            return Dictionary(named) { first, _ in first }
        }

        private static let titles = [
            "OPENED", "REOPENED", "CLOSED", "IN", "OUT", "ONLY BOTS", "FIRST ANSWER", "P90", "RESOLUTION", "P90",
            "RATINGS",
            "MEAN",
        ]

        private static func row(_ name: String, _ figures: JSONElement) -> [String] {
            let counts = ["opened", "reopened", "closed", "messagesIn", "messagesOut", "automaticOnly"].map {
                figures[$0]?.number
            }
            let times = ["firstAnswer", "resolution"].flatMap { name in
                ["medianSeconds", "p90Seconds"].map { figures[name]?[$0]?.number }
            }
            let ratings = ["count", "mean"].map { figures["rating"]?[$0]?.number }
            return [name] + (counts + times + ratings).map { $0 ?? "" }
        }
    }
}
