import ChatModel
import ChatStore

/// What may be done with a thread, by its channel and state: the preconditions of the SDK's `ChatThreadProvider`.
///
/// Services ask inside the unit of work that makes the change, so that no other change comes between.
public enum ThreadRules {
    /// Throws `unsupportedChannelConfig` for a second open thread on a channel that holds one at a time, and for a name
    /// on such a channel; `illegalChatState` for a live chat while the channel is offline; `invalidParameter` for a
    /// name that is too long.
    ///
    /// - Parameter hasOpenThread: whether the account has a thread on this channel that is not closed.
    public static func checkCreate(_ draft: ThreadDraft, on channel: Channel, hasOpenThread: Bool) throws(ChatError) {
        try checkName(draft.name)
        guard channel.mode != .multithread else { return }
        if hasOpenThread {
            throw ChatError(
                .unsupportedChannelConfig, "The channel \(channel.id) allows one open thread, and there is one already."
            )
        }
        guard channel.mode != .liveChat || channel.isOnline else {
            throw ChatError(.illegalChatState, "The channel \(channel.id) is offline and takes no new chats.")
        }
        if draft.name != nil {
            throw ChatError(
                .unsupportedChannelConfig, "Threads of the channel \(channel.id) cannot have a name.", pointer: "/name")
        }
    }

    /// Throws `illegalThreadState` for a closed thread.
    public static func checkSend(_ thread: ChatThread) throws(ChatError) {
        guard thread.canAddMoreMessages else {
            throw ChatError(.illegalThreadState, "The thread \(thread.id) is closed and takes no more messages.")
        }
    }

    /// Throws `replyDepthExceeded` for a reply to a reply, `replyNotAllowed` for a reply to a message of the system.
    public static func checkReply(to parent: Message) throws(ChatError) {
        if let first = parent.parentID {
            throw ChatError(
                .replyDepthExceeded, "The message \(parent.id) is itself a reply to \(first).", pointer: "/parentId")
        }
        if parent.type == .admin {
            throw ChatError(
                .replyNotAllowed, "The message \(parent.id) is a message of the system.", pointer: "/parentId")
        }
    }

    /// Characters (Unicode scalars) of a thread's name, at most.
    public static let maximumNameLength = 256

    /// Throws `invalidParameter` for a name that is too long.
    public static func checkName(_ name: String?) throws(ChatError) {
        guard (name ?? "").unicodeScalars.count <= maximumNameLength else {
            throw ChatError(
                .invalidParameter, "A thread's name has at most \(maximumNameLength) characters.", pointer: "/name")
        }
    }

    /// Throws `unsupportedChannelConfig` outside multi-thread channels, `illegalThreadState` for a closed thread,
    /// `invalidParameter` for a name that is too long.
    public static func checkRename(_ thread: ChatThread, to name: String?, on channel: Channel) throws(ChatError) {
        try checkName(name)
        guard channel.mode == .multithread else {
            throw ChatError(.unsupportedChannelConfig, "Threads of the channel \(channel.id) cannot have a name.")
        }
        try checkOpen(thread)
    }

    /// Throws `unsupportedChannelConfig` outside multi-thread channels, `illegalChatState` for a thread that is closed
    /// already.
    public static func checkArchive(_ thread: ChatThread, on channel: Channel) throws(ChatError) {
        guard channel.mode == .multithread else {
            throw ChatError(.unsupportedChannelConfig, "Threads of the channel \(channel.id) cannot be archived.")
        }
        guard thread.state != .closed else {
            throw ChatError(.illegalChatState, "The thread \(thread.id) is closed already.")
        }
    }

    /// Whether a report of typing is to be told. The end in a closed thread is not, because the close has ended it. Throws
    /// `illegalThreadState` for the beginning there.
    public static func takesTyping(_ isTyping: Bool, _ thread: ChatThread) throws(ChatError) -> Bool {
        if isTyping { try checkOpen(thread) }
        return thread.state != .closed
    }

    /// Throws `illegalThreadState` for a closed thread.
    public static func checkOpen(_ thread: ChatThread) throws(ChatError) {
        guard thread.state != .closed else {
            throw ChatError(.illegalThreadState, "The thread \(thread.id) is closed.")
        }
    }

