import ChatModel

/// A message as a remote service describes it.
public struct RemoteMessage: Sendable, Hashable {
    /// The message with the service's id. If this gateway sent it under another id, the store keeps that id.
    public var message: Message
    /// The id under which its sender sent it, if the service says so.
    public var requestID: String?
    /// Where the bytes of its attachments are, in their order; none for files that the store has.
    public var fileURLs: [String]
    /// Pictures of its attachments, and where their bytes are: those that an attachment names by `previewID`.
    public var previews: [Preview]

    /// A picture of an attachment, which is fetched like one.
    public struct Preview: Sendable, Hashable {
        public var file: Attachment
        public var url: String

        public init(_ file: Attachment, url: String) {
            self.file = file
            self.url = url
        }
    }

    public init(
        _ message: Message, requestID: String? = nil, fileURLs: [String] = [], previews: [Preview] = []
    ) {

        self.message = message
        self.requestID = requestID
        self.fileURLs = fileURLs
        self.previews = previews
    }
}

/// A thread as a remote service describes it.
public struct RemoteThread: Sendable, Hashable {
    public var thread: ChatThread
    /// What the account has not read; nil if the service does not count.
    public var unreadCount: Int?

    public init(_ thread: ChatThread, unreadCount: Int? = nil) {
        self.thread = thread
        self.unreadCount = unreadCount
    }
}

/// How a message came from a remote service. It decides whether the message is news.
public enum MessageSource: Sendable {
    /// An event of the connection, or the answer to a send.
    case live
    /// The newest page after an absence. Messages newer than all that was known are news.
    case missed
    /// A change of a message. If the store does not have it, nothing is added: the page that contains it will.
    case change
    /// A page of older messages, which are no news.
    case history
}

extension Message {
    /// This message updated by another copy of it; nil when that changes nothing.
    ///
    /// The copy with the later `updatedAt` wins. Independent of that, the status never goes back, a pending copy
    /// never replaces a confirmed one, and the later reply info stays.
    public func merged(with copy: Message) -> Message? {
        guard copy.status.rank > 0 || status.rank == 0 else { return nil }
        var result = copy.updatedAt >= updatedAt ? copy : self
        let furthest = copy.status.rank > status.rank ? copy : self
        (result.status, result.seenAt) = (furthest.status, furthest.seenAt)
        if let mine = replyInfo {
            result.replyInfo = copy.replyInfo.map { $0.updatedAt > mine.updatedAt ? $0 : mine } ?? mine
        }
        result.keepAttachments(of: self)
        // Its place in the order is where it was first seen.
        (result.id, result.threadID, result.createdAt) = (id, threadID, createdAt)
        return result == self ? nil : result
    }
}

extension Message {
    /// Keeps the known attachments when both copies have equally many, because their ids are those of this gateway's
    /// uploads.
    mutating func keepAttachments(of known: Message) {
        if attachments.count == known.attachments.count { attachments = known.attachments }
    }
}

extension MessageStatus {
    /// How far the message has come; 0 as long as it is not confirmed.
    fileprivate var rank: Int {
        switch self {
        case .pending, .failed: 0
        case .sent: 1
        case .delivered: 2
        case .seen: 3
        }
    }
}
