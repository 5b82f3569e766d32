import ChatModel
import Crypto
import Formats
import HTTPClientPort

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

/// The plaintext of a push: a declarative push message (W3C Push API, `"web_push": 8030`).
///
/// A browser that knows the format shows it without a service worker; in others the worker reads the same members.
struct DeclarativePush {
    /// Bytes. Mobile bridges of some push services take less than RFC 8030's 4096 bytes.
    static let maximumLength = 2999
    /// Bytes of JSON that the body keeps while the link is shortened for it.
    private static let reservedBodyLength = 300
    /// Bytes of JSON of the event's cursor; a longer one is left out.
    private static let maximumEventLength = 64

    private let message: PushMessage
    private let alert: PushAlert
    private let page: PushPage?

    /// - Parameter page: where the chat page is; nil: the notification has no link.
    init(_ message: PushMessage, alert: PushAlert, page: PushPage?) {
        self.message = message
        self.alert = alert
        self.page = page
    }

    /// JSON of at most ``maximumLength`` bytes, whatever the message has.
    ///
    /// What is too long loses in this order: ids of the link (the message first), the body's end. Ids that no payload
    /// can hold are left out.
    var bytes: [UInt8] {
        for link in links {
            let room = Self.maximumLength - encode(body: "", link: link).count
            guard room >= min(alert.body.jsonLength, Self.reservedBodyLength) else { continue }
            return encode(body: alert.body.cut(toBytes: PushAlert.maximumBodyLength, jsonBytes: room), link: link)
        }
        // Bounded ids, title and keys leave more than the reserved bytes, so a body without a link has room.
        return encode(body: "", link: nil)
    }

    /// The tag of the notification: one notification for each thread. At the desk, several customers may use one
    /// thread id.
    private var tag: String {
        let id = [message.threadID, message.customerID].compactMap(\.self).joined(separator: " ")
        return PushMessage.bounded(id) ?? PushTopic.of(message)
    }

    /// The best first.
    private var links: [String?] {
        guard let page else { return [nil] }
        let channel = PushMessage.bounded(message.channelID).map { ("channel", $0) }
        let thread = PushMessage.bounded(message.threadID).map { ("thread", $0) }
        let customer = message.customerID.flatMap(PushMessage.bounded).map { ("customer", $0) }
        let message = PushMessage.bounded(message.messageID).map { ("message", $0) }
        // Without it the page would open the replies to the message.
        let place = message == nil ? nil : ("from", "none")
        return [
            page.link([channel, thread, customer, message, place].compactMap(\.self)),
            page.link([channel, thread, customer].compactMap(\.self)), page.link([]), nil,
        ]
    }

    private func encode(body: String, link: String?) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: Self.maximumLength)
        json.beginObject()
        json.member("web_push", 8030)
        json.name("notification")
        json.beginObject()
        json.member("title", alert.title)
        json.member("body", body)
        json.member("navigate", link)
        json.member("tag", tag)
        json.name("data")
        json.beginObject()
        json.member("threadId", PushMessage.bounded(message.threadID))
        json.member("messageId", PushMessage.bounded(message.messageID))
        json.member("channelId", PushMessage.bounded(message.channelID))
        json.member("cursor", message.event.jsonLength <= Self.maximumEventLength ? message.event : nil)
        json.endObject()
        json.endObject()
        json.endObject()
        return json.bytes
    }
}

/// Where the chat page of a registration is, as its browser sees it; a tap on a notification leads there.
package struct PushPage: Sendable, Hashable {
    /// Bytes.
    package static let maximumLength = 256

    /// An `http` or `https` URL without a query. Several slashes at its end become one; without a path it ends with
    /// one.
    package let url: String

    package init(_ text: String) throws(AddressRefusal) {
        let url = try TargetAddress(text, maximumLength: Self.maximumLength)
        guard !url.pathAndQuery.contains("?") else { throw AddressRefusal("The page's URL must not have a query.") }
        let end = url.url.lastIndex { $0 != "/" } ?? url.url.startIndex
        let trimmed = String(url.url[...end])
        let hasPath = trimmed.split(separator: "/", maxSplits: 3).count > 2
        self.url = trimmed == url.url && hasPath ? trimmed : trimmed + "/"
    }

    /// `<page>?name=value&...`
    func link(_ parameters: [(name: String, value: String)]) -> String {
        let query = parameters.map { "\($0.name)=\($0.value.percentEncoded)" }.joined(separator: "&")
        return query.isEmpty ? url : "\(url)?\(query)"
    }
}

