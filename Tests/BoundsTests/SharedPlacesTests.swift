import Bounds
import Testing

struct SharedPlacesTests {
    private static let ann = Holder.named("ann")

    struct Shares: Sendable {
        let limit: Int
        let named: Int
        let nobody: Int
        /// How many places all named holders together can take.
        let others: Int
    }

    @Test(
        "one holder gets an eighth, unknown senders a quarter, and root the rest",
        arguments: [
            Shares(limit: 4096, named: 512, nobody: 1024, others: 4095),
            Shares(limit: 12000, named: 1500, nobody: 3000, others: 11999),
            Shares(limit: 256, named: 32, nobody: 64, others: 255),
            Shares(limit: 9, named: 1, nobody: 2, others: 8),
            Shares(limit: 4, named: 1, nobody: 1, others: 3),
            Shares(limit: 2, named: 1, nobody: 1, others: 1),
            Shares(limit: 1, named: 1, nobody: 1, others: 1),
        ])
    func shares(row: Shares) {
        for (holder, share) in [(Self.ann, row.named), (.nobody, row.nobody)] {
            var places = SharedPlaces(limit: row.limit)
            for _ in 0..<share { #expect(places.takePlace(holder) == nil) }
            #expect(places.takePlace(holder) == .share(share, limit: row.limit))
            #expect(places.count(of: holder) == share)
            #expect(places.takePlace(.root) == nil)
        }
        var places = SharedPlaces(limit: row.limit)
        var others = 0
        while places.takePlace(.named("n\(others)")) == nil { others += 1 }
        #expect(others == row.others)
        #expect(places.takePlace(.named("further")) == .full(limit: row.limit))
        #expect(places.takePlace(.root) == nil)
        #expect(places.takePlace(.root) == .full(limit: row.limit))
    }

    @Test func rootMayTakeAllAndThenThePoolIsFull() {
        var places = SharedPlaces(limit: 16)
        for _ in 0..<16 { #expect(places.takePlace(.root) == nil) }
        #expect(places.takePlace(.root) == .full(limit: 16))
        #expect(places.takePlace(Self.ann) == .full(limit: 16))
        places.giveBack(.root)
        #expect(places.takePlace(Self.ann) == nil)
    }

    @Test func aHolderAtItsShareIsToldThatAlsoWhenAllIsFull() {
        var places = SharedPlaces(limit: 8)
        #expect(places.takePlace(Self.ann) == nil)
        for _ in 0..<7 { #expect(places.takePlace(.root) == nil) }
        #expect(places.takePlace(Self.ann) == .share(1, limit: 8))
        #expect(places.takePlace(.named("bo")) == .full(limit: 8))
    }

    @Test func rootsPlaceStaysFreeAfterItGaveItBack() {
        var places = SharedPlaces(limit: 8)
        #expect(places.takePlace(.root) == nil)
        for index in 0..<7 { #expect(places.takePlace(.named("n\(index)")) == nil) }
        places.giveBack(.root)
        #expect(places.takePlace(.named("n8")) == .full(limit: 8))
        #expect(places.takePlace(.root) == nil)
    }

    @Test("a place that was never given cannot be given back", arguments: [Holder.nobody, .root, .named("x")])
    func givingBackTooOften(holder: Holder) {
        var places = SharedPlaces(limit: 8)
        places.giveBack(holder)
        #expect(places.taken == 0)
        #expect(places.takePlace(holder) == nil)
        places.giveBack(holder)
        places.giveBack(holder)
        #expect(places.taken == 0)
        #expect(places.count(of: holder) == 0)
    }

    @Test("after any history the counts add up", arguments: 0..<20)
    func histories(seed: UInt64) {
        var numbers = Numbers(state: seed)
        var places = SharedPlaces(limit: 24)
        var held: [Holder: Int] = [:]
        let holders: [Holder] = [.nobody, .root, Self.ann, .named("bo"), .named("cy"), .named("di")]
        for _ in 0..<2000 {
            let holder = holders[numbers.next(below: holders.count)]
            if numbers.next(below: 2) == 0 {
                if places.takePlace(holder) == nil { held[holder, default: 0] += 1 }
            } else if let count = held[holder], count > 0 {
                places.giveBack(holder)
                held[holder] = count - 1
            }
            #expect(places.taken == held.values.reduce(0, +))
            #expect(holders.allSatisfy { places.count(of: $0) == held[$0] ?? 0 })
            #expect(holders.allSatisfy { places.count(of: $0) <= places.share(of: $0) })
            #expect(places.taken <= 24)
            #expect(places.taken - places.count(of: .root) <= 23)
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
struct Numbers {
    var state: UInt64

    mutating func next(below limit: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }
}
