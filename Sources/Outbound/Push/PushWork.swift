import ChatModel
import ChatStore

/// What becomes of a push that was due.
enum PushWork: Sendable {
    case ended
    /// - Parameter heldBy: the session that is followed, and for whose stream's end it waits.
    case again(Duration, heldBy: String?)
}

/// What an answer of a push service leads to.
struct PushPlan: Sendable, Equatable {
    var end: DeliveryResult.End
    /// Why the device takes nothing any more; nil where it does.
    var closing: String?
    /// How often the service has refused who sends, in a row.
    var refusals: Int

    /// - Parameters:
    ///   - wait: until the next attempt; nil where the message is too old by then.
    ///   - refusals: before this answer.
    init(_ outcome: WebPushOutcome, wait: RetryWait?, refusals: Int) {
        self.refusals = outcome.authorizationFailures(after: refusals)
        switch outcome {
        case .delivered: end = .delivered
        case .gone: (end, closing) = (.dead(reason: "gone"), "gone")
        case .dead: end = .dead(reason: "rejected")
        case .deadAuthorization:
            end = .dead(reason: "refused")
            if self.refusals >= WebPushOutcome.refusalLimit { closing = "refused" }
        case .retry: end = wait.map { .refused(nextAt: $0.nextAt) } ?? .dead(reason: "expired")
        }
    }
}
