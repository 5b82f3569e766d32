import ChatModel
import Formats

/// Writing what a remote service says of messages. What changes nothing logs nothing.
extension WriteTransaction {
    /// Stores messages of a remote service in a thread, and which range of its time is complete now.
    ///
    /// A message is news, and logged, when it came live, was missed during an absence, or lies inside a complete
    /// range: a client may show that range, so it must not change silently. Any other message is history. It is
    /// stored under the next arrival number without an event, for those who read.
    ///
    /// - Parameters:
    ///   - messages: those of a range in ascending order of time, others in the order in which they came.
    ///   - coverage: nil for single messages, which tell nothing about their neighbours.
    /// - Returns: the account's own messages that were unsent before this, and are confirmed now, as they are stored.
    @discardableResult
    public func merge(
        _ messages: [RemoteMessage], by source: MessageSource, covering coverage: HistoryCoverage? = nil,
        into thread: inout ThreadRecord
    ) throws -> [Message] {
        assert(
            coverage == nil
                || zip(messages, messages.dropFirst()).allSatisfy { $0.message.createdAt <= $1.message.createdAt },
            "Messages of a range ascend in time.")
        var merge = MessageMerge(transaction: self, facts: try remoteFacts(of: thread), source: source)
        for message in messages { try merge.merge(message, into: &thread) }
        var chunks = merge.chunks
        if let coverage {
            chunks = chunks.adding(coverage)
            // Others' rows beyond the answer came live on the connection that it was asked on: nothing is between.
            if coverage.isNewest { chunks.extendOpen(to: try newestOfOthers(in: thread)) }
        }
        if source == .live { chunks.extendOpen(to: messages.last?.message.createdAt.milliseconds ?? .min) }
        if chunks != merge.chunks { try save(chunks, insteadOf: merge.chunks, of: thread.number) }
        try merge.finish(&thread)
        return merge.confirmed
    }

    /// Removes messages by the service's ids, and logs `message.removed` for those in the store. A tombstone for each
    /// id keeps later pages from bringing it back.
    public func removeRemote(_ ids: [String], from thread: inout ThreadRecord) throws {
        var showsRemoved = false
        for remote in ids {
            let id = try localID(remote, in: thread) ?? remote
            if let record = try message(id, in: thread) {
                try remove(record, in: &thread, withDesk: false)
                if record.number == thread.lastMessageNumber { showsRemoved = true }
            } else {
                try bury(id, in: thread)
            }
        }
        if showsRemoved {
            setLastMessage(try newestMessage(in: thread), of: &thread)
            try save(&thread, logging: .threadUpdated, withDesk: false)
        } else {
            try saveListVersion(of: thread)
        }
    }
}

extension ReadTransaction {
    /// The id under which the store has a message of the service; nil if it has no other id than the service's.
    func localID(_ remote: String, in thread: ThreadRecord) throws -> String? {
        try db.first(
            "SELECT id FROM remoteID WHERE thread = ? AND remote = ?", [.integer(thread.number), .text(remote)]
        ) { $0.text(0) }
    }

    /// Whether the store has a message of the service.
    public func hasRemote(_ remote: String, in thread: ThreadRecord) throws -> Bool {
        try message(localID(remote, in: thread) ?? remote, in: thread) != nil
    }

    /// The service's id of a message that the store has under another id; nil if it has the service's.
    public func remoteID(_ id: String, in thread: ThreadRecord) throws -> String? {
        try db.first(
            "SELECT remote FROM remoteID WHERE thread = ? AND id = ?", [.integer(thread.number), .text(id)]
        ) { $0.text(0) }
    }

    /// When the newest message that the account has not sent was created; -1 if there is none.
    fileprivate func newestOfOthers(in thread: ThreadRecord) throws -> Int64 {
        // Which index: the condition must be the index's own words.
        try [1, 0].map { isInThread in
            try db.first(
                """
                SELECT createdAt FROM message WHERE thread = ? AND isInThread = \(isInThread) AND isToAgent = 0
                ORDER BY createdAt DESC, number DESC LIMIT 1
                """, [.integer(thread.number)]
            ) { $0.integer(0) } ?? -1
        }.max() ?? -1
    }
}

extension [Chunk] {
    fileprivate mutating func extendOpen(to time: Int64) {
        for index in indices where self[index].isOpen { self[index].high = Swift.max(self[index].high, time) }
    }
}

/// The state of one ``WriteTransaction/merge(_:by:covering:into:)`` while it goes through its messages.
private struct MessageMerge {
    let transaction: WriteTransaction
    let chunks: [Chunk]
    let source: MessageSource
    /// Unsent messages that this has confirmed.
    private(set) var confirmed: [Message] = []
    private var hasAliases: Bool
    /// Looked up once: a page of history has hundreds of messages.
    private var hasTombstones: Bool?
    /// Whether the thread had unsent messages at the beginning.
    private let hasUnsent: Bool
    /// The list's version at the beginning; nil before the first message.
    private var versionBefore: Int64?
    private var threadChanged = false

    init(transaction: WriteTransaction, facts: HotRows.RemoteFacts, source: MessageSource) {
        self.transaction = transaction
        chunks = facts.chunks
        (hasAliases, hasUnsent) = (facts.hasAliases, facts.unsentCount > 0)
        self.source = source
    }

