import ChatModel
import TestSupport
import Testing

@testable import Chat

@Suite(.timeLimit(.minutes(5))) struct AnswerTests {
    private let clock = ManualClock()

    @Test func everyOneWhoWaitsGetsTheFirstValue() async throws {
        let (answer, clock) = (Answer<Int>(), clock)
        let patient = (0..<5).map { _ in Task { await answer.value() } }
        let limited = (0..<5).map { _ in Task { await answer.value(within: .seconds(1), on: clock) } }
        #expect(await eventually { answer.waiterCount == 10 })
        answer.resolve(1)
        answer.resolve(2)
        for task in patient { #expect(await task.value == 1) }
        for task in limited { #expect(await task.value == 1) }
        #expect(answer.waiterCount == 0)
        #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test func aValueThatIsThereIsNotWaitedFor() async {
        let answer = Answer<Int>()
        answer.resolve(1)
        answer.resolve(2)
        #expect(await answer.value() == 1)
        #expect(await answer.value(within: .zero, on: clock) == 1)
        #expect(clock.sleepCount == 0)
    }

    @Test func whoHasWaitedLongEnoughLeavesAndTheOthersStay() async {
        let (answer, clock) = (Answer<Int>(), clock)
        async let short = answer.value(within: .seconds(1), on: clock)
        async let long = answer.value(within: .seconds(2), on: clock)
        #expect(await eventually { answer.waiterCount == 2 && clock.sleeperCount == 2 })
        clock.advance(by: .seconds(1))
        #expect(await short == nil)
        #expect(answer.waiterCount == 1)
        answer.resolve(7)
        #expect(await long == 7)
    }

    @Test func anAlarmCountsFromTheCallThatSetsIt() async throws {
        let alarm = clock.alarm(in: .seconds(1))
        clock.advance(by: .seconds(1))
        try await alarm()
        #expect(clock.sleeperCount == 0)
    }

    @Test func aCancelledTaskLeavesAtOnce() async {
        let (answer, clock) = (Answer<Int>(), clock)
        let waiting = Task { await answer.value(within: .seconds(1), on: clock) }
        #expect(await eventually { answer.waiterCount == 1 })
        waiting.cancel()
        #expect(await waiting.value == nil)
        #expect(answer.waiterCount == 0)
        #expect(await eventually { clock.sleeperCount == 0 })
    }

    @Test func aTaskThatWasCancelledBeforeItWaitsLeavesAtOnce() async {
        let (answer, clock, gate) = (Answer<Int>(), clock, Gate())
        let waiting = Task {
            await gate.pass()
            return await answer.value(within: .seconds(1), on: clock)
        }
        waiting.cancel()
        gate.open()
        #expect(await waiting.value == nil)
        #expect(answer.waiterCount == 0)
    }

    @Test func underRacesEveryOneIsResumedOnceAndNobodyIsLeft() async {
        let clock = clock
        for _ in 0..<200 {
            let answer = Answer<Int>()
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<8 {
                    group.addTask {
                        let value = await answer.value(within: .seconds(1), on: clock)
                        #expect(value == nil || value == 1)
                        if index == 0 { #expect(await answer.value() == 1) }
                    }
                }
                group.addTask { answer.resolve(1) }
                group.addTask { clock.advance(by: .seconds(1)) }
            }
            #expect(answer.waiterCount == 0)
        }
    }
}
