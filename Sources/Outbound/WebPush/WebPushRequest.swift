import ChatModel
import Formats

/// The name under which a push service keeps one undelivered message of a thread: the next one replaces it (RFC 8030,
/// section 5.4).
enum PushTopic {
    /// 32 hexadecimal digits. The RFC allows base64url's alphabet, but services have refused a part of it.
    ///
    /// - Parameter customer: whose thread it is, where its id alone does not say which.
    static func of(channel: String, thread: String, customer: String? = nil) -> String {
        Hexadecimal.digest([channel, thread, customer].compactMap(\.self).joined(separator: "\u{0}"))
    }

    static func of(_ message: PushMessage) -> String {
        of(channel: message.channelID, thread: message.threadID, customer: message.customerID)
    }
}

/// One push as it goes to a push service (RFC 8030): a POST.
package struct WebPushRequest: Sendable {
    /// RFC 8030, section 5.3.
    package enum Urgency: String, Sendable, CaseIterable {
        case veryLow = "very-low"
        case low, normal, high
    }

    /// Seconds for which a push service keeps a push: a day.
    package static let defaultTTL = 86_400
    /// Services keep nothing longer: 28 days.
    package static let maximumTTL = 28 * 86_400

    /// The endpoint: a secret.
    package let url: String
    /// `Authorization` is among them: a secret.
    package let headers: [(name: String, value: String)]
    /// At most ``WebPushEncryption/maximumBodyLength`` bytes.
    package let body: [UInt8]

    /// Encrypts and signs. Throws when swift-crypto does.
    ///
    /// - Parameter ttl: seconds, made 0 to ``maximumTTL``.
    package init(
        _ message: PushMessage, alert: PushAlert, page: PushPage?, to subscription: PushSubscription,
        ttl: Int = defaultTTL, urgency: Urgency = .high, tokens: VAPIDTokens, now: Timestamp
    ) throws {
        try self.init(
            plaintext: DeclarativePush(message, alert: alert, page: page).bytes,
            topic: PushTopic.of(message), to: subscription, ttl: ttl,
            urgency: urgency, tokens: tokens, encryption: WebPushEncryption(), now: now)
    }

    init(
        plaintext: [UInt8], topic: String, to subscription: PushSubscription, ttl: Int, urgency: Urgency,
        tokens: VAPIDTokens, encryption: WebPushEncryption, now: Timestamp
    ) throws {
        url = subscription.endpoint.url
        body = try encryption.body(plaintext, for: subscription)
        headers = [
            ("TTL", String(min(max(ttl, 0), Self.maximumTTL))), ("Urgency", urgency.rawValue), ("Topic", topic),
            ("Content-Encoding", "aes128gcm"), ("Content-Type", "application/octet-stream"),
            ("Authorization", try tokens.authorization(origin: subscription.endpoint.origin, now: now)),
        ]
    }
}

extension AttemptOutcome {
    /// - Parameter status: of a push service's answer (RFC 8030).
    init(webPushStatus status: Int) {
        self =
            switch status {
            case 200..<300: .delivered
            // RFC 8030 says 404, the big services say 410.
            case 404, 410: .gone
            case 401, 403: .deadAuthorization
            // 406 is the answer of Windows' service to too many pushes. 408 is no answer, said by a proxy.
            case 406, 408, 429, 500...: .targetFailed
            // 400 and 413: a defect of this gateway. Redirects are not followed; none of the rest is better the next
            // time.
            default: .eventRefused
            }
    }
}
