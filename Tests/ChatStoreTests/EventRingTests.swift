import ChatModel
import TestSupport
import Testing

@testable import ChatStore

@Suite struct EventRingTests {
    /// An event of about 200 bytes.
    private func event(_ offset: Int64, _ audiences: [Audience] = [.account(1)], message: Int64? = nil) -> LogEvent {
        LogEvent(
            cursor: Cursor(epoch: "e", offset: offset), type: .messageCreated, data: [UInt8](repeating: 32, count: 37),
            members: audiences.map { AudienceMember($0) }, message: message)
    }

    private func ring(capacity: Int = 1 << 20, _ events: [LogEvent]) -> EventRing {
        var ring = EventRing(capacity: capacity, head: 0)
        for event in events { ring.append([event], head: event.offset ?? 0) }
        return ring
    }

    private func offsets(_ read: RingRead) -> [Int64]? {
        if case .events(let events, _) = read { events.compactMap(\.offset) } else { nil }
    }

    private func through(_ read: RingRead) -> Int64? {
        if case .events(_, let through) = read { through } else { nil }
    }

    @Test func aReaderGetsWhatConcernsItAfterItsPosition() {
        let ring = ring([event(1), event(2, [.account(2)]), event(3, [.account(1), .desk]), event(4, [.desk])])
        #expect(offsets(ring.read([.account(1)], after: 0, limit: 1 << 20)) == [1, 3])
        #expect(offsets(ring.read([.account(1)], after: 1, limit: 1 << 20)) == [3])
        #expect(offsets(ring.read([.desk], after: 0, limit: 1 << 20)) == [3, 4])
        #expect(offsets(ring.read([.account(9)], after: 0, limit: 1 << 20)) == [])
        #expect(through(ring.read([.account(9)], after: 0, limit: 1 << 20)) == 4)
    }

    /// Nobody knows here whether an offset in it was given out before.
    @Test(arguments: [false, true]) func whoStandsInALeapAsksTheDatabase(comesWithEvents: Bool) {
        let next = 2 + LostOffsets.leap
        var ring = ring([event(1), event(2)])
        if comesWithEvents {
            ring.append([event(next + 1), event(next + 2)], head: next + 2)
        } else {
            ring.append([], head: next)
            ring.append([event(next + 1), event(next + 2)], head: next + 2)
        }
        for place in [1, 2, next, next + 1] {
            #expect(offsets(ring.read([.account(1)], after: place, limit: 1 << 20))?.last == next + 2)
        }
        for place in [3, 4, next - 1] {
            #expect(offsets(ring.read([.account(1)], after: place, limit: 1 << 20)) == nil)
        }
        for _ in 0..<2 { ring.forgetOld() }
        #expect(offsets(ring.read([.account(1)], after: next + 2, limit: 1 << 20)) == [])
    }

    @Test func severalAudiencesAreMergedInOrderWithoutDoubles() {
        let ring = ring([
            event(1, [.account(1), .account(2)]), event(2, [.account(2)]), event(3),
            event(4, [.account(2), .account(1), .desk]),
            event(5, [.account(3)]),
        ])
        #expect(offsets(ring.read([.account(2), .account(1), .desk], after: 0, limit: 1 << 20)) == [1, 2, 3, 4])
    }

    @Test func aStepIsBoundedInBytesButNeverEmpty() {
        let ring = ring((1...5).map { event($0) })
        let size = event(1).byteCount
        let step = ring.read([.account(1)], after: 0, limit: 2 * size)
        #expect(offsets(step) == [1, 2])
        #expect(through(step) == 2)
        #expect(offsets(ring.read([.account(1)], after: 2, limit: 1)) == [3])
        #expect(through(ring.read([.account(1)], after: 2, limit: 1)) == 3)
    }

    @Test func itHoldsNoMoreBytesThanItMay() {
        let size = event(1, [.account(2), .desk]).byteCount
        let ring = ring(
            capacity: 3 * size,
            (1...9).map { event($0, $0 % 2 == 0 ? [.account(1), .account(3)] : [.account(2), .desk]) })
        #expect(ring.byteCount == 3 * size)
        #expect(ring.low == 6)
        #expect(ring.head == 9)
        #expect(offsets(ring.read([.account(1)], after: 5, limit: 1 << 20)) == nil)
        #expect(offsets(ring.read([.account(1)], after: 6, limit: 1 << 20)) == [8])
        #expect(offsets(ring.read([.account(2), .account(1)], after: 6, limit: 1 << 20)) == [7, 8, 9])
    }

    @Test func whatWasThereAtTheLastCallLeaves() {
        var ring = ring([event(1), event(2, [.desk])])
        ring.forgetOld()
        #expect(offsets(ring.read([.account(1), .desk], after: 0, limit: 1 << 20)) == [1, 2])
        ring.append([event(3)], head: 3)
        ring.forgetOld()
        // Readers before it read the database; those behind it go on in memory.
        #expect(offsets(ring.read([.account(1), .desk], after: 1, limit: 1 << 20)) == nil)
        #expect(offsets(ring.read([.account(1), .desk], after: 2, limit: 1 << 20)) == [3])
        ring.forgetOld()
        #expect(ring.byteCount == 0)
        #expect(offsets(ring.read([.account(1)], after: 3, limit: 1 << 20)) == [])
        #expect(through(ring.read([.account(1)], after: 3, limit: 1 << 20)) == 3)
    }

