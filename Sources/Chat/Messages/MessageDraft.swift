import ChatModel
import Formats

/// A message to be sent (the SDK's `OutboundMessage`).
public struct MessageDraft: Sendable, Hashable {
    /// Bytes of text that a message holds at most, in UTF-8.
    public static let maximumTextLength = 64 << 10
    /// Bytes of a rich message's content, as JSON.
    public static let maximumContentLength = 256 << 10
    /// Characters of a postback.
    public static let maximumPostbackLength = 4096
    /// Attachments that a message carries at most.
    public static let maximumAttachments = 30

    /// Made by the client; a new UUID if absent. Sending an id again with the same content sends nothing twice.
    public var id: String?
    public var text: String?
    public var customType: String?
    /// The message that this one replies to.
    public var parentID: String?
    /// Of a reply: whether the conversation's own list shows it; true if absent (Sendbird: reply to channel).
    public var alsoInThread: Bool?
    /// Ids of uploads, in the order in which they are shown.
    public var attachments: [String]
    /// A message of the system itself, which only the desk can send.
    public var isAdmin: Bool
    /// Of a rich message, which only the desk can send; without a text its title is that.
    public var content: RichContent?
    /// What belongs to the answer that was chosen in a rich message.
    public var postback: String?

    public init(
        id: String? = nil, text: String? = nil, customType: String? = nil, parentID: String? = nil, alsoInThread: Bool? = nil,
        attachments: [String] = [], isAdmin: Bool = false, content: RichContent? = nil, postback: String? = nil
    ) {
        self.id = id
        self.text = text ?? content?.fallbackText
        self.customType = customType
        self.parentID = parentID
        self.alsoInThread = alsoInThread
        self.attachments = attachments
        self.isAdmin = isAdmin
        self.content = content
        self.postback = postback
    }

    /// Throws `invalidParameter` for a message without content, or with a reply's member that is no reply; `textTooLong`.
    public func check() throws(ChatError) {
        if alsoInThread != nil, parentID == nil {
            throw ChatError(.invalidParameter, "Only a reply has alsoInThread: parentId is missing.", pointer: "/alsoInThread")
        }
        if isAdmin, parentID != nil {
            throw ChatError(.invalidParameter, "A message of the system is no reply.", pointer: "/parentId")
        }
        if isAdmin, !attachments.isEmpty {
            throw ChatError(.invalidParameter, "A message of the system carries no files.", pointer: "/attachments")
        }
        if content != nil, isAdmin || parentID != nil || !attachments.isEmpty {
            throw ChatError(.invalidParameter, "A rich message is no reply, no message of the system, and carries no files.", pointer: "/content")
        }
        if let content, Self.length(of: content) > Self.maximumContentLength {
            throw ChatError(
                .invalidParameter, "The content of a rich message has at most \(Self.maximumContentLength) bytes of JSON.",
                pointer: "/content")
        }
        guard (postback ?? "").unicodeScalars.count <= Self.maximumPostbackLength else {
            throw ChatError(
                .invalidParameter, "A postback has at most \(Self.maximumPostbackLength) characters.", pointer: "/postback")
        }
        guard attachments.count <= Self.maximumAttachments, Set(attachments).count == attachments.count else {
            throw ChatError(
                .invalidParameter, "A message carries at most \(Self.maximumAttachments) attachments, each once.", pointer: "/attachments")
        }
        guard let text, !text.isEmpty else {
            if text == nil, !attachments.isEmpty || postback != nil { return }
            throw ChatError(.invalidParameter, "A message needs text, a postback or an attachment.", pointer: "/text")
        }
        try Self.check(text: text)
    }

    private static func length(of content: RichContent) -> Int {
        var json = JSONWriter()
        content.encode(to: &json)
        return json.bytes.count
    }

    static func check(text: String) throws(ChatError) {
        guard text.utf8.count <= maximumTextLength else {
            throw ChatError(.textTooLong, "The text has \(text.utf8.count) bytes; at most \(maximumTextLength) are allowed.", pointer: "/text")
        }
    }

    /// Whether a message that was sent under the same id says the same.
    public func isSame(as message: Message) -> Bool {
        message.text.hasSameBytes(as: text) && message.customType.hasSameBytes(as: customType)
            && (message.type == .admin) == isAdmin && message.attachments.map(\.id) == attachments
            && message.content?.canonicalBytes == content?.canonicalBytes && message.postback.hasSameBytes(as: postback)
            && message.parentID == parentID && message.alsoInThread == (parentID == nil ? nil : alsoInThread ?? true)
    }
}
