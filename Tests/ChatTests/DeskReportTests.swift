import Chat
import ChatStore
import Formats
import Testing

/// A day of a shop whose figures were counted by hand.
struct DeskReportTests {
    private static let zone = TimeZoneRules(tzif: Self.berlin)

    /// Berlin's rules in the form of a version 2 file without changes: its tail alone.
    private static let berlin: [UInt8] = {
        func header(_ version: UInt8) -> [UInt8] {
            let numbers = [UInt8](repeating: 0, count: 12) + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4]
            return Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15) + numbers
        }
        let block: [UInt8] = [0, 0, 0x0E, 0x10, 0, 0] + Array("CET\0".utf8)
        let tail = Array("\nCET-1CEST,M3.5.0,M10.5.0/3\n".utf8)
        return header(0x32) + block + header(0x32) + block + tail
    }()

    private func time(_ text: String) throws -> Timestamp { try #require(Timestamp(rfc3339: text)) }

    /// The night of 25 October 2026, when Berlin's clocks are set back at 3 o'clock.
    private func contacts() throws -> [ContactFigures] {
        [
            // Asked on the 24th, answered on the 25th after 10 minutes, closed by Bo an hour later; 5 stars for Mara.
            ContactFigures(
                openedAt: try time("2026-10-24T21:55:00Z"), closedAt: try time("2026-10-24T22:55:00Z"), channel: "help",
                firstAnswerAt: try time("2026-10-24T22:05:00Z"), firstAgent: "mara", lastAgent: "mara", closedBy: "bo",
                messagesIn: 3, messagesOut: 2, tags: ["late", "refund"], score: 5,
                firstAnswerOpen: 0, resolutionOpen: 1_200_000, waits: 2, waited: 900_000, longestWait: 600_000),
            // The same conversation, opened again in the second hour of two, and still open.
            ContactFigures(
                openedAt: try time("2026-10-25T01:30:00Z"), channel: "help", messagesIn: 1, messagesOut: 0,
                isReopened: true, tags: ["late"], waits: 1, waited: 60_000, longestWait: 60_000),
            // A bot alone, by the customer's own end.
            ContactFigures(
                openedAt: try time("2026-10-25T00:30:00Z"), closedAt: try time("2026-10-25T00:40:00Z"), channel: "live",
                messagesIn: 2, messagesOut: 2, score: 2),
            // Opened before the time, closed in it.
            ContactFigures(
                openedAt: try time("2026-10-20T10:00:00Z"), closedAt: try time("2026-10-25T12:00:00Z"), channel: "help",
                firstAnswerAt: try time("2026-10-20T10:00:30Z"), firstAgent: "bo", lastAgent: "bo", closedBy: "mara",
                messagesIn: 9, messagesOut: 9),
        ]
    }

    private func report(_ grouping: ReportQuery.Grouping, agent: String? = nil) throws -> DeskReport {
        let query = ReportQuery(
            since: try time("2026-10-23T22:00:00Z"), until: try time("2026-10-25T23:00:00Z"),
            timeZone: "Europe/Berlin", grouping: grouping, agent: agent)
        return DeskReport(try contacts(), query, in: try #require(Self.zone))
    }

    private func figures(_ report: DeskReport, _ key: String) throws -> ReportFigures {
        try #require(report.rows.first { $0.key == key }?.figures)
    }

    @Test func daysAreThoseOfTheTimeZone() throws {
        let report = try report(.day)
        #expect(report.rows.map(\.key) == ["2026-10-24", "2026-10-25"])
        let (first, second) = (try figures(report, "2026-10-24"), try figures(report, "2026-10-25"))
        #expect((first.opened, first.closed, first.messagesIn, first.firstAnswers) == (1, 0, 3, [600_000]))
        #expect((second.opened, second.reopened, second.closed, second.automaticOnly) == (2, 1, 3, 1))
        #expect(second.resolutions.sorted() == [600_000, 3_600_000, 439_200_000])
        #expect((second.ratings, second.meanScore) == (2, 3.5))
        #expect((report.total.opened, report.total.closed, report.total.messagesIn) == (3, 3, 6))
    }

    /// Two o'clock comes twice in that night.
    @Test func hoursAreThoseOfTheTimeZone() throws {
        let report = try report(.hour)
        #expect(report.rows.count == 24)
        #expect(try figures(report, "23").opened == 1)
        #expect(try figures(report, "02").opened == 2)
        #expect(try figures(report, "13").closed == 1)
    }

    @Test func whatAnAgentDidIsTheirs() throws {
        let report = try report(.agent)
        #expect(report.rows.map(\.key) == ["", "bo", "mara"])
        let (mara, bo) = (try figures(report, "mara"), try figures(report, "bo"))
        #expect((mara.opened, mara.closed, mara.scores) == (1, 1, [0, 0, 0, 0, 1]))
        #expect((bo.opened, bo.closed, bo.ratings) == (0, 1, 0))
        let own = try self.report(.agent, agent: "mara")
        #expect(own.rows.map(\.key) == ["mara"])
        #expect(try figures(own, "mara") == mara)
        #expect(own.total == mara)
    }

    /// Of the others nobody knows it: their channels had no hours.
    @Test func timesByTheHoursAreThoseOfChannelsWithHours() throws {
        let total = try report(.day).total
        #expect((total.firstAnswers.count, total.firstAnswersOpen) == (1, [0]))
        #expect((total.resolutions.count, total.resolutionsOpen) == (3, [1_200_000]))
    }

    @Test func waitsAreOfTheContactsThatWereOpened() throws {
        let report = try report(.day)
        #expect((report.total.waits, report.total.waited, report.total.longestWait) == (3, 960_000, 600_000))
        #expect(try figures(report, "2026-10-25").longestWait == 60_000)
    }

    @Test func aConversationCountsForEachTagAndOnceInTheSum() throws {
        let report = try report(.tag)
        #expect(try figures(report, "late").opened == 2)
        #expect(try figures(report, "refund").opened == 1)
        #expect(try figures(report, "").opened == 1)
        #expect(report.total.opened == 3)
        #expect(try self.report(.channel).rows.map(\.key) == ["help", "live"])
    }

    @Test(
        arguments: [([], 50, nil), ([7], 90, 7), ([1, 2, 3, 4], 50, 2), ([1, 2, 3, 4, 5], 50, 3)]
            as [([Int64], Int, Int64?)])
    func aPercentileIsOneOfTheNumbers(numbers: [Int64], percent: Int, wanted: Int64?) {
        #expect(ReportFigures.percentile(percent, of: numbers) == wanted)
        #expect(ReportFigures.percentile(90, of: Array(1...100)) == 90)
    }
}
