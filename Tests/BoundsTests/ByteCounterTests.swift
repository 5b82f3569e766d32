import Testing

@testable import Bounds

struct ByteCounterTests {
    @Test func takesFromAllAboveOrFromNone() {
        let process = ByteCounter(limit: 100)
        let (one, other) = (ByteCounter(limit: 60, within: process), ByteCounter(limit: 60, within: process))
        #expect(one.reserve(60))
        #expect(!one.reserve(1))
        #expect(!other.reserve(41))
        #expect((other.used, process.used) == (0, 60))
        #expect(other.reserve(40))
        one.giveBack(10)
        #expect((one.used, process.used) == (50, 90))
    }

    @Test func keepsWhatIsHeldInAnyCase() {
        let process = ByteCounter(limit: 10)
        let one = ByteCounter(limit: 5, within: process)
        one.reserveAnyway(20)
        #expect((one.used, process.used) == (20, 20))
        #expect(!process.reserve(1))
    }

    @Test func anObjectThatGoesGivesAllBack() {
        let process = ByteCounter(limit: 100)
        var holder: ByteCounter? = ByteCounter(limit: 100, within: process)
        var object: ByteCounter? = holder.map { ByteCounter(limit: 100, within: $0) }
        #expect(object?.reserve(70) == true)
        #expect(process.used == 70)
        holder = nil
        #expect(process.used == 70)
        object = nil
        #expect(process.used == 0)
    }

    @Test func holdsExactly() {
        let process = ByteCounter(limit: 100)
        let object = ByteCounter(limit: 80, within: process)
        #expect(object.hold(exactly: 80))
        #expect(!object.hold(exactly: 81))
        #expect(object.used == 80)
        #expect(object.hold(exactly: 3))
        #expect(process.used == 3)
    }

    @Test func aHolderHasOneShare() {
        let process = ByteCounter(limit: 80)
        let shares = ByteShares(of: process)
        let first = shares.counter(of: .named("a"))
        #expect(first.reserve(10))
        #expect(!shares.counter(of: .named("a")).reserve(1))
        #expect(shares.counter(of: .named("b")).reserve(10))
        #expect(shares.counter(of: .nobody).reserve(20))
        #expect(shares.counter(of: .root).reserve(70))
        withExtendedLifetime(first) {}
    }

    @Test func sharesOfTheWholeMayStandInAPartOfIt() {
        let whole = ByteCounter(limit: 80)
        let unknown = ByteShares(of: whole).counter(of: .nobody)
        let shares = ByteShares(of: whole, within: unknown)
        let (first, second, third) = (
            shares.counter(of: .named("a")), shares.counter(of: .named("b")), shares.counter(of: .named("c"))
        )
        #expect(first.reserve(10) && !first.reserve(1) && second.reserve(10))
        #expect(!third.reserve(1), "the part is a quarter")
        #expect(whole.used == 20 && unknown.used == 20)
        first.giveBack(10)
        #expect(third.reserve(10))
    }

    @Test func holdersOfNothingAreForgotten() {
        let shares = ByteShares(of: ByteCounter(limit: 100))
        for holder in 0..<10_000 { _ = shares.counter(of: .named("\(holder)")) }
        #expect(shares.entryCount <= 64)
    }
}
