import ChatModel
import Formats

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
    /// The thread's state for this account alone; nil if the service does not tell it.
    public var own: RemoteMembership?
    /// The other members, in an order that does not change by itself; nil if the service does not tell them. They have
    /// no accounts here by that.
    public var others: [Customer]?

    public init(_ thread: ChatThread, unreadCount: Int? = nil) {
        self.thread = thread
        self.unreadCount = unreadCount
    }
}

/// What a thread of a remote service is for one of its members.
public struct RemoteMembership: Sendable, Hashable {
    public var state: MemberState
    public var isHidden: Bool
    /// The account sees no message that was created then or before; nil for all.
    public var historyResetAt: Timestamp?

    public init(state: MemberState, isHidden: Bool, historyResetAt: Timestamp?) {
        (self.state, self.isHidden, self.historyResetAt) = (state, isHidden, historyResetAt)
    }
}

/// How a message came from a remote service. It decides whether the message is news.
public enum MessageSource: Sendable {
    /// An event of the connection. All messages before it are stored already.
    case live
    /// The answer to a send. Older messages of others may be missing, where news come by polls.
    case sent
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

/// Where a remote service keeps an attachment's file.
public struct RemoteFile: Sendable, Hashable {
    public var url: String
    /// Whether this gateway has the bytes too: they were fetched, or uploaded here.
    public var isHere: Bool
}

extension ReadTransaction {
    /// Where a remote service keeps the attachment; nil if no service has it.
    public func remoteFile(_ attachment: String) throws -> RemoteFile? {
        try db.first("SELECT url, isHere FROM remoteFile WHERE attachment = ?", [.text(attachment)]) {
            RemoteFile(url: $0.text(0), isHere: $0.flag(1))
        }
    }

    /// The address of a remote service's channel, exactly as the service wrote it; nil if it is not known.
    public func remoteChannel(_ id: String, of service: String) throws -> String? {
        try db.first("SELECT address FROM remoteChannel WHERE service = ? AND id = ?", [.text(service), .text(id)]) {
            $0.text(0)
        }
    }

    /// All channels of a remote service whose addresses are known, by their ids.
    public func remoteChannels(of service: String) throws -> [(id: String, address: String)] {
        try db.all("SELECT id, address FROM remoteChannel WHERE service = ? ORDER BY id", [.text(service)]) {
            ($0.text(0), $0.text(1))
        }
    }
}

extension WriteTransaction {
    /// Stores the address of a remote service's channel, in place of the one before.
    public func saveRemoteChannel(_ id: String, of service: String, address: String) throws {
        try db.run(
            """
            INSERT INTO remoteChannel (service, id, address) VALUES (?, ?, ?)
            ON CONFLICT (service, id) DO UPDATE SET address = excluded.address
            """,
            [.text(service), .text(id), .text(address)])
    }

    /// Notes where the service keeps an upload of this gateway, so that a resend does not upload it again.
    public func saveRemoteFile(_ attachment: String, at url: String) throws {
        try db.run(
            """
            INSERT INTO remoteFile (attachment, url, isHere) VALUES (?, ?, 1)
            ON CONFLICT (attachment) DO UPDATE SET url = excluded.url, isHere = 1
            """, [.text(attachment), .text(url)])
    }

    /// Adds attachments for files that a message of the service carries, so that they can be fetched later. Files
    /// that were fetched already stay.
    func addRemoteFiles(_ files: [(Attachment, url: String)], of message: MessageRecord, in thread: ThreadRecord) throws
    {
        for (attachment, url) in files {
            // After the cache was cleared, the same message has a new number.
            try db.run(
                """
                INSERT INTO attachment (id, uploader, thread, message, createdAt, digest, json) VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET thread = excluded.thread, message = excluded.message
                """,
                [
                    .text(attachment.id), .integer(thread.owner.number), .integer(thread.number),
                    .integer(message.number),
                    .integer(now.milliseconds), .blob([]), .blob(attachment.canonicalJSON),
                ])
            try db.run(
                """
                INSERT INTO remoteFile (attachment, url, isHere) VALUES (?, ?, 0) ON CONFLICT (attachment) DO NOTHING
                """,
                [.text(attachment.id), .text(url)])
        }
    }

    /// Notes that a file's bytes are in their place now, with their digest. Throws `unknownAttachment` if the
    /// attachment was removed meanwhile.
    public func fetched(_ attachment: Attachment, digest: [UInt8]) throws {
        let changes = try db.change(
            "UPDATE attachment SET digest = ?, json = ? WHERE id = ?",
            [.blob(digest), .blob(attachment.canonicalJSON), .text(attachment.id)])
        guard changes > 0 else { throw ChatError.unknownAttachment(attachment.id) }
        try db.run("UPDATE remoteFile SET isHere = 1 WHERE attachment = ?", [.text(attachment.id)])
    }
}
