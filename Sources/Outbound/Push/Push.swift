import ChatModel
import ChatStore

/// One push as its sender gets it.
package struct Push: Sendable {
    /// Names the push among those of its device, the same in each attempt.
    var id: String
    var message: PushMessage
    /// How many messages the account has not read; nil: nobody has counted.
    var badge: Int?

    /// The push as it is for an app that knows the channel by another id.
    func known(in channel: String?) -> Push {
        guard let channel else { return self }
        var push = self
        push.message.channelID = channel
        return push
    }
}

/// What came of sending one push.
struct PushReport: Sendable {
    var outcome: PushOutcome
    var attempt: AttemptRecord
    /// How long the service asked to wait.
    var retryAfter: Duration?
    /// The app that the device has (``ConfiguredApp/fingerprint``); nil for a browser.
    var app: String?

    /// The app that takes pushes, as this one shows.
    var openApp: String? { [.delivered, .gone, .refused].contains(outcome) ? app : nil }
}

/// What the answer of a push service means for a push and its device.
enum PushOutcome: Sendable, Hashable {
    /// The service took it. Whether it was shown is never told.
    case delivered
    /// The service does not know the device any more: what names it is erased.
    case gone
    /// The device takes nothing until it registers again.
    case refused
    /// This push can never be delivered; the device stays.
    case dead
    /// The same, because the service refuses the sender: its token, its key or its contact. See
    /// ``PushPlan/refusalLimit``.
    case deadAuthorization
    /// What the gateway knows of the device's app is wrong: all pushes for the app wait, see ``AppHolds``.
    case held
    /// The app's push service cannot reach the device's system until its operator changes something there: this push
    /// waits as long, and those of other devices go on.
    case deviceHeld
    case retry
}
