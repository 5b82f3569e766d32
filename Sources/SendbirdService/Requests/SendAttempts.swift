import Bounds
import Chat
import Synchronization

/// When the last attempt to send each message ended. The platform may still be at an attempt whose answer was lost: what
/// it says of the message before that time is over is not the last word.
///
/// It outlives the connections. If the time began anew with each, connections that end early would never learn what
/// became of a message.
final class SendAttempts: Sendable {
    private struct Message: Hashable {
        var account: Int64
        var id: String
    }
    private let times = Mutex(RecentlyUsed<Message, Duration>(limit: 5000))
    private let places = Mutex(RecentlyUsed<Message, Int64>(limit: 1000))
    private let clock: any Clock<Duration>
    private let elapsed: @Sendable () -> Duration

    /// How long the platform may still be at an attempt.
    static let settling = Duration.seconds(10)

    init(clock: any Clock<Duration>) {
        self.clock = clock
        elapsed = clock.stopwatch()
    }

    /// An attempt is over.
    func ended(_ id: String, of account: Int64) {
        let now = elapsed()
        times.withLock { $0[Message(account: account, id: id)] = now }
    }

    /// Up to when a message was looked for in vain, in the platform's milliseconds, where there were too many to look at
    /// all of them: the next question goes on there. Nil for a new question.
    func place(_ id: String, of account: Int64) -> Int64? {
        places.withLock { $0[Message(account: account, id: id)] }
    }

    func setPlace(_ place: Int64?, _ id: String, of account: Int64) {
        places.withLock { $0[Message(account: account, id: id)] = place }
    }

    /// Waits until the platform can be at the last attempt no longer; nil: that is so already. Of attempts before this
    /// process it is known only that they ended before it began.
    func alarm(_ id: String, of account: Int64) -> (@Sendable () async throws -> Void)? {
        let last = times.withLock { $0[Message(account: account, id: id)] } ?? .zero
        let rest = last + Self.settling - elapsed()
        return rest > .zero ? clock.alarm(in: rest) : nil
    }
}
