import ChatModel
import Formats

/// An answer of APNs: its status, and what its body says (`{"reason":"...","timestamp":...}`).
package struct APNsAnswer: Sendable, Hashable {
    package let status: Int
    /// Apple's word for what went wrong; nil when the body names none, or something that is no such word.
    package let reason: String?
    /// Since when the device's token is no longer valid; with 410 alone.
    package let timestamp: Timestamp?

    /// - Parameter body: as much of it as was read. A body that is no JSON has no reason.
    package init(status: Int, body: [UInt8]) {
        self.status = status
        let json = try? JSONParser.parse(body)
        reason = json?["reason"]?.string.flatMap { reason in
            (1...64).contains(reason.utf8.count) && reason.utf8.allSatisfy(\.isAlphanumeric) ? reason : nil
        }
        timestamp = json?["timestamp"]?.integer.map(Timestamp.init(milliseconds:))
    }
}

extension APNsAnswer {
    /// What it means for a delivery, its device and its app; nil: the provider token is too old, and another one is to be
    /// tried (``APNsProviderTokens/renewed(afterExpiryOf:now:)``).
    ///
    /// - Parameter registeredAt: when the device gave its token the last time.
    func outcome(registeredAt: Timestamp) -> AttemptOutcome? {
        switch (status, reason) {
        case (200..<300, _): .delivered
        case (410, "Unregistered"), (410, "ExpiredToken"):
            // A token that was registered again since then is valid again.
            timestamp.map { $0 > registeredAt } == true ? .gone : .targetFailed
        case (_, "ExpiredProviderToken"): nil
        case (_, let reason?): Self.outcomes[reason] ?? usualOutcome
        // A relay may limit without Apple's words.
        case (429, nil): .targetFailed
        // And may refuse who sends without them.
        case (403, nil): .held
        case (_, nil): usualOutcome
        }
    }

    /// For a reason that Apple's table does not have, and for none.
    private var usualOutcome: AttemptOutcome { status >= 500 ? .targetFailed : .eventRefused }

    /// Apple's table, without the reasons above. The status adds nothing to a reason. A device whose token and app do
    /// not belong together is kept: a wrong topic must not erase all devices.
    private static let outcomes: [String: AttemptOutcome] = [
        "BadDeviceToken": .refused, "DeviceTokenNotForTopic": .refused,

        "BadCollapseId": .eventRefused, "BadExpirationDate": .eventRefused, "BadMessageId": .eventRefused,
        "BadPriority": .eventRefused, "BadTopic": .eventRefused, "DuplicateHeaders": .eventRefused,
        "InvalidPushType": .eventRefused, "MissingDeviceToken": .eventRefused, "MissingTopic": .eventRefused,
        "PayloadEmpty": .eventRefused, "BadPath": .eventRefused, "MethodNotAllowed": .eventRefused,
        "PayloadTooLarge": .eventRefused,

        "TopicDisallowed": .held, "InvalidProviderToken": .held, "MissingProviderToken": .held,
        "UnrelatedKeyIdInToken": .held, "BadEnvironmentKeyIdInToken": .held, "BadEnvironmentKeyInToken": .held,
        "BadCertificate": .held, "BadCertificateEnvironment": .held, "Forbidden": .held,

        "TooManyRequests": .targetFailed, "TooManyProviderTokenUpdates": .targetFailed, "IdleTimeout": .targetFailed,
        "InternalServerError": .targetFailed, "ServiceUnavailable": .targetFailed, "Shutdown": .targetFailed,
    ]
}
