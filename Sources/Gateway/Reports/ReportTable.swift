import Chat
import Formats

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
