@testable import MicroHTTP
import Testing

@Suite struct EventBufferTests {
    // The buffer cannot be copied, so macros cannot take it: values first.
    @Test func roomIsTheLimitOrAnyOneEvent() {
        var buffer = EventBuffer(limit: 10)
        let empty = buffer.room(for: 1000)
        buffer.append("12345678")
        let (fits, tooMuch) = (buffer.room(for: 2), buffer.room(for: 3))
        buffer.append([UInt8](repeating: 0x39, count: 2))
        let contents = buffer.contents
        buffer.reset()
        let count = buffer.count
        #expect(empty && fits && !tooMuch)
        #expect(contents == Array("1234567899".utf8))
        #expect(count == 0)
    }

    @Test(arguments: [1, 9, 10, 15, 16, 255, 256, 65535, 65536, 1_000_000])
    func framing(count: Int) {
        var buffer = EventBuffer(limit: 100)
        buffer.append([UInt8](repeating: 0x61, count: count))
        let expected =
            Array((String(count, radix: 16) + "\r\n").utf8) + [UInt8](repeating: 0x61, count: count) + [13, 10]
        let framed = Array(buffer.framed(chunked: true))
        let bare = buffer.framed(chunked: false).count
        buffer.reset()
        let empty = buffer.framed(chunked: true).count
        #expect(framed == expected)
        #expect(bare == count)
        #expect(empty == 0)
    }
}

@Suite struct TimerWheelTests {
    private func name(_ slot: Int) -> StreamName { StreamName(slot: Int32(slot), generation: 0) }

    @Test func collectsWhatIsDueAndNothingBefore() {
        let second: Nanoseconds = 1_000_000_000
        var now = 1000 * second
        var wheel = TimerWheel(span: 16 * second, now: now)
        #expect(wheel.due == .max)
        for slot in 0..<160 { wheel.add(name(slot), at: now + Nanoseconds(slot) * second / 10) }
        let start = now
        var seen = 0
        while now < start + 17 * second {
            now += second / 20
            for collected in wheel.collect(now: now) {
                let due = start + Nanoseconds(collected.slot) * second / 10
                #expect(due <= now && now - due < second / 2)
                seen += 1
            }
        }
        #expect(seen == 160)
        #expect(wheel.due == .max)
    }

    @Test func aLongSleepLosesNothing() {
        let second: Nanoseconds = 1_000_000_000
        var wheel = TimerWheel(span: 2 * second, now: 0)
        for slot in 0..<100 { wheel.add(name(slot), at: Nanoseconds(slot) * second / 50) }
        #expect(wheel.collect(now: 5000 * second).count == 100)
        wheel.add(name(1), at: 5001 * second)
        #expect(wheel.collect(now: 5000 * second + 10).isEmpty)
        #expect(wheel.due > 5000 * second && wheel.due <= 5002 * second)
        #expect(wheel.collect(now: 5002 * second).count == 1)
    }
}

@Suite struct RequestValueTests {
    @Test func aRequestByHand() {
        let request = HTTPRequest(method: "GET", target: "/a?b=c%26d", headers: [("Host", "x"), ("A", "1")], body: [1])
        #expect(request.path == "/a")
        #expect(request.target == "/a?b=c%26d")
        #expect(request.query.map(\.value) == ["c&d"])
        #expect(request.headers["host"] == "x")
        #expect(HTTPHeaders([("A", "1"), ("a", "2")]).all("A") == ["1", "2"])
        #expect(percentDecoded("a%2Fb+%4".utf8) == "a/b+%4")
    }
}
