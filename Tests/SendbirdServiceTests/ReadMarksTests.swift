@testable import SendbirdService
import Testing

@Suite struct ReadMarksTests {
    /// What the platform says before it has heard of a reading would count the read messages again.
    @Test func noCountIsTakenUntilThePlatformHasHeard() {
        let all = ReadMarks()
        let (marks, others) = (AccountMarks(marks: all, account: 1), AccountMarks(marks: all, account: 2))
        let before = marks.now
        #expect(!marks.isMarked("t", since: before))
        marks.begin("t")
        let meanwhile = marks.now
        #expect(marks.isMarked("t", since: before) && marks.isMarked("t", since: meanwhile))
        #expect(!marks.isMarked("u", since: before) && !others.isMarked("t", since: before))
        marks.begin("t")
        marks.end("t")
        #expect(marks.isMarked("t", since: marks.now), "one of two is still on its way")
        marks.end("t")
        #expect(marks.isMarked("t", since: meanwhile) && !marks.isMarked("t", since: marks.now))
    }

    /// Whoever reads it again has to tell the platform, as long as that has not heard of an earlier time.
    @Test func whatThePlatformHasNotHeardIsOwed() {
        let marks = AccountMarks(marks: ReadMarks(), account: 1)
        #expect(!marks.begin("t"))
        #expect(marks.begin("t") && !marks.begin("u"), "one is on its way")
        marks.end("t")
        marks.end("t", isTold: false)
        #expect(marks.begin("t"))
        marks.end("t")
        #expect(marks.begin("t"))
        marks.end("t", isTold: true)
        #expect(!marks.begin("t"))
    }
}
