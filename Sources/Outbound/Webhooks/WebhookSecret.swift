import ChatModel
import Crypto
import Formats
import Foundation

/// The key by which a receiver knows that a request comes from this gateway.
///
/// Nothing of it is stored: it is derived from the folder's key, the webhook's id and a generation, which a rotation
/// raises by one.
package struct WebhookSecret: Sendable {
    private let key: SymmetricKey
    /// Where each signature begins: the key is worked in already.
    let code: HMAC<SHA256>

    /// - Parameter folderKey: `DIR/key`, at least 32 bytes.
    package init(folderKey: [UInt8], webhook id: String, generation: Int64) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("webhook:\(id):\(generation)".utf8), using: SymmetricKey(data: folderKey))
        self.init(SymmetricKey(data: code))
    }

    private init(_ key: SymmetricKey) {
        self.key = key
        code = HMAC(key: key)
    }

    /// Reads `whsec_` and the base64 of 24 to 64 bytes, as Standard Webhooks writes keys.
    init?(text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            (24...64).contains(bytes.count)
        else { return nil }
        self.init(SymmetricKey(data: bytes))
    }

    /// What the owner of the webhook is given. It goes into no log and no other answer.
    package var text: String { Self.prefix + key.withUnsafeBytes { Data($0).base64EncodedString() } }

    private static let prefix = "whsec_"
}

extension WebhookSecret: CustomStringConvertible {
    package var description: String { "a webhook's secret" }
}

/// The secrets of a webhook: the newest, and for a while after a rotation the one before.
package struct WebhookSecrets: Sendable {
    private let newest: WebhookSecret
    private let previous: WebhookSecret?
    private let previousUntil: Timestamp

    /// - Parameter previousUntil: until when the key before the last rotation is valid; nil for no longer.
    package init(folderKey: [UInt8], webhook id: String, generation: Int64, previousUntil: Timestamp?) {
        newest = WebhookSecret(folderKey: folderKey, webhook: id, generation: generation)
        previous =
            previousUntil != nil && generation > 1
            ? WebhookSecret(folderKey: folderKey, webhook: id, generation: generation - 1) : nil
        self.previousUntil = previousUntil ?? Timestamp(milliseconds: 0)
    }

    /// Those that are valid at a time, the newest first.
    package func valid(at now: Timestamp) -> [WebhookSecret] {
        guard let previous, now < previousUntil else { return [newest] }
        return [newest, previous]
    }
}

/// The signature of a request, as Standard Webhooks 1.0.0 has it: HMAC-SHA256 (`v1`) over `<id>.<seconds>.<body>`.
package enum WebhookSignature {
    /// The headers of one attempt: `webhook-id`, `webhook-timestamp`, `webhook-signature`.
    ///
    /// - Parameters:
    ///   - id: of the event, the same in every attempt. It has no dot.
    ///   - time: of this attempt. Receivers refuse what is older than five minutes.
    ///   - body: exactly the bytes that are sent.
    ///   - secrets: each signs, in this order.
    package static func headers(
        id: String, time: Timestamp, body: [UInt8], secrets: [WebhookSecret]
    ) -> [(name: String, value: String)] {
        // Seconds since 1970, rounded down.
        let seconds = (time.milliseconds - (time.milliseconds % 1000 + 1000) % 1000) / 1000
        let signatures = secrets.map { secret in
            var code = secret.code
            code.update(data: Array("\(id).\(seconds).".utf8))
            code.update(data: body)
            return "v1," + Data(code.finalize()).base64EncodedString()
        }
        return [
            ("webhook-id", id), ("webhook-timestamp", "\(seconds)"),
            ("webhook-signature", signatures.joined(separator: " ")),
        ]
    }
}

/// What is sent to a webhook: `{"type","timestamp","data"}` in canonical JSON.
package enum WebhookBody {
    /// The body of an event of the log.
    ///
    /// - Parameters:
    ///   - time: of the event in the log.
    ///   - data: one JSON object, as streams of the same audience carry it. It is copied byte for byte.
    package static func event(_ type: EventType, at time: Timestamp, data: some Collection<UInt8>) -> [UInt8] {
        body(type.rawValue, at: time, capacity: data.count) { $0.raw(data) }
    }

    /// The body of `webhook.test`, which the owner of a webhook asks for.
    package static func test(webhook id: String, at time: Timestamp) -> [UInt8] {
        body("webhook.test", at: time) { json in
            json.beginObject()
            json.member("webhookId", id)
            json.endObject()
        }
    }

    /// The body of `reset`: events were deleted from the log before they could be sent, or a database has lost events
    /// that may have been sent.
    ///
    /// - Parameters:
    ///   - from: the last event before the gap.
    ///   - to: the end of the gap. No event between the two exists any more.
    ///   - snapshot: the path at which the state can be read anew.
    package static func reset(from: Cursor, to: Cursor, snapshot: String, at time: Timestamp) -> [UInt8] {
        body("reset", at: time) { json in
            json.beginObject()
            json.member("reason", "expired")
            json.member("from", from.description)
            json.member("to", to.description)
            json.member("snapshot", snapshot)
            json.endObject()
        }
    }

    private static func body(
        _ type: String, at time: Timestamp, capacity: Int = 256, data: (inout JSONWriter) -> Void
    ) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: capacity + 96)
        json.beginObject()
        json.member("type", type)
        json.member("timestamp", time)
        json.name("data")
        data(&json)
        json.endObject()
        return json.bytes
    }
}