    mutating func merge(_ remote: RemoteMessage, into thread: inout ThreadRecord) throws {
        versionBefore = versionBefore ?? thread.messagesVersion
        var message = remote.message
        message.threadID = thread.thread.id
        if hasAliases {
            message.id = try transaction.localID(message.id, in: thread) ?? message.id
            if let parent = message.parentID {
                message.parentID = try transaction.localID(parent, in: thread) ?? parent
            }
        }
        let hasTombstones = try hasTombstones ?? transaction.facts(of: thread).hasTombstones
        self.hasTombstones = hasTombstones
        let isRemoved = try hasTombstones && transaction.isRemoved(message.id, in: thread)
        let own = hasUnsent ? try transaction.outgoing(remote.requestID ?? message.id, in: thread) : nil
        if isRemoved {
            if let own { try transaction.discard(own, in: &thread, reason: own.isFailed ? .resendSucceeded : nil) }
        } else if let own {
            try confirm(own, as: message, in: &thread)
        } else {
            try merge(message, into: &thread)
        }
        if !isRemoved, !remote.fileURLs.isEmpty { try noteFiles(of: message, remote, in: thread) }
    }

    /// Files that were sent from here keep their own rows.
    private func noteFiles(of message: Message, _ remote: RemoteMessage, in thread: ThreadRecord) throws {
        guard let record = try transaction.message(message.id, in: thread),
            record.message.attachments == message.attachments
        else { return }
        let files = Array(zip(message.attachments, remote.fileURLs)) + remote.previews.map { ($0.file, $0.url) }
        try transaction.addRemoteFiles(files, of: record, in: thread)
    }

    private mutating func merge(_ message: Message, into thread: inout ThreadRecord) throws {
        let time = message.createdAt.milliseconds
        let isInside = chunks.contains { $0.contains(time) }
        let isNews =
            source == .live || source == .sent || isInside
            || source == .missed && chunks.last.map { $0.high <= time } == true
        let record: MessageRecord?
        if source == .change, !isInside {
            record = nil
        } else if isNews {
            record =
                try transaction.message(message.id, in: thread) == nil
                ? transaction.insert(message, into: &thread, withDesk: false) : nil
        } else {
            record = try transaction.addHistory(message, to: &thread)
        }
        guard let record else { return try update(message, in: &thread) }
        show(record, in: &thread)
        if source == .live, message.direction == .toClient, message.status != .seen, !thread.members.isEmpty,
            message.isInConversation, record.position > thread.members[0].read
        {
            thread.members[0].unreadCount += 1
            threadChanged = true
        }
    }

    private mutating func update(_ message: Message, in thread: inout ThreadRecord) throws {
        guard var known = try transaction.message(message.id, in: thread),
            let changed = known.message.merged(with: message)
        else { return }
        known.message = changed
        try transaction.save(&known, in: &thread, withDesk: false)
        if known.number == thread.lastMessageNumber { show(known, in: &thread) }
    }

    /// Turns an unsent message into a row of the thread, in one event: the service has accepted it.
    private mutating func confirm(_ own: OutgoingRecord, as message: Message, in thread: inout ThreadRecord) throws {
        var confirmed = message
        confirmed.id = own.message.id
        confirmed.keepAttachments(of: own.message)
        if try message.id != own.message.id && transaction.message(message.id, in: thread) != nil {
            // The service sent the message before it named the request, so it has a row already. That row stays.
            try transaction.discard(own, in: &thread, reason: own.isFailed ? .resendSucceeded : nil)
            return try update(message, in: &thread)
        }
        let record = try transaction.confirm(own, as: confirmed, remoteID: message.id, in: &thread)
        hasAliases = hasAliases || message.id != own.message.id
        self.confirmed.append(record.message)
        show(record, in: &thread)
    }

    /// Makes the message the thread's preview, if it is the newest of the conversation.
    private mutating func show(_ record: MessageRecord, in thread: inout ThreadRecord) {
        guard record.message.isInConversation,
            record.message.createdAt >= thread.thread.lastMessage?.createdAt ?? .earliest
        else { return }
        let before = (thread.thread.lastMessage, thread.lastMessageNumber)
        transaction.setLastMessage(record, of: &thread)
        if before.0 != thread.thread.lastMessage || before.1 != thread.lastMessageNumber { threadChanged = true }
    }

    func finish(_ thread: inout ThreadRecord) throws {
        if threadChanged {
            thread.thread.updatedAt = max(
                thread.thread.updatedAt, thread.thread.lastMessage?.createdAt ?? thread.thread.updatedAt)
            try transaction.save(&thread, logging: .threadUpdated, withDesk: false)
        } else if let versionBefore, thread.messagesVersion != versionBefore {
            try transaction.saveListVersion(of: thread)
        }
    }
}

extension WriteTransaction {
    /// Adds a message without an event; nil when the thread has one of this id.
    fileprivate func addHistory(_ message: Message, to thread: inout ThreadRecord) throws -> MessageRecord? {
        let number = nextOffset
        guard try insertRow(Encoded(message), number: number, version: number, in: thread) else { return nil }
        thread.messagesVersion = takeOffset()
        touch(thread: thread.number)
        return MessageRecord(number: number, message: message, version: number)
    }
}
