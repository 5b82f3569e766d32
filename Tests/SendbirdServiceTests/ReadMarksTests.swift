@testable import SendbirdService
import Testing

@Suite struct ReadMarksTests {
    /// What the platform says before it has heard of a reading would count the read messages again.
    @Test func noCountIsTakenUntilThePlatformHasHeard() {
        let marks = ReadMarks()
        let before = marks.now
        #expect(!marks.isMarked("t", since: before))
        marks.begin("t")
        let meanwhile = marks.now
        #expect(marks.isMarked("t", since: before) && marks.isMarked("t", since: meanwhile))
        #expect(!marks.isMarked("u", since: before))
        marks.begin("t")
        marks.end("t")
        #expect(marks.isMarked("t", since: marks.now), "one of two is still on its way")
        marks.end("t")
        #expect(marks.isMarked("t", since: meanwhile) && !marks.isMarked("t", since: marks.now))
    }
}
