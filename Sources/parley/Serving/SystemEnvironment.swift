import ChatModel
import ChatStore
import Formats
import Glibc

extension ModelEnvironment {
    /// This machine's clock, UUIDs, random numbers and time zones. Only the executable uses it; everything else gets its
    /// environment handed in, so that tests control it.
    static let system = ModelEnvironment(
        now: { now() },
        makeID: { uuid(at: now()) },
        random: { Double.random(in: 0..<1) },
        timeZone: { ZoneFolder.system.rules($0) })

    private static func now() -> Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
    }

    /// A UUID of version 7 in lower case (RFC 9562, 5.7): a time in milliseconds, then 74 random bits.
    ///
    /// Ids of about the same time stand beside each other in the indexes of ids. So a new row changes a page that is
    /// in memory already, however many rows there are. Who shortens an id keeps its end: ids of one minute begin alike.
    static func uuid(at time: Timestamp) -> String {
        var generator = SystemRandomNumberGenerator()
        let milliseconds = UInt64(truncatingIfNeeded: time.milliseconds)
        let words = [
            milliseconds << 16 | 0x7000 | generator.next() & 0x0FFF as UInt64,
            generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000 as UInt64,
        ]
        return String(unsafeUninitializedCapacity: 36) { text in
            var place = 0
            for digit in 0..<32 {
                if digit % 4 == 0, (8...20).contains(digit) {
                    text[place] = UInt8(ascii: "-")
                    place += 1
                }
                let value = UInt8(truncatingIfNeeded: words[digit / 16] >> (60 - 4 * (digit % 16))) & 0xF
                text[place] = value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
                place += 1
            }
            return place
        }
    }
}
