import ChatModel
import Formats
import Foundation

extension ModelEnvironment {
    /// The real thing: this machine's clock and randomness. Everything below the executable has it handed in.
    static let system = ModelEnvironment(
        now: {
            var time = timespec()
            clock_gettime(CLOCK_REALTIME, &time)
            return Timestamp(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        },
        makeID: { UUID().uuidString.lowercased() },
        random: { Double.random(in: 0..<1) })
}
