import ChatModel
import Formats
import Foundation

extension ModelEnvironment {
    /// This machine's clock, UUIDs and random numbers. Only the executable uses it; everything else gets its
    /// environment handed in, so that tests control it.
    static let system = ModelEnvironment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        },
        makeID: { UUID().uuidString.lowercased() },
        random: { Double.random(in: 0..<1) })
}
