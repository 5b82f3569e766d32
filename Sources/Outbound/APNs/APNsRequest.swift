import ChatModel
import Crypto
import Formats

/// One push as it goes to APNs: a POST over HTTP/2.
package struct APNsRequest: Sendable {
    /// Bytes of `apns-collapse-id`.
    static let maximumCollapseIDLength = 64

    /// It holds the device's token: a secret.
    package let url: String
    /// `authorization` is among them: a secret. Names in small letters, as HTTP/2 has them.
    package let headers: [(name: String, value: String)]
    /// At most ``APNsPayload/maximumLength`` bytes.
    package let body: [UInt8]

    /// - Parameters:
    ///   - providerToken: see ``APNsProviderTokens``.
    ///   - expiration: until when APNs keeps the push for a device that is away.
    ///   - id: see ``id(target:push:)``.
    package init(
        _ message: PushMessage, alert: PushAlert, badge: Int?, deepLink: DeepLinkTemplate?, to token: DeviceToken,
        of app: APNsApp, providerToken: String, expiration: Timestamp, id: String
    ) {
        url = "\(app.url)/3/device/\(token.text)"
        body = APNsPayload(message, alert: alert, badge: badge, deepLink: deepLink).bytes
        headers =
            [
                ("authorization", "bearer \(providerToken)"), ("content-type", "application/json"),
                ("apns-topic", app.topic),
            ] + Self.headers(message.messageID, expiration: expiration, id: id)
    }

    /// The headers that say how a push is delivered, whatever app it is for.
    static func headers(_ message: String, expiration: Timestamp, id: String) -> [(name: String, value: String)] {
        [
            ("apns-push-type", "alert"), ("apns-priority", "10"),
            ("apns-expiration", String(max(expiration.milliseconds / 1000, 0))),
            ("apns-collapse-id", collapseID(message: message)), ("apns-id", id),
        ]
    }

    /// A repetition of a push replaces what the device shows of it: the message's id, or 32 hexadecimal digits of its
    /// SHA-256 where it is too long for the header, or has a character that no header keeps.
    static func collapseID(message id: String) -> String {
        let isShort = (1...maximumCollapseIDLength).contains(id.utf8.count)
        let isPrintable = id.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        return isShort && isPrintable ? id : Hexadecimal.digest(id)
    }

    /// The push's `apns-id`: a UUID of version 8 (RFC 9562), the same in each attempt.
    ///
    /// - Parameters:
    ///   - target: the target's id.
    ///   - push: names the push among those of the target.
    package static func id(target: String, push: String) -> String {
        var bytes = Array(SHA256.hash(data: Array("\(target)\u{0}\(push)".utf8)).prefix(16))
        bytes[6] = bytes[6] & 0x0F | 0x80
        bytes[8] = bytes[8] & 0x3F | 0x80
        let parts = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10..<16]]
        return parts.map(Hexadecimal.encode).joined(separator: "-")
    }
}
