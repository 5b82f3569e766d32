import Chat
import ChatModel
import ChatStore
import Formats

/// What the desk reads.
///
/// Most functions exist twice. The asynchronous one is for any task. The one that is `noasync` reads on the calling
/// thread, and only the server's loop may call it: see ``ChatStore/readNow(_:)``.
extension LocalDesk {
    public func threads(_ query: ThreadQuery, page: PageRequest) async throws(ChatError) -> PageBytes {
        try await store.read { try $0.deskThreadPage(query, page) }
    }

    @available(*, noasync)
    public func threads(_ query: ThreadQuery, page: PageRequest) throws(ChatError) -> PageBytes {
        try store.readNow { try $0.deskThreadPage(query, page) }
    }

    public func thread(_ thread: DeskThread) async throws(ChatError) -> Versioned {
        try await store.read { try $0.versioned(thread) }
    }

    @available(*, noasync)
    public func thread(_ thread: DeskThread) throws(ChatError) -> Versioned {
        try store.readNow { try $0.versioned(thread) }
    }

    public func messages(
        of thread: DeskThread, replies: ReplyFilter, page: PageRequest
    ) async throws(ChatError) -> PageBytes {
        try await store.deskMessagePage(of: number(of: thread), replies: replies, page)
    }

    @available(*, noasync)
    public func messages(of thread: DeskThread, replies: ReplyFilter, page: PageRequest) throws(ChatError) -> PageBytes
    {
        let number = try store.readNow { try $0.find(thread).number }
        return try store.deskMessagePage(of: number, replies: replies, page)
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
        try await store.read { try $0.versioned(message, in: thread) }
    }

    @available(*, noasync)
    public func message(_ message: String, in thread: DeskThread) throws(ChatError) -> Versioned {
        try store.readNow { try $0.versioned(message, in: thread) }
    }

    /// The store's number of a thread that the desk names. Throws `unknownThread`, `ambiguousThread`.
    func number(of thread: DeskThread) async throws(ChatError) -> Int64 {
        try await store.read { try $0.find(thread).number }
    }

    public func agents() async throws(ChatError) -> [Agent] { try await store.read { try $0.agents() } }

    // MARK: Channels

    public func channels() async throws(ChatError) -> [Channel] {
        try await store.read { try $0.channels(of: LocalService.serviceID) }
    }

    @available(*, noasync)
    public func channels() throws(ChatError) -> [Channel] {
        try store.readNow { try $0.channels(of: LocalService.serviceID) }
    }

    public func channel(_ id: String) async throws(ChatError) -> Channel {
        try await store.read { try $0.localChannel(id) }
    }

    @available(*, noasync)
    public func channel(_ id: String) throws(ChatError) -> Channel {
        try store.readNow { try $0.localChannel(id) }
    }

    public func fileRestrictions() async throws(ChatError) -> FileRestrictions {
        FileRestrictions(ofAny: try await channels())
    }

    @available(*, noasync)
    public func fileRestrictions() throws(ChatError) -> FileRestrictions {
        FileRestrictions(ofAny: try channels())
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
