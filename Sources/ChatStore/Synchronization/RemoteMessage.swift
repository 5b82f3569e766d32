import ChatModel

/// A message as a remote service tells it.
public struct RemoteMessage: Sendable, Hashable {
    /// With the service's id. One that this gateway sent under another id keeps the gateway's id in the store.
    public var message: Message
    /// The id under which its sender sent it, if the service says so.
    public var requestID: String?
    /// Where the bytes of its attachments are, in their order; none for files that the store has.
    public var fileURLs: [String]

    public init(_ message: Message, requestID: String? = nil, fileURLs: [String] = []) {
        self.message = message
        self.requestID = requestID
        self.fileURLs = fileURLs
    }
}

/// A thread as a remote service tells it.
public struct RemoteThread: Sendable, Hashable {
    public var thread: ChatThread
    /// What the account has not read; nil if the service does not count.
    public var unreadCount: Int?

    public init(_ thread: ChatThread, unreadCount: Int? = nil) {
        self.thread = thread
        self.unreadCount = unreadCount
    }
}

/// By which way a message comes from a remote service.
public enum MessageRoad: Sendable {
    /// An event of the connection, or the answer to a send.
    case live
    /// The newest page after an absence. What is newer than all that was known is news.
    case missed
    /// A change of a message. One that the store does not have is left to the page that it belongs to.
    case change
    /// A page of the past: no news to anybody.
    case history
}

extension Message {
    /// This message and what another copy of it says; nil when that is nothing new.
    ///
    /// The later copy wins. Whichever is later, a message never becomes less seen, a
    /// pending copy never replaces a confirmed one, and of two counts of replies the later one is true.
    public func merged(with copy: Message) -> Message? {
        guard copy.status.rank > 0 || status.rank == 0 else { return nil }
        var result = copy.updatedAt >= updatedAt ? copy : self
        let furthest = copy.status.rank > status.rank ? copy : self
        (result.status, result.seenAt) = (furthest.status, furthest.seenAt)
        if let mine = replyInfo { result.replyInfo = copy.replyInfo.map { $0.updatedAt > mine.updatedAt ? $0 : mine } ?? mine }
        result.keepAttachments(of: self)
        // Its place in the order is where it was first seen.
        (result.id, result.threadID, result.createdAt) = (id, threadID, createdAt)
        return result == self ? nil : result
    }
}

extension Message {
    /// Files that a message was sent with keep the ids under which they were uploaded here.
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
