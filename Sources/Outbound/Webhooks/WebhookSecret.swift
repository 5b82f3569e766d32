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
