import ChatModel
import Formats

/// A wait that ends at a time of the wall clock, but never lasts longer than its delay.
///
/// The wall clock may be set while it lasts. Whoever sleeps for ``remaining(at:)`` on a clock that only goes forward is
/// done afterwards, whatever the wall clock says then.
package struct RetryWait: Sendable, Equatable {
    package let startedAt: Timestamp
    package let nextAt: Timestamp

    init(startedAt: Timestamp, delay: Duration) {
        self.startedAt = startedAt
        nextAt = startedAt.advanced(by: delay)
    }

    /// A wait that was stored.
    ///
    /// - Parameter startedAt: when the last attempt ended, or the delivery was made.
    package init(startedAt: Timestamp, nextAt: Timestamp) {
        self.startedAt = startedAt
        self.nextAt = nextAt
    }

    /// How long it still lasts: at most its delay; zero when it is over.
    ///
    /// A time before its start tells that the clock was set back. It is over then: nobody knows how long it has lasted.
    package func remaining(at now: Timestamp) -> Duration {
        guard now >= startedAt, now < nextAt else { return .zero }
        return .milliseconds(nextAt.milliseconds - now.milliseconds)
    }
}
