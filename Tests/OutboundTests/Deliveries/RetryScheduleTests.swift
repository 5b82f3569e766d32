import ChatModel
import Formats
import Testing

@testable import Outbound

@Suite struct RetryScheduleTests {
    private let now = Timestamp(milliseconds: 1_772_442_904_512)

    /// The delays after 1, 2, 3 ... failures where the random number changes nothing.
    private func delays(_ schedule: RetrySchedule, _ count: Int) -> [Duration?] {
        (1...count).map { failures in
            schedule.wait(afterFailures: failures, at: now, random: 0.5)?.remaining(at: now)
        }
    }

    @Test func anEventIsDeadAfterFiveFailures() {
        #expect(delays(.event, 6) == [.seconds(5), .seconds(60), .seconds(300), .seconds(1800), nil, nil])
    }

    @Test func aTargetIsProbedForEver() {
        let hour = Duration.seconds(3600)
        #expect(
            delays(.target, 9) == [
                .seconds(1), .seconds(5), .seconds(15), .seconds(60), .seconds(300), .seconds(900), .seconds(1800),
                hour, hour,
            ])
        #expect(RetrySchedule.target.wait(afterFailures: .max, at: now, random: 0.5)?.remaining(at: now) == hour)
    }

    @Test func aPushIsTriedUntilItsTimeToLiveIsOver() {
        #expect(
            delays(.push, 6) == [
                .seconds(5), .seconds(15), .seconds(60), .seconds(300), .seconds(900), .seconds(900),
            ])
        let createdAt = now
        let deadline = createdAt.advanced(by: RetrySchedule.timeToLive)
        var time = createdAt
        var attempts: [Timestamp] = [time]
        while let wait = RetrySchedule.push.wait(
            afterFailures: attempts.count, at: time, random: 0.5, deadline: deadline)
        {
            time = wait.nextAt
            attempts.append(time)
        }
        // The first, the four steps in 380 seconds, and one every 900 seconds of the other 86,020.
        #expect(attempts.count == 1 + 4 + 95)
        #expect(attempts.allSatisfy { $0 < deadline })
        #expect(deadline <= time.advanced(bySeconds: 900))
        // At the deadline itself nothing is tried any more.
        let exact = deadline.advanced(bySeconds: -5)
        #expect(RetrySchedule.push.wait(afterFailures: 1, at: exact, random: 0.5, deadline: deadline) == nil)
        let before = exact.advanced(byMilliseconds: -1)
        #expect(RetrySchedule.push.wait(afterFailures: 1, at: before, random: 0.5, deadline: deadline) != nil)
        #expect(
            RetrySchedule.push.wait(
                afterFailures: 1, at: now, random: 0.5, retryAfter: RetrySchedule.timeToLive, deadline: deadline) == nil
        )
    }

    @Test(arguments: [(0.0, 750), (0.5, 1000), (1.0, 1250), (-7, 750), (7, 1250)])
    func eachDelayIsSpreadByAQuarter(random: Double, thousandths: Int64) {
        for (schedule, failures) in [(RetrySchedule.event, 4), (.target, 7), (.target, 50), (.push, 1), (.push, 9)] {
            let plain = schedule.wait(afterFailures: failures, at: now, random: 0.5)
            let spread = schedule.wait(afterFailures: failures, at: now, random: random)
            let expected = plain.map { ($0.nextAt.milliseconds - now.milliseconds) * thousandths / 1000 }
            #expect(spread.map { $0.nextAt.milliseconds - now.milliseconds } == expected)
        }
    }

    @Test func whatTheServerAsksForCountsWhenItIsLonger() {
        func delay(_ retryAfter: Duration?) -> Duration? {
            RetrySchedule.target.wait(afterFailures: 3, at: now, random: 0, retryAfter: retryAfter)?.remaining(at: now)
        }
        #expect(delay(nil) == .milliseconds(11_250))
        #expect(delay(.seconds(11)) == .milliseconds(11_250))
        #expect(delay(.seconds(12)) == .seconds(12))
        #expect(delay(.seconds(86_400)) == .seconds(86_400))
        #expect(RetrySchedule.event.wait(afterFailures: 5, at: now, random: 0, retryAfter: .seconds(1)) == nil)
    }

    @Test func aTargetIsDisabledAfterThreeDaysOfFailures() {
        let hours: (Int) -> Timestamp = { now.advanced(bySeconds: 3600 * $0) }
        #expect(!RetrySchedule.isExhausted(failingSince: now, now: now))
        #expect(!RetrySchedule.isExhausted(failingSince: now, now: hours(70)))
        #expect(!RetrySchedule.isExhausted(failingSince: now, now: hours(72).advanced(byMilliseconds: -1)))
        #expect(RetrySchedule.isExhausted(failingSince: now, now: hours(72)))
        #expect(!RetrySchedule.isExhausted(failingSince: now, now: hours(-100)))
    }
}
