import ChatModel
import Crypto
import Formats
import Foundation

/// The key by which a receiver knows that a request comes from this gateway.
///
/// Nothing of it is stored: it is derived from the folder's key, the webhook's id and a generation, which a rotation
/// raises by one.
package struct WebhookSecret: Sendable {
    let key: SymmetricKey

    /// - Parameter folderKey: `DIR/key`, at least 32 bytes.
    package init(folderKey: [UInt8], webhook id: String, generation: Int64) {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("webhook:\(id):\(generation)".utf8), using: SymmetricKey(data: folderKey))
        key = SymmetricKey(data: code)
    }

    /// Reads `whsec_` and the base64 of 24 to 64 bytes, as Standard Webhooks writes keys.
    init?(text: String) {
        guard text.hasPrefix(Self.prefix), let bytes = Data(base64Encoded: String(text.dropFirst(Self.prefix.count))),
            (24...64).contains(bytes.count)
        else { return nil }
        key = SymmetricKey(data: bytes)
    }

    /// What the owner of the webhook is given. It goes into no log and no other answer.
    package var text: String { Self.prefix + key.withUnsafeBytes { Data($0).base64EncodedString() } }

    /// The keys that are valid now, the newest first.
    ///
    /// - Parameter previousUntil: until when the key before the last rotation is valid; nil for no longer.
    package static func valid(
        folderKey: [UInt8], webhook id: String, generation: Int64, previousUntil: Timestamp?, now: Timestamp
    ) -> [WebhookSecret] {
        let newest = WebhookSecret(folderKey: folderKey, webhook: id, generation: generation)
        guard let previousUntil, now < previousUntil, generation > 1 else { return [newest] }
        return [newest, WebhookSecret(folderKey: folderKey, webhook: id, generation: generation - 1)]
    }

    private static let prefix = "whsec_"
}

extension WebhookSecret: CustomStringConvertible {
    package var description: String { "a webhook's secret" }
}
