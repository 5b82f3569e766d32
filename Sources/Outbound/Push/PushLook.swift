import Chat
import ChatModel
import Formats

/// What is to be done with a push at the moment at which it is due.
enum PushLook: Sendable, Equatable {
    case send
    /// It is looked at again after this time, or as soon as one of the session's streams ends.
    case again(after: Duration)
    /// It is not needed any more.
    case drop(Reason)

    enum Reason: String, Sendable, CaseIterable {
        /// The message was removed.
        case removed
        /// The account has read it, by whatever session.
        case read
        /// The session's screen shows the thread.
        case shown
        /// Somebody follows the session, and was told of the message there.
        case present
        /// The message is too old to be worth a push.
        case expired
    }

    /// How long after its message a push is looked at first: who reads on another device needs some seconds.
    static let delay = Duration.seconds(3)
    /// How long nothing is pushed after a start: clients come back first, and say again what they show.
    static let quietTime = Duration.seconds(30)
    /// How long until one for a session that is followed is looked at again.
    static let pause = Duration.seconds(15)
    /// Who has followed the session for so long has seen what there is.
    static let patience = Duration.seconds(10 * 60)
}

/// What a decision about a push depends on.
struct PushSituation: Sendable {
    var now: Timestamp
    /// How long the gateway runs: screens that were named before its start are forgotten.
    var uptime: Duration
    /// When the push was made.
    var takenAt: Timestamp
    /// When the message was written; nil where it was removed.
    var writtenAt: Timestamp?
    var isRead = false
    var thread: String
    var presence: Presence

    var look: PushLook {
        guard let writtenAt else { return .drop(.removed) }
        if isRead { return .drop(.read) }
        if writtenAt.advanced(by: RetrySchedule.timeToLive) <= now { return .drop(.expired) }
        if uptime < PushLook.quietTime { return .again(after: PushLook.quietTime - uptime) }
        guard presence.isPresent else { return .send }
        if presence.threads.contains(thread) { return .drop(.shown) }
        if takenAt.advanced(by: PushLook.patience) <= now { return .drop(.present) }
        return .again(after: PushLook.pause)
    }
}
