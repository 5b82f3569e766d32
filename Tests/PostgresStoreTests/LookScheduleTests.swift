import Testing

@testable import PostgresStore

/// When the follower asks for commits.
struct LookScheduleTests {
    private let start = ContinuousClock.now

    private func own(_ place: Int64) -> String { LookSchedule.payload(place: place, process: "p1") }
    private func foreign(_ place: Int64) -> String { LookSchedule.payload(place: place, process: "p2") }

    @Test func itLooksAtOnceAndThenEachSecond() {
        var schedule = LookSchedule(process: "p1", now: start)
        #expect(schedule.isDue(at: start))
        schedule.hasLooked(at: start)
        #expect(!schedule.isDue(at: start + .milliseconds(999)))
        #expect(schedule.pause(at: start + .milliseconds(400)) == .milliseconds(600))
        #expect(schedule.isDue(at: start + .seconds(1)))
        #expect(schedule.pause(at: start + .seconds(5)) == .zero)
    }

    @Test func itDoesNotLookForItsOwnCommits() {
        var schedule = LookSchedule(process: "p1", now: start)
        schedule.hasLooked(at: start)
        schedule.heard([own(1), own(2)], at: start + .milliseconds(10))
        #expect(!schedule.isDue(at: start + .milliseconds(10)))
        // However many come, it looks each second all the same.
        #expect(schedule.isDue(at: start + .seconds(1)))
    }

    @Test func itLooksForAnotherProcessAtOnce() {
        var schedule = LookSchedule(process: "p1", now: start)
        schedule.hasLooked(at: start)
        schedule.heard([own(1), foreign(2), own(3)], at: start + .milliseconds(10))
        #expect(schedule.isDue(at: start + .milliseconds(10)))
    }
}
