import Bounds
import Testing

struct RateBookTests {
    private static let second: Int64 = 1_000_000

    private func taken(_ book: inout RateBook<String>, _ key: String, at now: Int64, _ rate: Rate) -> Int {
        var count = 0
        while count < 10_000, book.countTry(key, at: now, rate) == nil { count += 1 }
        return count
    }

    @Test("a burst at once, and then as often as the hour allows", arguments: [1, 5, 600])
    func bursts(burst: Int) {
        var book = RateBook<String>()
        let rate = Rate(burst: burst, perHour: 3600)
        #expect(taken(&book, "a", at: 0, rate) == burst)
        #expect(book.countTry("a", at: 0, rate) == Self.second)
        #expect(taken(&book, "a", at: Self.second - 1, rate) == 0)
        #expect(taken(&book, "a", at: 2 * Self.second, rate) == min(burst, 2))
        #expect(taken(&book, "b", at: 2 * Self.second, rate) == burst)
        #expect(taken(&book, "a", at: 100_000 * Self.second, rate) == burst)
    }

    @Test func withoutALimitNothingIsRemembered() {
        var book = RateBook<String>()
        #expect(taken(&book, "a", at: 0, Rate(burst: 1, perHour: 0)) == 10_000)
        #expect(book.count == 0)
    }

    @Test func aRefusedTryCostsNothing() {
        var book = RateBook<String>()
        let rate = Rate(burst: 1, perHour: 3600)
        #expect(book.countTry("a", at: 0, rate) == nil)
        for _ in 0..<50 { #expect(book.countTry("a", at: 0, rate) == Self.second) }
        #expect(book.countTry("a", at: Self.second, rate) == nil)
    }

    @Test func whatGoesTogetherCountsTogetherOrNotAtAll() {
        var book = RateBook<String>()
        let rate = Rate(burst: 10, perHour: 3600)
        #expect(book.countTry("a", at: 0, rate, count: 7) == nil)
        #expect(book.countTry("a", at: 0, rate, count: 4) == Self.second)
        #expect(book.countTry("a", at: 0, rate, count: 3) == nil)
        #expect(book.countTry("b", at: 0, rate, count: 11) == Self.second)
        #expect(book.countTry("b", at: 0, rate, count: 10) == nil)
    }

    @Test func atItsCapacityItForgetsWhoHasMostTriesLeft() {
        var book = RateBook<String>(capacity: 3)
        let rate = Rate(burst: 10, perHour: 3600)
        #expect(taken(&book, "all", at: 0, rate) == 10)
        #expect(book.countTry("one", at: 0, rate) == nil)
        #expect(book.countTry("late", at: Self.second / 2, rate) == nil)
        #expect(book.countTry("new", at: Self.second / 2, rate) == nil)
        #expect(book.count == 3)
        #expect(taken(&book, "all", at: Self.second / 2, rate) == 0)
        #expect(taken(&book, "one", at: Self.second / 2, rate) == 10)
    }
}
