import Chat
import ChatModel
import ChatStore
import Formats

/// What the desk reads.
extension LocalDesk {
    public func threads(_ query: ThreadQuery, page: PageRequest) async throws(ChatError) -> PageBytes {
        let body = { @Sendable (transaction: ReadTransaction) throws in try transaction.deskThreadPage(query, page) }
        return query.passesOver ? try await store.read(body) : try await store.readNow(body)
    }

    public func thread(_ thread: DeskThread) async throws(ChatError) -> Versioned {
        try await store.readNow { try $0.versioned(thread) }
    }

    public func messages(
        of thread: DeskThread, replies: ReplyFilter, page: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await store.deskMessagePage(of: number(of: thread), replies: replies, page)
    }

    public func removedMessages(of thread: DeskThread) async throws(ChatError) -> Int {
        try await store.read { try $0.removedMessages(of: $0.find(thread)) }
    }

    public func replies(
        to message: String, in thread: DeskThread, _ request: ReplyRequest
    ) async throws(ChatError) -> PageBytes {
        try await store.read { try $0.replyPage(of: message, in: $0.find(thread), request) }
    }

    public func message(_ message: String, in thread: DeskThread) async throws(ChatError) -> Versioned {
        try await store.readNow { try $0.versioned(message, in: thread) }
    }

    /// The store's number of a thread that the desk names. Throws `unknownThread`, `ambiguousThread`.
    func number(of thread: DeskThread) async throws(ChatError) -> Int64 {
        try await store.readNow { try $0.find(thread).number }
    }

    public func agents() async throws(ChatError) -> [Agent] { try await store.read { try $0.agents() } }

    // MARK: Channels

    public func channels() async throws(ChatError) -> [Channel] {
        try await store.readNow { try $0.channels(of: LocalService.serviceID) }
    }

    public func channel(_ id: String) async throws(ChatError) -> Channel {
        try await store.readNow { try $0.localChannel(id) }
    }

    public func fileRestrictions() async throws(ChatError) -> FileRestrictions {
        FileRestrictions(ofAny: try await channels())
    }
}

extension FileRestrictions {
    /// The widest restrictions: a file passes if any channel that takes attachments may take it. The exact check
    /// follows when the file is sent to a thread.
    fileprivate init(ofAny channels: [Channel]) {
        let all = channels.map(\.fileRestrictions).filter(\.isAttachmentsEnabled)
        self.init(
            isAttachmentsEnabled: !all.isEmpty, maximumSize: all.map(\.maximumSize).max() ?? 0,
            allowedTypes: Set(all.flatMap(\.allowedTypes)).sorted())
    }
}

extension ReadTransaction {
    /// The thread with its version and the log's offset, all read at one moment.
    fileprivate func versioned(_ thread: DeskThread) throws -> Versioned {
        let record = try find(thread)
        return Versioned(body: record.deskJSON, version: record.version, offset: try headOffset())
    }

    /// The message with its version and the log's offset, all read at one moment. Throws `unknownMessage`.
    fileprivate func versioned(_ id: String, in thread: DeskThread) throws -> Versioned {
        guard let found = try message(id, in: find(thread)) else { throw ChatError.unknownMessage(id) }
        return Versioned(body: found.message.canonicalJSON, version: found.version, offset: try headOffset())
    }
}
