import Chat
import ChatModel
import ChatStore
import Formats
import TestSupport
import Testing

@testable import ChatStore
@testable import Outbound

@Suite struct PushQueueTests {
    private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    private func push(_ number: Int64, to target: Int64, offset: Int64? = nil) -> DeliveryRecord {
        DeliveryRecord(number: number, target: target, offset: offset ?? number)
    }

    private func numbers(_ queue: inout PushQueue, at now: Int64) -> [Int64] {
        var numbers: [Int64] = []
        while let next = queue.take(at: time(now)) { numbers.append(next.number) }
        return numbers
    }

    @Test func nothingIsTakenBeforeItsTime() {
        var queue = PushQueue()
        queue.add(push(1, to: 7), dueAt: time(100))
        #expect(queue.take(at: time(99)) == nil)
        #expect(queue.nextDue() == time(100))
        #expect(queue.take(at: time(100))?.number == 1)
        #expect(queue.nextDue() == nil && queue.count == 0)
    }

    @Test func ofThoseThatAreDueTheLowestOffsetComesFirst() {
        var queue = PushQueue()
        queue.add(push(1, to: 1, offset: 30), dueAt: time(1))
        queue.add(push(2, to: 2, offset: 10), dueAt: time(3))
        queue.add(push(3, to: 3, offset: 20), dueAt: time(2))
        #expect(numbers(&queue, at: 5) == [2, 3, 1])
        #expect(queue.busyCount == 3)
    }

    @Test func aDeviceHasOnePushOnItsWay() {
        var queue = PushQueue()
        for number in 1...3 { queue.add(push(Int64(number), to: 7), dueAt: time(0)) }
        queue.add(push(4, to: 8), dueAt: time(0))
        #expect(numbers(&queue, at: 0) == [1, 4])
        queue.finish(7)
        #expect(numbers(&queue, at: 0) == [2])
        // What is tried again is due before the later one only if its time has come.
        queue.add(push(2, to: 7), dueAt: time(50))
        queue.finish(7)
        #expect(numbers(&queue, at: 10) == [3])
        queue.finish(7)
        #expect(numbers(&queue, at: 49) == [])
        #expect(numbers(&queue, at: 50) == [2])
    }

    @Test func aPushThatBecomesDueWhileItsDeviceIsBusyWaitsForIt() {
        var queue = PushQueue()
        queue.add(push(5, to: 7), dueAt: time(0))
        queue.add(push(4, to: 7), dueAt: time(10))
        #expect(numbers(&queue, at: 0) == [5])
        #expect(numbers(&queue, at: 20) == [])
        queue.finish(7)
        #expect(numbers(&queue, at: 20) == [4])
    }

    @Test func whoIsDoneWakesWhatWaitsForThem() {
        var queue = PushQueue()
        let session = PushHolder.session("s"), app = PushHolder.app("a")
        queue.add(push(1, to: 1), dueAt: time(1000), heldBy: session)
        queue.add(push(2, to: 2), dueAt: time(1000), heldBy: app)
        queue.wake(session, at: time(10))
        #expect(queue.nextDue() == time(10))
        #expect(numbers(&queue, at: 10) == [1])
        queue.wake(session, at: time(20))
        #expect(numbers(&queue, at: 20) == [], "it waits no more")
        #expect(queue.nextDue() == time(1000))
    }

    /// Compared with the plain rule, over histories of all operations.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func itFollowsThePlainRule(seed: UInt64) {
        struct Waiting {
            var delivery: DeliveryRecord
            var dueAt: Int64
            var session: Int64
        }
        var random = SeededGenerator(seed: seed), queue = PushQueue()
        var waiting: [Int64: Waiting] = [:], busy: [Int64] = [], now: Int64 = 0, last: Int64 = 0
        for _ in 0..<2000 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                last += 1
                let one = Waiting(
                    delivery: push(
                        last, to: Int64(Int.random(in: 0..<5, using: &random)),
                        offset: Int64(Int.random(in: 0..<1000, using: &random))),
                    dueAt: now + Int64(Int.random(in: 0..<50, using: &random)),
                    session: Int64(Int.random(in: 0..<3, using: &random)))
                waiting[last] = one
                queue.add(one.delivery, dueAt: time(one.dueAt), heldBy: .session("\(one.session)"))
            case 2: now += Int64(Int.random(in: 0..<20, using: &random))
            case 3:
                let session = Int64(Int.random(in: 0..<3, using: &random))
                for (number, one) in waiting where one.session == session && one.dueAt > now {
                    waiting[number]?.dueAt = now
                }
                queue.wake(.session("\(session)"), at: time(now))
            case 4:
                guard !busy.isEmpty else { continue }
                queue.finish(busy.remove(at: Int.random(in: 0..<busy.count, using: &random)))
            default:
                let expected = waiting.values.filter { $0.dueAt <= now && !busy.contains($0.delivery.target) }
                    .min { ($0.delivery.offset, $0.delivery.number) < ($1.delivery.offset, $1.delivery.number) }
                let taken = queue.take(at: time(now))
                #expect(taken?.number == expected?.delivery.number)
                guard let taken else { continue }
                waiting[taken.number] = nil
                busy.append(taken.target)
            }
            #expect(queue.count == waiting.count && queue.busyCount == busy.count)
        }
    }
}

extension DeliveryRecord {
    /// A push that waits, as far as the queue looks at it.
    fileprivate init(number: Int64, target: Int64, offset: Int64) {
        self.init(
            number: number, target: target, offset: offset, lane: 0, message: nil, type: .messageCreated,
            state: .pending,
            reason: nil, attemptCount: 0, refusalCount: 0, createdAt: Timestamp(milliseconds: 0), lastAttemptAt: nil,
            nextAt: nil, doneAt: nil)
    }
}
