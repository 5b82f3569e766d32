import ChatModel
import ChatStore

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
    /// apps, whose push services can read it.
    package init(_ message: PushMessage, for kind: TargetKind) {
        let settings = message.settings
        let usual: PushContent = AppKind(kind) == nil ? .full : .none
        self.init(message, content: settings?.content ?? usual, title: settings?.title, body: settings?.body)
    }
}
