import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// Figures on the desk's work, as JSON and as a table for other programs.
struct ReportRoutes: RouteGroup {
    let desk: any DeskService

    private static let query: [String] = ["since", "until", "timeZone", "by", "format"]

    var routes: [Route] {
        let desk = desk
        return [
            Route(
                .get, "/v1/desk/reports", "getDeskReport", access: .scope(.reportsRead),
                query: .only(Self.query, repeatable: ["channel"]),
                handler: .aside { call in
                    let query = try call.report(within: call.deskChannels, of: nil)
                    return try call.answer(try await desk.report(query), query)
                }),
            Route(
                .get, "/v1/me/reports", "getOwnReport", access: .person,
                query: .only(Self.query, repeatable: ["channel"]),
                handler: .aside { call in
                    let query = try call.report(within: call.deskChannels, of: call.acting(nil)?.id)
                    return try call.answer(try await desk.report(query), query)
                }),
        ]
    }
}

/// How a report is sent.
private enum ReportForm: String, CaseIterable { case json, csv }

extension Call {
    /// The report that the query asks for: by default of the last 30 days, by day, in UTC. Throws `invalidParameter`.
    fileprivate func report(within channels: Set<String>?, of agent: String?) throws(Problem) -> ReportQuery {
        let end = try query.time("until") ?? core.store.environment.now()
        let start = try query.time("since") ?? end.advanced(byMilliseconds: -30 * 86_400_000)
        return ReportQuery(
            since: start, until: end, timeZone: try query.text("timeZone", length: 1...128) ?? "UTC",
            grouping: try query.choice("by", default: .day), channels: channels, agent: agent)
    }

    fileprivate func answer(_ report: DeskReport, _ query: ReportQuery) throws(Problem) -> HTTPResponse {
        switch try self.query.choice("format", default: ReportForm.json) {
        case .json:
            return json(headers: [Call.revalidate]) { report.encode(query, to: &$0) }
        case .csv:
            return HTTPResponse(
                status: 200,
                headers: [
                    ("Content-Type", "text/csv; charset=utf-8"), ("X-Content-Type-Options", "nosniff"),
                    ("Content-Disposition", "attachment; filename=\"parley-report-\(query.grouping.rawValue).csv\""),
                    Call.revalidate,
                ], body: .bytes(report.csv(query)))
        }
    }
}

extension DeskReport {
    fileprivate func encode(_ query: ReportQuery, to json: inout JSONWriter) {
        json.beginObject()
        json.member("since", query.since)
        json.member("until", query.until)
        json.member("timeZone", query.timeZone)
        json.member("by", query.grouping.rawValue)
        json.name("items")
        json.beginArray()
        for row in rows {
            json.beginObject()
            json.member("key", row.key)
            row.figures.encode(to: &json)
            json.endObject()
        }
        json.endArray()
        json.name("total")
        json.beginObject()
        total.encode(to: &json)
        json.endObject()
        json.endObject()
    }
}

extension ReportFigures {
    /// Writes the members of a row, or of the sum.
    package func encode(to json: inout JSONWriter) {
        json.member("opened", opened)
        json.member("reopened", reopened)
        json.member("closed", closed)
        json.member("messagesIn", Int(messagesIn))
        json.member("messagesOut", Int(messagesOut))
        json.member("automaticOnly", automaticOnly)
        json.name("firstAnswer")
        Self.encode(firstAnswers, to: &json)
        json.name("resolution")
        Self.encode(resolutions, to: &json)
        for (name, times) in [("firstAnswerOpen", firstAnswersOpen), ("resolutionOpen", resolutionsOpen)]
        where !times.isEmpty {
            json.name(name)
            Self.encode(times, to: &json)
        }
        json.name("waiting")
        json.beginObject()
        json.member("count", Int(waits))
        if waits > 0 {
            json.member("meanSeconds", Int(waited / waits / 1000))
            json.member("longestSeconds", Int(longestWait / 1000))
        }
        json.endObject()
        json.name("rating")
        json.beginObject()
        json.member("count", ratings)
        if let meanScore {
            json.name("mean")
            json.raw(Array("\((meanScore * 100).rounded() / 100)".utf8))
        }
        json.name("scores")
        json.beginArray()
        for count in scores { json.value(count) }
        json.endArray()
        json.endObject()
    }

    private static func encode(_ times: [Int64], to json: inout JSONWriter) {
        json.beginObject()
        json.member("count", times.count)
        if let median = percentile(50, of: times) { json.member("medianSeconds", Int(median / 1000)) }
        if let most = percentile(90, of: times) { json.member("p90Seconds", Int(most / 1000)) }
        json.endObject()
    }
}

extension DeskReport {
    /// The report with a line for each row, and the sum in the last one. It begins with a byte order mark, by which
    /// spreadsheets know UTF-8.
    func csv(_ query: ReportQuery) -> [UInt8] {
        var table = CSVTable()
        table.row(
            [
                query.grouping.rawValue, "opened", "reopened", "closed", "messagesIn", "messagesOut", "automaticOnly",
                "firstAnswers", "firstAnswerMedianSeconds", "firstAnswerP90Seconds", "resolutionMedianSeconds",
                "resolutionP90Seconds", "ratings", "ratingMean", "firstAnswerOpenMedianSeconds",
                "firstAnswerOpenP90Seconds", "resolutionOpenMedianSeconds", "resolutionOpenP90Seconds", "waits",
                "waitMeanSeconds", "waitLongestSeconds", "score1", "score2", "score3", "score4", "score5",
            ])
        for row in rows { table.row([row.key] + row.figures.cells) }
        table.row(["total"] + total.cells)
        return [0xEF, 0xBB, 0xBF] + table.bytes
    }
}

extension ReportFigures {
    fileprivate var cells: [String] {
        func seconds(_ percent: Int, _ times: [Int64]) -> String {
            Self.percentile(percent, of: times).map { "\($0 / 1000)" } ?? ""
        }
        return [
            "\(opened)", "\(reopened)", "\(closed)", "\(messagesIn)", "\(messagesOut)", "\(automaticOnly)",
            "\(firstAnswers.count)", seconds(50, firstAnswers), seconds(90, firstAnswers), seconds(50, resolutions),
            seconds(90, resolutions), "\(ratings)",
            meanScore.map { "\(($0 * 100).rounded() / 100)" } ?? "", seconds(50, firstAnswersOpen),
            seconds(90, firstAnswersOpen), seconds(50, resolutionsOpen), seconds(90, resolutionsOpen), "\(waits)",
            waits == 0 ? "" : "\(waited / waits / 1000)", waits == 0 ? "" : "\(longestWait / 1000)",
        ] + scores.map { "\($0)" }
    }
}
