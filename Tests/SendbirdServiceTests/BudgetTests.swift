@testable import SendbirdService
import Testing

/// How many calls an application may make.
@Suite struct BudgetTests {
    /// Takes as many calls as are allowed at a time.
    private func burst(_ budget: inout RequestBudget, _ kind: RequestBudget.Kind, at now: Duration) -> Int {
        var count = 0
        while budget.take(kind, at: now) == nil { count += 1 }
        return count
    }

    @Test(arguments: [(RequestBudget.Kind.get, 10), (.write, 5)])
    func aSecondHasItsLimit(kind: RequestBudget.Kind, limit: Int) {
        var budget = RequestBudget(gets: 10, writes: 5)
        #expect(burst(&budget, kind, at: .zero) == limit)
        #expect(budget.take(kind, at: .milliseconds(400)) == .milliseconds(600))
        #expect(burst(&budget, kind, at: .seconds(1)) == limit)
    }

    /// Wherever the second begins.
    @Test func noSecondHasMore() {
        var (budget, taken) = (RequestBudget(gets: 7, writes: 5), [Duration]())
        for step in 0..<2000 {
            let now = Duration.milliseconds(step * 13)
            if budget.take(.get, at: now) == nil { taken.append(now) }
        }
        for time in taken {
            #expect(taken.count { $0 >= time && $0 < time + .seconds(1) } <= 7)
        }
        #expect(taken.count >= 7 * 25)
    }

    @Test func oneChannelHasFiveOfThem() {
        var budget = RequestBudget(gets: 10, writes: 100)
        for _ in 0..<5 { #expect(budget.take(.write, scope: "channel a", at: .zero) == nil) }
        #expect(budget.take(.write, scope: "channel a", at: .milliseconds(300)) == .milliseconds(700))
        #expect(budget.take(.write, scope: "channel b", at: .milliseconds(300)) == nil)
        #expect(budget.take(.write, at: .milliseconds(300)) == nil)
        #expect(budget.take(.write, scope: "channel a", at: .seconds(1)) == nil)
    }

    /// A refused call takes nothing of either count.
    @Test func whoWaitsTakesNothing() {
        var budget = RequestBudget(gets: 10, writes: 5)
        for _ in 0..<5 { _ = budget.take(.write, scope: "channel a", at: .zero) }
        for _ in 0..<50 { _ = budget.take(.write, scope: "channel b", at: .milliseconds(500)) }
        #expect(budget.take(.write, scope: "channel b", at: .seconds(1)) == nil)
    }

    @Test func tooManyHalvesTheLimitForAWhile() {
        var budget = RequestBudget(gets: 100, writes: 50)
        budget.refused(.get, for: .seconds(3), at: .zero)
        #expect(budget.take(.get, at: .seconds(1)) == .seconds(2))
        #expect(burst(&budget, .get, at: .seconds(3)) == 50)
        #expect(burst(&budget, .write, at: .seconds(3)) == 50)
        #expect(budget.limit(of: .get, at: .seconds(60)) == 60)
        #expect(budget.limit(of: .get, at: .seconds(300)) == 100)
        #expect(budget.limit(of: .get, at: .seconds(30_000)) == 100)
    }

    /// Calls that were on their way together tell the same.
    @Test func oneBurstHalvesTheLimitOnce() {
        var budget = RequestBudget(gets: 10, writes: 5)
        for number in 0..<10 { budget.refused(.get, for: .seconds(1), at: .milliseconds(number * 50)) }
        #expect(budget.limit(of: .get, at: .seconds(1)) == 5)
        #expect(budget.take(.get, at: .seconds(1)) == .milliseconds(450), "the last one counts")
        budget.refused(.get, for: .seconds(1), at: .seconds(2))
        #expect(budget.limit(of: .get, at: .seconds(2)) == 2)
    }

    @Test func somethingIsAlwaysLeft() {
        var budget = RequestBudget(gets: 10, writes: 5)
        for step in 0..<20 { budget.refused(.get, for: .zero, at: .seconds(step)) }
        #expect(budget.limit(of: .get, at: .seconds(20)) == 1)
    }
}
