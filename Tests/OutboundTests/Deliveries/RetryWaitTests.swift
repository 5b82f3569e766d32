import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct RetryWaitTests {
    private let start = Timestamp(milliseconds: 1_772_442_904_512)

    @Test func aWaitEndsAtItsTime() {
        let wait = RetryWait(startedAt: start, delay: .seconds(5))
        #expect(wait.nextAt == start.advanced(bySeconds: 5))
        #expect(wait.remaining(at: start) == .seconds(5))
        #expect(wait.remaining(at: start.advanced(byMilliseconds: 4999)) == .milliseconds(1))
        #expect(wait.remaining(at: wait.nextAt) == .zero)
        #expect(wait.remaining(at: .latest) == .zero)
    }

    @Test func aWaitIsOverWhenTheClockWasSetBack() {
        let wait = RetryWait(startedAt: start, delay: .seconds(5))
        #expect(wait.remaining(at: start.advanced(byMilliseconds: -1)) == .zero)
        #expect(wait.remaining(at: .earliest) == .zero)
    }

    @Test func noTimeMakesAWaitLongerThanItsDelay() {
        let wait = RetryWait(startedAt: start, delay: .seconds(3600))
        for seconds in stride(from: -100_000, through: 100_000, by: 37) {
            let remaining = wait.remaining(at: start.advanced(bySeconds: seconds))
            #expect(remaining >= .zero && remaining <= .seconds(3600))
        }
    }

    @Test func aWaitThatWasStoredGoesOn() {
        let stored = RetryWait(startedAt: start, nextAt: start.advanced(bySeconds: 60))
        #expect(stored == RetryWait(startedAt: start, delay: .seconds(60)))
        #expect(stored.remaining(at: start.advanced(bySeconds: 50)) == .seconds(10))
        // Rows that the clock made senseless are due.
        #expect(RetryWait(startedAt: start, nextAt: start.advanced(bySeconds: -60)).remaining(at: start) == .zero)
    }

    @Test func aDelayBeyondTheCalendarEndsWithIt() {
        #expect(RetryWait(startedAt: start, delay: .seconds(Int64.max)).nextAt == .latest)
        #expect(Duration.seconds(Int64.max).wholeMilliseconds == .max)
        #expect(Duration.seconds(Int64.min).wholeMilliseconds == .min)
        #expect(Duration.nanoseconds(-1_999_999).wholeMilliseconds == -1)
    }
}
