import ChatModel
import ChatStore
import Formats

/// What a remote platform offers beside its ``ServiceConnection``: history in pages, what changed while nobody was
/// connected, and sending.
///
/// An adapter implements it on an open connection (CXone's `RecoverThread`, `LoadMoreMessages`, `SendMessage`;
/// Sendbird's `getMessagesByTimestamp`, changelogs, `sendUserMessage`). It only asks and decodes: ``Synchronizer`` and
/// ``Outbox`` decide what to ask, and write the answers into the store. Events of the connection are written by the
/// adapter itself, `merge(_:by: .live)`, in the order in which they come. What was sent to the platform while the
/// connection was open is told on it, or the connection is lost.
public protocol RemotePlatform: Sendable {
    /// One page of a thread's messages.
    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage

    /// Edits and deletions since a position, oldest first. A platform that keeps none answers with the same position and
    /// nothing; one that does not know the position any more, with `forgotten`.
    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges

    /// One page of the account's threads, latest activity first.
    ///
    /// - Parameter token: of the page before; nil for the first.
    func threads(after token: String?) async throws(ChatError) -> ThreadPage

    /// Changes of that list since a page's `changes` or an earlier answer's position; `forgotten` if it does not know that any more.
    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges

    /// Sends a message; its id is the request id, under which the platform takes it once, however often it comes.
    ///
    /// Throws `notConnected`, `eventTimeout`, `serverError` when it may or may not have arrived; any other code when it
    /// was refused and never can be sent.
    func send(_ message: Message, to thread: String) async throws(ChatError) -> RemoteMessage

    /// The message that was sent under a request id; nil if the platform has none.
    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage?
}

/// Which page of a thread's messages is asked for. Times are inclusive: the answer holds every message of that very
/// time, and up to `limit` beyond it, so that equal times across the edge of a page are never lost.
public enum HistoryQuery: Sendable, Hashable {
    case newest(limit: Int)
    case before(Timestamp, limit: Int)
    case after(Timestamp, limit: Int)
    /// Up to `limit` to either side.
    case around(Timestamp, limit: Int)
}

public struct HistoryPage: Sendable {
    /// Ascending.
    public var messages: [RemoteMessage]
    public var hasPrevious: Bool
    public var hasNext: Bool

    public init(messages: [RemoteMessage], hasPrevious: Bool, hasNext: Bool) {
        self.messages = messages
        self.hasPrevious = hasPrevious
        self.hasNext = hasNext
    }
}

/// From where changes are asked for.
public enum ChangePosition: Sendable, Hashable {
    /// The platform's own time: before the first answer.
    case time(Timestamp)
    /// What the last answer said.
    case token(String)
}

public struct MessageChanges: Sendable {
    public var updated: [RemoteMessage]
    /// The platform's ids of deleted messages.
    public var removed: [String]
    public var position: ChangePosition
    public var hasMore: Bool
    /// What has changed since is not known any more: the rest says nothing.
    public var isForgotten = false

    public init(updated: [RemoteMessage], removed: [String], position: ChangePosition, hasMore: Bool) {
        self.updated = updated
        self.removed = removed
        self.position = position
        self.hasMore = hasMore
    }
}

extension MessageChanges {
    public static var forgotten: MessageChanges {
        var changes = MessageChanges(updated: [], removed: [], position: .token(""), hasMore: false)
        changes.isForgotten = true
        return changes
    }
}

public struct ThreadPage: Sendable {
    public var threads: [RemoteThread]
    /// Of the next page; nil at the end.
    public var next: String?
    /// From where changes of the list are to be asked for, if the platform tells them.
    public var changes: String?

    public init(threads: [RemoteThread], next: String?, changes: String?) {
        self.threads = threads
        self.next = next
        self.changes = changes
    }
}

public struct ThreadChanges: Sendable {
    public var updated: [RemoteThread]
    public var removed: [String]
    public var token: String
    public var hasMore: Bool
    /// As in ``MessageChanges``.
    public var isForgotten = false

    public init(updated: [RemoteThread], removed: [String], token: String, hasMore: Bool) {
        self.updated = updated
        self.removed = removed
        self.token = token
        self.hasMore = hasMore
    }
}

extension ThreadChanges {
    public static var forgotten: ThreadChanges {
        var changes = ThreadChanges(updated: [], removed: [], token: "", hasMore: false)
        changes.isForgotten = true
        return changes
    }
}
