import Chat
import ChatModel
import ChatStore

/// For whom a push waits that is looked at again sooner when they are done.
enum PushHolder: Sendable, Hashable {
    /// A session that is followed: until its streams have ended.
    case session(String)
    /// An app that is held: until a push to another of its devices went through.
    case app(String)
}

/// What becomes of a push that was due.
enum PushWork: Sendable {
    case ended
    case again(Duration, heldBy: PushHolder?)
}

/// What an answer of a push service leads to.
struct PushPlan: Sendable, Equatable {
    /// Why a device takes nothing any more.
    enum Closing: String, Sendable {
        case gone, refused
    }

    var end: DeliveryResult.End
    /// Nil where the device takes pushes.
    var closing: Closing?
    /// How often the service has refused who sends, in a row.
    var refusals: Int

    /// After so many ``PushOutcome/deadAuthorization`` in a row the device is refused.
    static let refusalLimit = 3

    /// - Parameters:
    ///   - wait: until the next attempt; nil where the message is too old by then.
    ///   - refusals: before this answer.
    init(_ outcome: PushOutcome, wait: RetryWait?, refusals: Int) {
        self.refusals =
            switch outcome {
            case .deadAuthorization: min(refusals, Self.refusalLimit) + 1
            case .delivered: 0
            // They say nothing of who sends.
            case .gone, .refused, .dead, .held, .deviceHeld, .retry: refusals
            }
        switch outcome {
        case .delivered: end = .delivered
        case .gone: (end, closing) = (.dead(reason: "gone"), .gone)
        case .refused: (end, closing) = (.dead(reason: "refused"), .refused)
        case .dead: end = .dead(reason: "rejected")
        case .deadAuthorization:
            end = .dead(reason: "refused")
            if self.refusals >= Self.refusalLimit { closing = .refused }
        case .held, .deviceHeld, .retry: end = wait.map { .refused(nextAt: $0.nextAt) } ?? .dead(reason: "expired")
        }
    }
}

extension DeliveryOutcome {
    init(_ outcome: PushOutcome) {
        self =
            switch outcome {
            case .delivered: .delivered
            case .gone, .refused, .dead, .deadAuthorization: .refused
            case .held, .deviceHeld, .retry: .failed
            }
    }
}
