import Formats

/// One account's part in a thread, as that account reads it: no part of the canonical JSON, spliced into it.
public struct Membership: Sendable, Hashable {
    public var unreadCount: Int
    /// When the newest message was created that the account has read; nil before it has read any.
    public var lastReadAt: Timestamp?
    public var state: MemberState
    /// Out of the account's sight until the next message (Sendbird's hidden channel).
    public var isHidden: Bool
    /// The account sees no message that was created then or before; nil for all.
    public var historyResetAt: Timestamp?

    public init(
        unreadCount: Int, lastReadAt: Timestamp? = nil, state: MemberState = .joined, isHidden: Bool = false,
        historyResetAt: Timestamp? = nil
    ) {
        self.unreadCount = unreadCount
        self.lastReadAt = lastReadAt
        self.state = state
        self.isHidden = isHidden
        self.historyResetAt = historyResetAt
    }

    /// A thread's canonical JSON as the account reads it.
    ///
    /// `lastReadAt` is absent before the account has read anything, `memberState` when joined, `hidden` when not. Where
    /// the account has reset its history, the thread tells the line, and no last message from before it.
    public func splice(into thread: some BidirectionalCollection<UInt8>) -> [UInt8] {
        var bytes = ownHistory(of: thread)
        bytes.removeLast()
        bytes.append(contentsOf: ",".utf8)
        bytes.append(contentsOf: members)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// `"unreadCount":3,"lastReadAt":"2026-03-02T09:15:04.512Z","memberState":"invited","hidden":true`
    public var members: [UInt8] {
        var text = "\"unreadCount\":\(unreadCount)"
        if let lastReadAt { text += ",\"lastReadAt\":\"\(lastReadAt.rfc3339)\"" }
        if state != .joined { text += ",\"memberState\":\"\(state.rawValue)\"" }
        if isHidden { text += ",\"hidden\":true" }
        return Array(text.utf8)
    }

    private func ownHistory(of thread: some BidirectionalCollection<UInt8>) -> [UInt8] {
        let bytes = Array(thread)
        guard let line = historyResetAt, var thread = try? ChatThread(canonicalJSON: bytes) else { return bytes }
        thread.historyResetAt = max(line, thread.historyResetAt ?? line)
        if let last = thread.lastMessage, last.createdAt <= line { thread.lastMessage = nil }
        return thread.canonicalJSON
    }
}

/// Whether a member takes part (Sendbird's `memberState`).
public enum MemberState: String, Sendable, CaseIterable {
    /// May read, and take part once joined.
    case invited
    case joined
}

/// What an account has not read, over all threads that it has joined and that are neither closed nor hidden.
public struct UnreadTotal: CanonicalJSON, Hashable {
    /// Messages.
    public var unreadCount: Int
    /// Threads that have at least one of them.
    public var threadCount: Int

    public init(unreadCount: Int, threadCount: Int) {
        self.unreadCount = unreadCount
        self.threadCount = threadCount
    }

    public static let zero = UnreadTotal(unreadCount: 0, threadCount: 0)

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("unreadCount", unreadCount)
        json.member("threadCount", threadCount)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        self.init(
            unreadCount: Int(clamping: try json.requiredInteger("unreadCount")),
            threadCount: Int(clamping: try json.requiredInteger("threadCount")))
    }
}
