import ChatModel
import Formats

/// What an answer of APNs means for a delivery, its device and its app.
package enum APNsOutcome: Sendable, Hashable {
    /// APNs took it. Whether it was shown is never told.
    case delivered
    /// The app is no longer on the device: the device's token is erased.
    case gone
    /// The device's token and the app do not belong together: the device is kept, and gets nothing until it registers
    /// again or the app's configuration changes. A wrong topic must not erase all devices.
    case refused
    /// This push can never be delivered; the device stays.
    case dead
    /// The app's key or configuration is wrong: all its deliveries wait, its devices stay.
    case holdApp
    /// The provider token is too old: once again with a new one (``APNsProviderTokens/renewed(afterExpiryOf:now:)``).
    case newTokenAndRetry
    case retry

    /// - Parameters:
    ///   - answer: nil when none came.
    ///   - registeredAt: when the device gave its token the last time.
    package init(_ answer: APNsAnswer?, registeredAt: Timestamp) {
        guard let answer else {
            self = .retry
            return
        }
        switch (answer.status, answer.reason) {
        case (200..<300, _): self = .delivered
        case (410, "Unregistered"), (410, "ExpiredToken"):
            // A token that was registered again since then is valid again.
            self = answer.timestamp.map { $0 > registeredAt } == true ? .gone : .retry
        case (_, let reason?):
            self = Self.outcomes[reason] ?? Self.outcome(status: answer.status)
        // A relay may limit without Apple's words.
        case (429, nil): self = .retry
        // And may refuse who sends without them.
        case (403, nil): self = .holdApp
        case (_, nil): self = Self.outcome(status: answer.status)
        }
    }

    /// For a reason that Apple's table does not have, and for none.
    private static func outcome(status: Int) -> APNsOutcome { status >= 500 ? .retry : .dead }

    /// Apple's table, without the two reasons of 410. The status adds nothing to a reason.
    static let outcomes: [String: APNsOutcome] = [
        "BadDeviceToken": .refused, "DeviceTokenNotForTopic": .refused,

        "BadCollapseId": .dead, "BadExpirationDate": .dead, "BadMessageId": .dead, "BadPriority": .dead,
        "BadTopic": .dead, "DuplicateHeaders": .dead, "InvalidPushType": .dead, "MissingDeviceToken": .dead,
        "MissingTopic": .dead, "PayloadEmpty": .dead, "BadPath": .dead, "MethodNotAllowed": .dead,
        "PayloadTooLarge": .dead,

        "TopicDisallowed": .holdApp, "InvalidProviderToken": .holdApp, "MissingProviderToken": .holdApp,
        "UnrelatedKeyIdInToken": .holdApp, "BadEnvironmentKeyIdInToken": .holdApp, "BadEnvironmentKeyInToken": .holdApp,
        "BadCertificate": .holdApp, "BadCertificateEnvironment": .holdApp, "Forbidden": .holdApp,

        "ExpiredProviderToken": .newTokenAndRetry,

        "TooManyRequests": .retry, "TooManyProviderTokenUpdates": .retry, "IdleTimeout": .retry,
        "InternalServerError": .retry, "ServiceUnavailable": .retry, "Shutdown": .retry,
    ]
}