    @Test func oneEventThatIsTooLargeLeavesItEmptyAndReadersBehind() {
        let ring = ring(capacity: 10, [event(1)])
        #expect(ring.byteCount == 0)
        #expect(offsets(ring.read([.account(1)], after: 0, limit: 1)) == nil)
        #expect(offsets(ring.read([.account(1)], after: 1, limit: 1)) == [])
    }

    @Test func aReaderAheadOfTheRingIsNotSentBack() {
        // The database may show a commit just before the ring does.
        let ring = ring([event(1)])
        #expect(through(ring.read([.account(1)], after: 5, limit: 1)) == 5)
    }

    @Test func aScrubbedMessageLeavesEveryQueue() {
        var ring = ring([
            event(1, [.account(1), .desk], message: 1), event(2), event(3, [.account(1), .desk], message: 1),
            event(4, [.desk], message: 4),
        ])
        ring.scrub(message: 1)
        #expect(offsets(ring.read([.account(1)], after: 0, limit: 1 << 20)) == [2])
        #expect(offsets(ring.read([.desk], after: 0, limit: 1 << 20)) == [4])
        // Two empty events stay, without data.
        let count = ring.byteCount
        #expect(count < 2 * event(1).byteCount + 2 * event(1, [.account(1), .desk]).byteCount)
        ring.scrub(message: 99)
        #expect(ring.byteCount == count)
    }

    /// What is left of a scrubbed event takes part in no read, and a step that is bounded in bytes goes on behind it.
    @Test func readersPassOverWhatWasScrubbed() {
        var ring = ring((1...6).map { event($0, message: $0 % 2 == 0 ? 7 : $0) })
        ring.scrub(messages: [7, 5])
        #expect(offsets(ring.read([.account(1)], after: 0, limit: 1 << 20)) == [1, 3])
        #expect(through(ring.read([.account(1)], after: 0, limit: 1 << 20)) == 6)
        #expect(offsets(ring.read([.account(1)], after: 1, limit: 1)) == [3])
        #expect(offsets(ring.read([.everyone], after: 0, limit: 1 << 20)) == [1, 3])
        // Again, and of events that are no longer there: nothing more happens.
        let count = ring.byteCount
        ring.scrub(messages: [7, 5])
        #expect(ring.byteCount == count && count < 6 * event(1).byteCount)
    }

    /// Random commits, removals and forgetting: the ring always reads as a plain list of the same events does.
    @Test(arguments: 1...20) func itReadsAsAPlainListDoes(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        var ring = EventRing(capacity: 40 * event(1).byteCount, head: 0)
        var list: [(offset: Int64, audiences: [Audience], message: Int64?)] = []
        var head: Int64 = 0
        let everyone: [Audience] = [.account(1), .account(2), .desk]
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<6:
                head += Int64.random(in: 1...3, using: &random)
                let audiences = everyone.filter { _ in Bool.random(using: &random) }
                let message = Bool.random(using: &random) ? Int64.random(in: 1000...1010, using: &random) : nil
                list.append((head, audiences, message))
                ring.append([event(head, audiences, message: message)], head: head)
            case 6..<9:
                let gone: Set<Int64> = [
                    .random(in: 1000...1010, using: &random), .random(in: 0...max(1, head), using: &random),
                ]
                list.removeAll { gone.contains($0.offset) || $0.message.map(gone.contains) == true }
                ring.scrub(messages: gone)
            default: ring.forgetOld()
            }
            let after = Int64.random(in: 0...max(1, head), using: &random)
            guard after >= ring.low else { continue }
            for audience in everyone {
                let wanted = list.filter { $0.offset > after && $0.audiences.contains(audience) }.map(\.offset)
                #expect(offsets(ring.read([audience], after: after, limit: 1 << 20)) == wanted)
            }
            #expect(
                offsets(ring.read([.everyone], after: after, limit: 1 << 20))
                    == list.filter { $0.offset > after }.map(\.offset))
        }
    }

    @Test func afterAScrubTheOldestStillGoFirst() {
        let size = event(1).byteCount
        var ring = ring(capacity: 4 * size, [event(1, message: 1), event(2, [.desk]), event(3, message: 1), event(4)])
        ring.scrub(message: 1)
        for offset in Int64(5)...8 { ring.append([event(offset)], head: offset) }
        #expect(offsets(ring.read([.account(1)], after: 4, limit: 1 << 20)) == [5, 6, 7, 8])
        #expect(offsets(ring.read([.account(1)], after: 3, limit: 1 << 20)) == nil)
        #expect(offsets(ring.read([.desk], after: 4, limit: 1 << 20)) == [])
    }
}
