import Testing

@testable import ChatStore

/// Who is next, by a time that the test tells.
@Suite struct WriteQueueTests {
    private let start = ContinuousClock.now
    private let courtesy = WriteQueue<String>.courtesy

    @Test func whatSomebodyWaitsForGoesFirst() {
        var queue = WriteQueue<String>()
        queue.add("send 1", inBackground: false, now: start)
        #expect(queue.next(now: start) == ["send 1"])
        queue.add("page", inBackground: true, now: start)
        queue.add("send 2", inBackground: false, now: start)
        #expect(queue.next(now: start + .milliseconds(1)) == ["send 2"])
        #expect(queue.next(now: start + .milliseconds(2)) == [])
    }

    @Test func theBackgroundGoesAtOnceWhenNobodyHasWritten() {
        var queue = WriteQueue<String>()
        queue.add("page", inBackground: true, now: start)
        #expect(queue.next(now: start) == ["page"])
        #expect(queue.isEmpty)
    }

    @Test func theBackgroundGoesWhenNobodyHasWrittenForAMoment() {
        var queue = WriteQueue<String>()
        queue.add("send", inBackground: false, now: start)
        _ = queue.next(now: start)
        queue.add("page", inBackground: true, now: start)
        let done = start + .milliseconds(1)
        #expect(queue.next(now: done) == [])
        #expect(queue.backgroundDue == done + courtesy)
        #expect(queue.next(now: done + courtesy - .nanoseconds(1)) == [])
        #expect(queue.next(now: done + courtesy) == ["page"])
        #expect(queue.backgroundDue == nil)
    }

    @Test func theBackgroundGoesNowAndThenHoweverManyWrite() {
        var queue = WriteQueue<String>()
        for page in 1...3 { queue.add("page \(page)", inBackground: true, now: start) }
        var pages: [String] = []
        var sends = 0
        for step in 0..<250 {
            queue.add("send", inBackground: false, now: start + .milliseconds(step))
            let group = queue.next(now: start + .milliseconds(step))
            sends += group.count { $0 == "send" }
            pages += group.filter { $0 != "send" }.map { "\($0) at \(step)" }
        }
        #expect(sends == 250)
        #expect(pages == ["page 1 at 100", "page 2 at 200"])
    }

    @Test func oneUnitOfTheBackgroundIsACommit() {
        var queue = WriteQueue<String>()
        for page in 1...2 { queue.add("page \(page)", inBackground: true, now: start) }
        #expect(queue.next(now: start) == ["page 1"])
        #expect(queue.next(now: start) == ["page 2"])
    }

    @Test func aGroupIsBounded() {
        var queue = WriteQueue<Int>()
        for number in 0..<300 { queue.add(number, inBackground: false, now: start) }
        #expect(queue.next(now: start) == Array(0..<256))
        #expect(queue.next(now: start) == Array(256..<300))
    }

    @Test func aClosedQueueKeepsNobodyWaiting() {
        var queue = WriteQueue<String>()
        queue.add("send", inBackground: false, now: start)
        queue.add("page", inBackground: true, now: start)
        queue.isClosed = true
        #expect(queue.next(now: start) == ["send", "page"])
        #expect(queue.isEmpty)
    }
}
