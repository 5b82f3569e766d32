import Bounds
import ChatModel
import Formats

/// A message that is to be sent (the SDK's `OutboundMessage`). Nothing is checked before ``check()``.
public struct MessageDraft: Sendable, Hashable {
    /// Bytes of a message's text, in UTF-8, at most.
    public static let maximumTextLength = ByteBound.text.bytes
    /// Bytes of a rich message's content, as JSON, at most.
    public static let maximumContentLength = ByteBound.content.bytes
    /// Characters (Unicode scalars) of a postback, at most.
    public static let maximumPostbackLength = 4096
    /// How many attachments a message carries at most.
    public static let maximumAttachments = 30

    /// The client's own id for the message; with nil the gateway makes a UUID. A message that is sent again under its
    /// id with the same content is stored once.
    public var id: String?
    public var text: String?
    public var customType: String?
    /// The id of the message to which this one replies; nil for a message that is no reply.
    public var parentID: String?
    /// For a reply: whether the thread's own list of messages shows it too. Nil counts as true (Sendbird: reply to
    /// channel).
    public var alsoInThread: Bool?
    /// Ids of uploads, in the order in which they are shown.
    public var attachments: [String]
    /// Whether it is a message of the system itself. Only the desk can send one.
    public var isAdmin: Bool
    /// The content of a rich message, which only the desk can send. Where no text is given, its title becomes the text.
    public var content: RichContent?
    /// The machine-readable value of the answer that the customer chose in a rich message.
    public var postback: String?
    /// Whether it counts for the quota of its customer's messages: the customer's own token sends it.
    public var isCounted = false
    /// The languages that the customer reads, the most wanted first. They choose the words of an automatic answer, and are no
    /// part of the message.
    public var languages: [String] = []

    public init(
        id: String? = nil, text: String? = nil, customType: String? = nil, parentID: String? = nil,
        alsoInThread: Bool? = nil,
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

    /// Checks all that can be checked without the thread. Throws `textTooLong`, and `invalidParameter` with a pointer
    /// to the member: for a message without content, for a limit that is exceeded, and for members that do not go
    /// together.
    public func check() throws(ChatError) {
        if alsoInThread != nil, parentID == nil {
            throw ChatError(
                .invalidParameter, "alsoInThread is for replies only, and parentId is missing.",
                pointer: "/alsoInThread")
        }
        if isAdmin, parentID != nil {
            throw ChatError(.invalidParameter, "A message of the system cannot be a reply.", pointer: "/parentId")
        }
        if isAdmin, !attachments.isEmpty {
            throw ChatError(.invalidParameter, "A message of the system cannot carry files.", pointer: "/attachments")
        }
        if content != nil, isAdmin || parentID != nil || !attachments.isEmpty {
            throw ChatError(
                .invalidParameter,
                "A rich message cannot be a reply or a message of the system, and cannot carry files.",
                pointer: "/content")
        }
        if let content, Self.length(of: content) > Self.maximumContentLength {
            throw ChatError(
                .invalidParameter,
                "The content of a rich message has at most \(Self.maximumContentLength) bytes of JSON.",
                pointer: "/content")
        }
        guard (postback ?? "").unicodeScalars.count <= Self.maximumPostbackLength else {
            throw ChatError(
                .invalidParameter, "A postback has at most \(Self.maximumPostbackLength) characters.",
                pointer: "/postback")
        }
        guard attachments.count <= Self.maximumAttachments, Set(attachments).count == attachments.count else {
            throw ChatError(
                .invalidParameter, "A message carries at most \(Self.maximumAttachments) attachments, each once.",
                pointer: "/attachments")
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

    /// Throws `textTooLong` for a text of more than ``maximumTextLength`` bytes.
    static func check(text: String) throws(ChatError) {
        guard text.utf8.count <= maximumTextLength else {
            throw ChatError(
                .textTooLong, "The text has \(text.utf8.count) bytes; at most \(maximumTextLength) are allowed.",
                pointer: "/text")
        }
    }

    /// Whether a message that is stored under this id was sent with the same content. If so, the client repeats a
    /// request; otherwise the id is in conflict.
    public func isSame(as message: Message) -> Bool {
        message.text.hasSameBytes(as: text) && message.customType.hasSameBytes(as: customType)
            && (message.type == .admin) == isAdmin && message.attachments.map(\.id) == attachments
            && message.content?.canonicalBytes == content?.canonicalBytes && message.postback.hasSameBytes(as: postback)
            && message.parentID == parentID && message.alsoInThread == (parentID == nil ? nil : alsoInThread ?? true)
    }
}
