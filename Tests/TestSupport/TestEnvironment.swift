import ChatModel
import ChatStore
import Formats
import Synchronization

/// A time that stands still until it is moved, counted ids, and numbers that look random and are the same in every run.
public final class TestEnvironment: Sendable {
    /// 2026-03-02T09:15:04.512Z
    public static let start = Timestamp(milliseconds: 1_772_442_904_512)

    private struct State {
        var now = TestEnvironment.start
        var ids = 0
        var seed: UInt64 = 88_172_645_463_325_252
    }
    private let state = Mutex(State())

    public init() {}

    public var now: Timestamp {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    public func advance(milliseconds: Int64) {
        state.withLock { $0.now = $0.now.advanced(byMilliseconds: milliseconds) }
    }

    public var environment: ModelEnvironment {
        ModelEnvironment(
            now: { self.now },
            makeID: {
                self.state.withLock { state in
                    state.ids += 1
                    return "id-\(state.ids)"
                }
            },
            random: {
                self.state.withLock { state in
                    state.seed ^= state.seed << 13
                    state.seed ^= state.seed >> 7
                    state.seed ^= state.seed << 17
                    return Double(state.seed >> 11) / Double(1 << 53)
                }
            },
            timeZone: { ZoneFolder.system.rules($0) })
    }
}

/// A generator whose numbers are the same in every run.
public struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    /// SplitMix64.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
