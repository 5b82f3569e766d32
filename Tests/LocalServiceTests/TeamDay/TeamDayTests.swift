import Chat
import ChatModel
import ChatStore
import Formats
import LocalService
import TestSupport
import Testing

/// Twelve hours of 8 agents, 3 bots and 2,000 customers, and what is said of them afterwards.
@Suite struct TeamDayTests {
    @Test func nobodyIsForgottenOrAnsweredTwiceUnknowinglyAndReportsAreTrue() async throws {
        try await Local.run { local in
            try local.store.skipDiskSync()
            let start = local.environment.now
            let day = try await TeamDay(local, customers: 2000, seed: 20)
            try await day.play()

            // It was a day on which people got in each other's way.
            #expect(day.collisions[.assignedToAnother, default: 0] > 100)
            #expect(day.collisions[.answeredMeanwhile, default: 0] > 10)
            #expect(day.snoozes > 50)
            #expect(
                Set(day.collisions.keys).isSubset(of: [.assignedToAnother, .answeredMeanwhile, .illegalThreadState]))

            #expect(day.ledger.contacts.count == 2000)
            #expect(day.ledger.forgotten == [])
            #expect(day.ledger.answersOfTheUnknowing == [])
            let counts = try await local.desk.counts(of: nil, within: nil)
            #expect((counts.waiting, counts.snoozed, counts.hasMore) == (0, 0, false))

            for grouping in ReportQuery.Grouping.allCases {
                let query = ReportQuery(
                    since: start, until: local.environment.now.advanced(byMilliseconds: 1), grouping: grouping)
                let report = try await local.desk.report(query)
                let own = day.ledger.figures { key($0, $1, grouping) }
                let rows = report.rows.filter { $0.figures != ReportFigures() }
                #expect(rows.map(\.key) == own.keys.sorted())
                for row in rows { #expect(DayLedger.Figures(row.figures) == own[row.key], "\(grouping) \(row.key)") }
                let all = try #require(day.ledger.figures { _, _ in [""] }[""])
                #expect(DayLedger.Figures(report.total) == all)
            }
        }
    }

    private func key(_ contact: DayLedger.Contact, _ part: DayLedger.Part, _ grouping: ReportQuery.Grouping) -> [String]
    {
        let time = part == .opened ? contact.openedAt : contact.closedAt ?? contact.openedAt
        switch grouping {
        case .day: return ["\(time.rfc3339.prefix(10))"]
        case .hour: return ["\(time.rfc3339.dropFirst(11).prefix(2))"]
        case .channel: return [contact.channel]
        case .tag: return contact.tags.isEmpty ? [""] : contact.tags
        case .agent:
            switch part {
            case .opened: return [contact.firstAnswer?.agent ?? ""]
            case .closed: return [contact.closedBy ?? ""]
            case .rated: return [contact.lastAgent ?? ""]
            }
        }
    }
}

extension DayLedger.Figures {
    fileprivate init(_ figures: ReportFigures) {
        (opened, reopened, closed) = (figures.opened, figures.reopened, figures.closed)
        automaticOnly = figures.automaticOnly
        (messagesIn, messagesOut) = (Int(figures.messagesIn), Int(figures.messagesOut))
        (firstAnswers, resolutions) = (figures.firstAnswers, figures.resolutions)
        scores = figures.scores
    }
}
