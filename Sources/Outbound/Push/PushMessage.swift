import ChatModel
import ChatStore
import Formats

/// What a push tells of: one message of a thread. Ids and texts are the chat's own, of any length.
package struct PushMessage: Sendable, Hashable {
    package var channelID: String
    package var threadID: String
    package var messageID: String
    /// The cursor of the message's event.
    package var event: String
    /// Who wrote it.
    package var author: String
    /// What a notification shows of it: the message's words, or what stands for them.
    package var words: String
    /// Of its channel; nil: what is usual.
    package var settings: PushSettings?
    /// Whose thread it is, where the id of a thread alone does not say which: at the desk.
    package var customerID: String?

    package init(
        channelID: String, threadID: String, messageID: String, event: String, author: String, words: String,
        settings: PushSettings? = nil, customerID: String? = nil
    ) {
        self.channelID = channelID
        self.threadID = threadID
        self.messageID = messageID
        self.event = event
        self.author = author
        self.words = words
        self.settings = settings
        self.customerID = customerID
    }

    /// The link of the channel's pushes to apps.
    var deepLink: DeepLinkTemplate? { settings?.deeplink.flatMap(DeepLinkTemplate.init) }

    /// Bytes of an id in JSON above which a payload leaves it out: a cut id would be another id.
    static let maximumIDLength = 256

    /// The id, if there is one and a payload can hold it.
    static func bounded(_ id: String) -> String? { !id.isEmpty && id.jsonLength <= maximumIDLength ? id : nil }
}

/// One push as its sender gets it.
package struct Push: Sendable {
    /// Names the push among those of its device, the same in each attempt.
    var id: String
    var message: PushMessage
    /// How many messages the account has not read; nil: nobody has counted.
    var badge: Int?
    /// From this time on the message is too old to be worth a push; nil: never.
    var expiresAt: Timestamp?

    /// The push as it is for an app that knows the channel by another id.
    func known(in channel: String?) -> Push {
        guard let channel else { return self }
        var push = self
        push.message.channelID = channel
        return push
    }
}

/// The two texts of a notification, short enough for each payload.
package struct PushAlert: Sendable, Hashable {
    /// Bytes of UTF-8 that a title has at most.
    package static let maximumTitleLength = 128
    /// Bytes of UTF-8 that a body has at most.
    package static let maximumBodyLength = 600
    /// Bytes of a title in JSON, so that escapes leave room for the body.
    static let maximumTitleJSONLength = 256
    static let fixedTitle = "New message"
    static let fixedBody = "Open the chat to read it."

    package let title: String
    package let body: String

    /// Texts are cut at a character's end. A text that is empty, or of which not one character fits, becomes a fixed
    /// one.
    ///
    /// - Parameters:
    ///   - title: the channel's, for ``PushContent/none``; nil or empty: a fixed one.
    ///   - body: the channel's, for all but ``PushContent/full``; the same.
    package init(_ message: PushMessage, content: PushContent, title: String? = nil, body: String? = nil) {
        let wantedTitle = content == .none ? title ?? "" : message.author
        let wantedBody = content == .full ? message.words : body ?? ""
        let cutTitle = wantedTitle.cut(toBytes: Self.maximumTitleLength, jsonBytes: Self.maximumTitleJSONLength)
        let cutBody = wantedBody.cut(toBytes: Self.maximumBodyLength, jsonBytes: .max)
        self.title = cutTitle.isEmpty ? Self.fixedTitle : cutTitle
        self.body = cutBody.isEmpty ? Self.fixedBody : cutBody
    }

    /// The texts that the message's channel wants for a kind of devices.
    ///
    /// A channel that says nothing about it gets all for Web Push, which is encrypted, and nothing of the message for
    /// all others, whose push services can read it.
    package init(_ message: PushMessage, for kind: TargetKind) {
        let settings = message.settings
        let usual: PushContent = kind == .webPush ? .full : .none
        self.init(message, content: settings?.content ?? usual, title: settings?.title, body: settings?.body)
    }
}

extension String {
    /// The longest beginning of whole `Character`s within both limits. Empty when the first character is beyond one.
    ///
    /// - Parameters:
    ///   - limit: bytes of UTF-8.
    ///   - jsonLimit: bytes as ``jsonLength`` counts them.
    func cut(toBytes limit: Int, jsonBytes jsonLimit: Int) -> String {
        var end = startIndex
        var length = 0
        var jsonLength = 0
        while end < endIndex {
            let next = index(after: end)
            for byte in utf8[end..<next] { jsonLength += Self.jsonLength(byte) }
            length += utf8.distance(from: end, to: next)
            guard length <= limit, jsonLength <= jsonLimit else { break }
            end = next
        }
        return String(self[..<end])
    }

    /// Bytes of the text in a JSON string as `JSONWriter` writes it, without the quotation marks.
    var jsonLength: Int { utf8.reduce(0) { $0 + Self.jsonLength($1) } }

    private static func jsonLength(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"), UInt8(ascii: "\""), UInt8(ascii: "\\"): 2
        case 0..<0x20: 6
        default: 1
        }
    }
}
