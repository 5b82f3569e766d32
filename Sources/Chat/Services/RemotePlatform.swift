import ChatModel
import ChatStore
import Formats

/// What a remote platform offers besides its ``ServiceConnection``: history in pages, what changed during an absence,
/// and sending.
///
/// An adapter implements it on an open connection (CXone's `RecoverThread`, `LoadMoreMessages`, `SendMessage`;
/// Sendbird's `getMessagesByTimestamp`, changelogs, `sendUserMessage`). It only asks and decodes. ``Synchronizer`` and
/// ``Outbox`` decide what to ask, and write the answers into the store.
///
/// The adapter itself writes the connection's live events, by `merge(_:by: .live)`, in the order in which they arrive.
/// It must not lose one silently: either each event of the time is written, or the connection is reported as lost.
public protocol RemotePlatform: Sendable {
    /// One page of a thread's messages.
    func messages(of thread: String, _ query: HistoryQuery) async throws(ChatError) -> HistoryPage

    /// Edits and deletions since a position, oldest first. A platform that keeps no changes answers with the same
    /// position and nothing else. One that does not know the position any more answers with
    /// ``MessageChanges/forgotten``.
    func messageChanges(of thread: String, since position: ChangePosition) async throws(ChatError) -> MessageChanges

    /// One page of the account's threads, latest activity first.
    ///
    /// - Parameter token: ``ThreadPage/next`` of the page before; nil for the first.
    func threads(after token: String?) async throws(ChatError) -> ThreadPage

    /// Changes of that list since the `changes` of a page, or since the `token` of an earlier answer. A platform that
    /// does not know the token any more answers with ``ThreadChanges/forgotten``.
    func threadChanges(since token: String) async throws(ChatError) -> ThreadChanges

    /// Sends a message, and returns what the platform made of it. Its id is the request id: the platform stores the
    /// message once, however often it arrives under that id.
    ///
    /// It waits for the platform's word without a time limit: the caller has the deadline, and cancels the task when it
    /// needs the word no longer. Then this returns soon, with any result.
    ///
    /// Throws `notConnected`, `eventTimeout`, `serverError` when the message may or may not have arrived. Any other
    /// code says that the platform refused it.
    ///
    /// - Parameter progress: must be asked before the message itself goes out.
    func send(_ outgoing: OutgoingMessage, _ progress: SendProgress) async throws(ChatError) -> SentMessage

    /// The message that the platform stored under a request id; nil if it has none.
    func message(sentAs requestID: String, in thread: String) async throws(ChatError) -> RemoteMessage?

    /// Somebody follows the account: a session of it has made a request, or has a stream open, which is told once a
    /// minute. Where the platform has to be asked for news, it can be asked less often while nobody does. Any thread
    /// may call it, and it returns at once.
    func noteFollower()
}

extension RemotePlatform {
    public func noteFollower() {}
}

/// A message for the platform, with what the store has of its thread. All of it was read in one transaction.
public struct OutgoingMessage: Sendable {
    /// With the status `pending`. Its id is the request id.
    public var message: Message
    public var thread: ThreadRecord
    /// The device to which the platform is to push; nil: to none.
    public var device: PlatformDevice?
}

extension ReadTransaction {
    /// An unsent message as the platform is to get it.
    func outgoingMessage(_ own: OutgoingRecord, in thread: ThreadRecord) throws -> OutgoingMessage {
        var message = own.message
        (message.status, message.failure) = (.pending, nil)
        return OutgoingMessage(
            message: message, thread: thread, device: try deviceForPlatform(of: thread.owner.number))
    }
}

/// How far ``RemotePlatform/send(_:_:)`` has come. May be called from any thread.
public struct SendProgress: Sendable {
    /// To be called once, when the next step is that the message itself goes out. If it returns false, the message must
    /// not go out: nobody waits for it any more, and it may be sent again over another connection. The parameter is how
    /// long it may take until the platform has it, where a file goes with it; nil: as long as any message.
    public var mayWrite: @Sendable (Duration?) -> Bool
    /// The platform says that it took the message, and will still tell how it has it.
    public var acknowledged: @Sendable () -> Void
}

/// What became of a message that the platform has taken.
public enum SentMessage: Sendable {
    /// The platform has it so. The caller writes it.
    case told(RemoteMessage)
    /// The connection has written it already, with the platform's live event. The store has it so.
    case confirmed(Message)
}

/// Which page of a thread's messages is asked for. Times are inclusive: the answer has every message of exactly that
/// time, and up to `limit` more. So messages of equal times at the edge of a page are never lost.
public enum HistoryQuery: Sendable, Hashable {
    case newest(limit: Int)
    case before(Timestamp, limit: Int)
    case after(Timestamp, limit: Int)
    /// Up to `limit` messages on each side of the time.
    case around(Timestamp, limit: Int)
}

/// One page of a thread's messages, and whether the platform has more on either side of it.
public struct HistoryPage: Sendable {
    /// Oldest first.
    public var messages: [RemoteMessage]
    public var hasPrevious: Bool
    public var hasNext: Bool

    public init(messages: [RemoteMessage], hasPrevious: Bool, hasNext: Bool) {
        self.messages = messages
        self.hasPrevious = hasPrevious
        self.hasNext = hasNext
    }
}

/// Where to ask for changes from.
public enum ChangePosition: Sendable, Hashable {
    /// A time by the platform's clock: for the first question.
    case time(Timestamp)
    /// The position that the last answer gave.
    case token(String)
}

/// One answer about a thread's edits and deletions.
public struct MessageChanges: Sendable {
    public var updated: [RemoteMessage]
    /// The platform's ids of deleted messages.
    public var removed: [String]
    /// Where the next question begins. To be stored together with the changes.
    public var position: ChangePosition
    public var hasMore: Bool
    /// The platform does not know what has changed since the position. The other members mean nothing then.
    public var isForgotten = false

    public init(updated: [RemoteMessage], removed: [String], position: ChangePosition, hasMore: Bool) {
        self.updated = updated
        self.removed = removed
        self.position = position
        self.hasMore = hasMore
    }
}

extension MessageChanges {
    /// The answer of a platform that does not know the position any more.
    public static var forgotten: MessageChanges {
        var changes = MessageChanges(updated: [], removed: [], position: .token(""), hasMore: false)
        changes.isForgotten = true
        return changes
    }
}

/// One page of the account's threads.
public struct ThreadPage: Sendable {
    public var threads: [RemoteThread]
    /// The token of the next page; nil at the end.
    public var next: String?
    /// The token with which to ask for changes of the list; nil where the platform tells none.
    public var changes: String?

    public init(threads: [RemoteThread], next: String?, changes: String?) {
        self.threads = threads
        self.next = next
        self.changes = changes
    }
}

/// One answer about changes of the list of threads.
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
    /// The answer of a platform that does not know the token any more.
    public static var forgotten: ThreadChanges {
        var changes = ThreadChanges(updated: [], removed: [], token: "", hasMore: false)
        changes.isForgotten = true
        return changes
    }
}