/// Message encryption for Web Push (RFC 8291): only the browser that subscribed can read a push.
struct WebPushEncryption: Sendable {
    /// Bytes of a whole body that each push service takes (RFC 8030, section 7.2).
    static let maximumBodyLength = 4096
    /// Bytes of plaintext that such a body holds: without header (86), delimiter (1) and tag (16).
    static let maximumPlaintextLength = 3993

    /// What must be fresh for each message.
    struct Material: Sendable {
        let ephemeralKey: P256.KeyAgreement.PrivateKey
        /// 16 bytes.
        let salt: [UInt8]

        /// From the system's random numbers.
        static func fresh() -> Material {
            Material(
                ephemeralKey: P256.KeyAgreement.PrivateKey(),
                salt: SymmetricKey(size: .bits128).withUnsafeBytes { Array($0) })
        }
    }

    private let makeMaterial: @Sendable () -> Material

    /// - Parameter makeMaterial: called once for each message; it must never give the same twice.
    init(makeMaterial: @escaping @Sendable () -> Material = Material.fresh) {
        self.makeMaterial = makeMaterial
    }

    /// The body of a push. Throws for a plaintext above ``maximumPlaintextLength``.
    func body(_ plaintext: [UInt8], for subscription: PushSubscription) throws -> [UInt8] {
        guard plaintext.count <= Self.maximumPlaintextLength else { throw AES128GCMEncoding.TooLong() }
        let material = makeMaterial()
        return try AES128GCMEncoding.encode(
            plaintext, key: Self.inputKey(material.ephemeralKey, subscription), salt: material.salt,
            keyID: Array(material.ephemeralKey.publicKey.x963Representation))
    }

    /// The input keying material (RFC 8291, section 3.4): 32 bytes.
    static func inputKey(
        _ ephemeralKey: P256.KeyAgreement.PrivateKey, _ subscription: PushSubscription
    ) throws -> SymmetricKey {
        let receiver = try P256.KeyAgreement.PublicKey(x963Representation: subscription.publicKey)
        let secret = try ephemeralKey.sharedSecretFromKeyAgreement(with: receiver)
        return secret.hkdfDerivedSymmetricKey(
            using: SHA256.self, salt: subscription.authenticationSecret,
            sharedInfo: keyInfo(receiver: receiver, sender: ephemeralKey.publicKey), outputByteCount: 32)
    }

    /// What ties the keying material to both sides: 144 bytes.
    static func keyInfo(receiver: P256.KeyAgreement.PublicKey, sender: P256.KeyAgreement.PublicKey) -> [UInt8] {
        Array("WebPush: info\u{0}".utf8) + receiver.x963Representation + sender.x963Representation
    }
}

/// The content encoding `aes128gcm` (RFC 8188), as far as pushes need it: one record.
enum AES128GCMEncoding {
    /// The record size that the header names: 4096 bytes, tag and delimiter included.
    static let recordSize = 4096
    /// Bytes beside the plaintext in a record: a delimiter and the tag of AES-GCM.
    private static let recordOverhead = 17

    /// The plaintext was too long for one record.
    struct TooLong: Error {}

    /// Salt, record size and key id, then the record. Only the last record ends with the delimiter 2, and this is the
    /// last.
    ///
    /// - Parameters:
    ///   - key: the input keying material.
    ///   - salt: 16 bytes that no other message with this key has.
    ///   - keyID: at most 255 bytes.
    static func encode(
        _ plaintext: [UInt8], key: SymmetricKey, salt: [UInt8], keyID: [UInt8]
    ) throws -> [UInt8] {
        guard plaintext.count <= recordSize - recordOverhead, let keyIDLength = UInt8(exactly: keyID.count) else {
            throw TooLong()
        }
        let keys = RecordKeys(key: key, salt: salt)
        let record = try AES.GCM.seal(plaintext + [2], using: keys.key, nonce: AES.GCM.Nonce(data: keys.nonce))
        let size = UInt32(recordSize).bigEndian
        return salt + withUnsafeBytes(of: size) { Array($0) } + [keyIDLength] + keyID + record.ciphertext + record.tag
    }

    /// What a record is sealed with. The first record's number is 0, so the nonce is used as it is derived.
    struct RecordKeys {
        /// 16 bytes.
        let key: SymmetricKey
        /// 12 bytes.
        let nonce: [UInt8]

        init(key: SymmetricKey, salt: [UInt8]) {
            func derive(_ name: String, _ count: Int) -> SymmetricKey {
                HKDF<SHA256>.deriveKey(
                    inputKeyMaterial: key, salt: salt, info: Self.info(name), outputByteCount: count)
            }
            self.key = derive("aes128gcm", 16)
            nonce = derive("nonce", 12).withUnsafeBytes { Array($0) }
        }

        static func info(_ name: String) -> [UInt8] { Array("Content-Encoding: \(name)\u{0}".utf8) }
    }
}
