@testable import SendbirdService
import Testing

@Suite struct DeedMarksTests {
    /// What the platform says before it has heard of a reading would count the read messages again.
    @Test func noCountIsTakenUntilThePlatformHasHeard() {
        let all = DeedMarks()
        let (marks, others) = (AccountMarks(marks: all, account: 1), AccountMarks(marks: all, account: 2))
        let before = marks.ask()
        #expect(marks.stale("t", since: before) == [])
        marks.begin("t", .unreadCount)
        let meanwhile = marks.ask()
        #expect(marks.stale("t", since: before) == [.unreadCount])
        #expect(marks.stale("t", since: meanwhile) == [.unreadCount])
        #expect(marks.stale("u", since: before) == [] && others.stale("t", since: before) == [])
        marks.begin("t", .unreadCount)
        marks.end("t", .unreadCount)
        #expect(marks.stale("t", since: marks.ask()) == [.unreadCount], "one of two is still on its way")
        marks.end("t", .unreadCount)
        #expect(marks.stale("t", since: meanwhile) == [.unreadCount] && marks.stale("t", since: marks.ask()) == [])
    }

    /// Whoever reads it again has to tell the platform, as long as that has not heard of an earlier time.
    @Test func whatThePlatformHasNotHeardIsOwed() {
        let marks = AccountMarks(marks: DeedMarks(), account: 1)
        #expect(!marks.begin("t", .unreadCount))
        #expect(marks.begin("t", .unreadCount) && !marks.begin("u", .unreadCount), "one is on its way")
        marks.end("t", .unreadCount)
        marks.end("t", .unreadCount, isTold: false)
        #expect(marks.begin("t", .unreadCount))
        marks.end("t", .unreadCount)
        #expect(marks.begin("t", .unreadCount))
        marks.end("t", .unreadCount, isTold: true)
        #expect(!marks.begin("t", .unreadCount))
    }

    /// Whatever order the answers come in.
    @Test func theAnswerToALaterQuestionCounts() {
        let all = DeedMarks()
        let (marks, others) = (AccountMarks(marks: all, account: 1), AccountMarks(marks: all, account: 2))
        let (first, second) = (marks.ask(), marks.ask())
        #expect(marks.take("t", askedAt: second) && !marks.take("t", askedAt: first))
        #expect(marks.take("u", askedAt: first) && others.take("t", askedAt: first))
        #expect(marks.take("t", askedAt: second), "one answer may be taken in parts")
    }
}