    /// How many customers a thread has at most. Each message changes the unread count of every member.
    public static let maximumMembers = 100

    /// Throws `unsupportedChannelConfig` outside multi-thread channels, `invalidParameter` for no member, for too many,
    /// or for one that is named twice.
    ///
    /// - Parameter known: the customers who are members already; naming one again is allowed.
    public static func checkMembers(
        _ members: [MemberDraft], besides known: [String] = [], on channel: Channel
    ) throws(ChatError) {
        guard channel.mode == .multithread else {
            throw ChatError(
                .unsupportedChannelConfig, "Threads of the channel \(channel.id) cannot have several members.")
        }
        let ids = members.map(\.id)
        guard !ids.isEmpty else {
            throw ChatError(.invalidParameter, "At least one member is needed.", pointer: "/members")
        }
        guard Set(ids).count == ids.count else {
            throw ChatError(.invalidParameter, "A member is in the list twice.", pointer: "/members")
        }
        guard Set(ids + known).count <= maximumMembers else {
            throw ChatError(.invalidParameter, "A thread has at most \(maximumMembers) members.", pointer: "/members")
        }
    }

    /// Throws `notJoined` for an account that is only invited: it may read, and nothing else.
    public static func checkJoined(_ state: MemberState, _ thread: ChatThread) throws(ChatError) {
        guard state == .joined else {
            throw ChatError(.notJoined, "The account was invited to the thread \(thread.id) and has not joined it.")
        }
    }

    /// Throws `assignedToAnother` unless the thread's agent is as the condition says.
    ///
    /// - Parameter me: the agent who acts; nil for nobody in particular, who has no thread.
    public static func check(_ condition: AgentCondition?, of me: Agent?, on thread: ChatThread) throws(ChatError) {
        let isMine = thread.agent.map { $0.id == me?.id } ?? false
        let isFulfilled =
            switch condition {
            case nil: true
            case .nobodys: thread.agent == nil
            case .mine: isMine
            case .mineOrNobodys: thread.agent == nil || isMine
            }
        guard !isFulfilled else { return }
        let holder = thread.agent.map { "the agent \($0.id)" } ?? "no agent"
        throw ChatError(.assignedToAnother, "The thread \(thread.id) is assigned to \(holder).", pointer: "/ifAgent")
    }

    /// Whether the thread can have been read: a pending one has nothing that its customer did not see. Reading it is no
    /// error. A closed one can be read.
    public static func canBeRead(_ thread: ChatThread) -> Bool { thread.state != .pending }

    /// Throws `illegalChatState` unless the channel is a live chat: only there the customer ends the contact.
    public static func checkEnd(on channel: Channel) throws(ChatError) {
        guard channel.mode == .liveChat else {
            throw ChatError(
                .illegalChatState, "The channel \(channel.id) is not a live chat: archive the thread instead.")
        }
    }

    /// Throws `invalidParameter` for a text that is no e-mail address.
    public static func checkTranscript(to address: String) throws(ChatError) {
        guard EmailAddress.isValid(address) else {
            throw ChatError(.invalidParameter, "An e-mail address was expected.", pointer: "/email")
        }
    }

    /// Throws `unsupportedCapability`, whose text names the capability.
    public static func check(_ capability: Capability, on channel: Channel) throws(ChatError) {
        guard channel.capabilities.contains(capability) else {
            throw ChatError(
                .unsupportedCapability, "The channel \(channel.id) has no capability \(capability.rawValue).")
        }
    }
}

/// What `If-Match` asks for (RFC 9110, section 13.1.1), inside the unit that writes.
public enum VersionRule {
    /// Throws `preconditionFailed` unless the resource still has the version that the caller saw.
    ///
    /// - Parameter expected: nil when the request has no condition.
    public static func check(_ expected: Int64?, _ actual: Int64) throws(ChatError) {
        guard expected == nil || expected == actual else {
            throw ChatError(.preconditionFailed, "The resource has changed since it was read.")
        }
    }
}
