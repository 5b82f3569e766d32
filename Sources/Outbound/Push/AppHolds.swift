import ChatModel
import Formats
import Synchronization

/// The apps whose pushes wait, for what the gateway knows of them is wrong: the key, the account, the address. Their
/// devices stay. One push is tried every 15 minutes; the wait ends when the push service accepts one.
final class AppHolds: Sendable {
    static let pause = Duration.minutes(15)

    /// By the apps' fingerprints: until when nobody tries.
    private let waits = Mutex<[String: RetryWait]>([:])
    /// What was said of apps that are not held, so that it is said once. Bounded: an app is configured, and only two of
    /// its service's words are said.
    private let said = Mutex<Set<[String]>>([])

    /// How long pushes for the app still have to wait; nil: they may go out. After the wait nil is returned once, and
    /// the others wait for what comes of this one.
    func wait(for app: String, now: Timestamp) -> Duration? {
        waits.withLock { waits in
            guard let wait = waits[app] else { return nil }
            let remaining = wait.remaining(at: now)
            if remaining > .zero { return remaining }
            waits[app] = RetryWait(startedAt: now, delay: Self.pause)
            return nil
        }
    }

    /// Returns whether pushes for the app went out before.
    func hold(_ app: String, now: Timestamp) -> Bool {
        waits.withLock { $0.updateValue(RetryWait(startedAt: now, delay: Self.pause), forKey: app) == nil }
    }

    /// Lets the app's pushes go on. Returns whether they were held until now.
    func release(_ app: String) -> Bool { waits.withLock { $0.removeValue(forKey: app) != nil } }

    /// Returns whether this is said of the app for the first time.
    func isNews(_ sentence: String, of app: String) -> Bool { said.withLock { $0.insert([app, sentence]).inserted } }
}
