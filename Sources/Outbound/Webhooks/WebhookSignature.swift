import ChatModel
import Crypto
import Formats
import Foundation

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
