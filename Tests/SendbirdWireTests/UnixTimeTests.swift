import Formats
@testable import SendbirdWire
import Testing

/// Times in the unit that the platform tells them in, and in the other one.
@Suite struct UnixTimeTests {
    @Test(
        arguments: [
            (0, 0), (-1, -1), (1_761_000_000, 1_761_000_000_000), (1_761_000_000_123, 1_761_000_000_123),
            (99_999_999_999, 99_999_999_999_000), (100_000_000_000, 100_000_000_000), (100_000_000, 100_000_000_000),
            (99_999_999, 99_999_999), (Int64.max, Int64.max), (Int64.min, Int64.min),
        ] as [(Int64, Int64)])
    func secondsAreTakenForMilliseconds(_ number: Int64, _ read: Int64) {
        #expect(UnixMilliseconds(reading: number).value == read)
        #expect(UnixMilliseconds(reading: read).value == read, "read again")
    }

    @Test(
        arguments: [
            (0, 0), (-1, -1), (1_761_000_000, 1_761_000_000), (1_761_000_000_999, 1_761_000_000),
            (Int64.min, Int64.min),
        ] as [(Int64, Int64)])
    func millisecondsAreTakenForSeconds(_ number: Int64, _ read: Int64) {
        #expect(UnixSeconds(reading: number).value == read)
        #expect(UnixSeconds(reading: read).value == read, "read again")
    }

    @Test func timesAreOurs() {
        let time = Timestamp(milliseconds: 1_761_000_000_999)
        #expect(UnixMilliseconds(time).time == time && UnixMilliseconds(time).value == 1_761_000_000_999)
        #expect(UnixSeconds(time).value == 1_761_000_000)
        #expect(UnixSeconds(time).time == Timestamp(milliseconds: 1_761_000_000_000))
        #expect(UnixMilliseconds(0).time == nil && UnixMilliseconds(-1).time == nil)
        #expect(UnixSeconds(.max).time == .latest && UnixSeconds(.min).time == .earliest)
        #expect(UnixMilliseconds(.max).time == .latest)
    }
}
