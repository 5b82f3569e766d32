import Testing

@testable import ChatStore

/// Which stretches become one (collections 3.5).
@Suite struct ChunkTests {
    private let known = [Chunk(low: 100, high: 200)]

    @Test func whatOverlapsBecomesOne() {
        #expect(known.adding(HistoryCoverage(low: 50, high: 150)) == [Chunk(low: 50, high: 200)])
        #expect(known.adding(HistoryCoverage(low: 150, high: 250)) == [Chunk(low: 100, high: 250)])
        #expect(known.adding(HistoryCoverage(low: 120, high: 130)) == known)
        #expect(
            known.adding(HistoryCoverage(low: nil, high: 300, isNewest: true)) == [
                Chunk(low: .min, high: 300, isOpen: true)
            ])
    }

    @Test func whatIsApartStaysApart() {
        #expect(known.adding(HistoryCoverage(low: 300, high: 400)) == known + [Chunk(low: 300, high: 400)])
        #expect(known.adding(HistoryCoverage(low: 10, high: 20)) == [Chunk(low: 10, high: 20)] + known)
    }

    @Test func meetingAtOneTimeIsEnoughOnlyIfAllOfThatTimeIsKnown() {
        #expect(known.adding(HistoryCoverage(low: 50, high: 100)).count == 2)
        #expect(known.adding(HistoryCoverage(low: 50, high: 100, isHighComplete: true)) == [Chunk(low: 50, high: 200)])
        #expect(known.adding(HistoryCoverage(low: 200, high: 300)).count == 2)
        #expect(known.adding(HistoryCoverage(low: 200, high: 300, isLowComplete: true)) == [Chunk(low: 100, high: 300)])
    }

    @Test func aPageMayJoinTwo() {
        let two = [Chunk(low: 100, high: 200), Chunk(low: 300, high: 400)]
        #expect(two.adding(HistoryCoverage(low: 150, high: 300, isHighComplete: true)) == [Chunk(low: 100, high: 400)])
    }

    @Test func anEmptyThreadIsKnownFromItsBeginningToNow() {
        let empty = [Chunk]().adding(HistoryCoverage(low: nil, high: nil, isNewest: true))
        #expect(empty == [Chunk(low: .min, high: .min, isOpen: true)])
        #expect(empty[0].contains(5))
        // And after an absence, what is read back to the beginning joins it.
        let closed = [Chunk(low: .min, high: .min)]
        #expect(
            closed.adding(HistoryCoverage(low: nil, high: 7, isNewest: true)) == [
                Chunk(low: .min, high: 7, isOpen: true)
            ])
        #expect(!closed[0].contains(5))
    }

    @Test func aPlaceBelongsToTheChunkThatItIsInAndBeyondTheNewestToThat() {
        let two = [Chunk(low: 100, high: 200), Chunk(low: 300, high: 400)]
        func chunk(_ time: Int64) -> Chunk? { two.chunk(around: MessagePosition(createdAt: time, number: 1)) }
        #expect(chunk(150) == two[0] && chunk(200) == two[0] && chunk(301) == two[1])
        #expect(chunk(.max) == two[1] && chunk(401) == two[1])
        // At the lower edge a sibling of the same time may be missing.
        #expect(chunk(100) == nil && chunk(250) == nil && chunk(50) == nil && chunk(300) == nil)
    }
}
