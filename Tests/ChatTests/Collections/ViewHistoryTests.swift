import Foundation
import TestSupport
import Testing

/// The invariant of collections, by random histories over the real store: who follows the events has what the
/// collection has, and that is what the rows have, computed from scratch (collections 1.2).
@Suite(.serialized) struct ViewHistoryTests {
    /// `PARLEY_STEPS` sets another number, such as 10,000 for a long run. On PostgreSQL a step takes as long as many on
    /// SQLite.
    private static var stepCount: Int {
        ProcessInfo.processInfo.environment["PARLEY_STEPS"].flatMap(Int.init)
            ?? (TestDatabases.isPostgres ? 1000 : 4000)
    }

    @Test func whoFollowsTheEventsHasWhatTheRowsHave() async throws {
        // A hundred steps each, since what a step costs grows with its history; where there are many, some are longer.
        let long = Self.stepCount / 10_000 > 1 ? Self.stepCount / 10_000 : 0
        let short = (Self.stepCount - 1000 * long) / 100
        for seed in 1...UInt64(max(1, short + long)) {
            let history = HistoryOperation.history(seed: seed, length: seed > short ? 1000 : 100)
            guard let failure = await HistoryRun.failure(of: history) else { continue }
            let (shortest, reason) = await shrink(history, failure, failure: HistoryRun.failure)
            let lines = shortest.map { "  \($0)" }.joined(separator: "\n")
            Issue.record("seed \(seed) fails: \(reason)\nby the history\n\(lines)")
            return
        }
    }
}
