import Chat
import ChatModel
import Formats
import Gateway
import HTTPRouting

/// Figures on the desk's work.
extension DeskSeat {
    var reports: [MCPTool] { [reporting] }

    /// How many rows a report shows: of days the last ones, of others those with the most chats.
    private static let mostRows = 100

    private var reporting: MCPTool {
        MCPTool(
            "read_report", "Read a report", .read,
            "Counts the desk's work of a span of time: chats that came in and were closed, times to the first answer and to the end, and ratings. By default of the last 30 days, by day.",
            input: #"""
                {"type":"object","additionalProperties":false,"properties":{
                "by":{"enum":["day","hour","agent","channel","tag"],"default":"day"},
                "since":{"type":"string","format":"date-time"},
                "until":{"type":"string","format":"date-time","description":"By default now"},
                "timeZone":{"type":"string","default":"UTC","description":"Such as Europe/Berlin"},
                "channel":{"type":"string","description":"Only chats of this channel"}}}
                """#,
            output: ResultSchemas.object(
                #"""
                "since":\#(ResultSchemas.time),"until":\#(ResultSchemas.time),"timeZone":{"type":"string"},
                "rows":{"type":"array","items":{"type":"object","required":["key"],"properties":{
                "key":{"type":"string","description":"Empty for nobody, and for no tag"},
                "name":{"type":"string","description":"Of an agent or a tag"}}}},
                "total":{"type":"object"},"isCut":{"const":true,"description":"There are more rows"}
                """#, required: ["since", "until", "timeZone", "rows", "total"])
        ) { (arguments: ReportArguments) in
            if let channel = arguments.channel, !reaches(channel) { throw Self.outside }
            let query = arguments.query(until: core.environment.now(), within: channels)
            let report: DeskReport
            do throws(ChatError) {
                report = try await desk.report(query)
            } catch {
                // The service names the parameters of the operation.
                throw ToolFailure(error.code.rawValue, error.detail)
            }
            let names = try await names(of: query.grouping)
            let rows = Self.shown(report.rows, by: query.grouping)
            return ToolResult(isQuoting: false) { json in
                json.member("since", query.since)
                json.member("until", query.until)
                json.member("timeZone", query.timeZone)
                json.name("rows")
                json.beginArray()
                for row in rows {
                    json.beginObject()
                    json.member("key", QuotedText.name(row.key))
                    json.member("name", names[row.key].map(QuotedText.name))
                    row.figures.encode(to: &json)
                    json.endObject()
                }
                json.endArray()
                json.name("total")
                json.beginObject()
                report.total.encode(to: &json)
                json.endObject()
                if rows.count < report.rows.count { json.member("isCut", true) }
            }
        }.needing(.reportsRead)
    }

    static let outside = ToolFailure("outsideChannels", "The chats of this channel are not there for you.")

    private static func shown(_ rows: [DeskReport.Row], by grouping: ReportQuery.Grouping) -> [DeskReport.Row] {
        guard rows.count > mostRows else { return rows }
        if grouping == .day { return Array(rows.suffix(mostRows)) }
        return Array(rows.sorted { $0.figures.opened > $1.figures.opened }.prefix(mostRows))
    }

    /// What the ids in the rows are called.
    private func names(of grouping: ReportQuery.Grouping) async throws -> [String: String] {
        let named: [(String, String)] =
            switch grouping {
            case .agent: try await core.agents(at: desk).map { ($0.agent.id, $0.agent.name ?? $0.agent.id) }
            case .tag: try await desk.tags().map { ($0.id, $0.name) }
            case .day, .hour, .channel: []
            }
        return Dictionary(named) { first, _ in first }
    }
}

private struct ReportArguments: RequestBody {
    let grouping: ReportQuery.Grouping
    let since: Timestamp?
    let until: Timestamp?
    let timeZone: String
    let channel: String?

    init(reading object: inout ObjectReader) {
        grouping = object.optionalChoice("by", of: ReportQuery.Grouping.allCases) ?? .day
        since = object.optionalTime("since")
        until = object.optionalTime("until")
        timeZone = object.optionalString("timeZone", length: 1...128) ?? "UTC"
        channel = object.optionalString("channel", length: 1...64)
    }

    func query(until now: Timestamp, within channels: Set<String>?) -> ReportQuery {
        let end = until ?? now
        return ReportQuery(
            since: since ?? end.advanced(byMilliseconds: -30 * 86_400_000), until: end, timeZone: timeZone,
            grouping: grouping, channels: channel.map { [$0] } ?? channels)
    }
}
