import ChatModel
import ChatStore

/// Threads and customer: the SDK's `ChatThreadListProvider`, `ChatThreadProvider` and `CustomerProvider`.
///
/// Each throws `notConnected` without a connection, and what ``ThreadRules`` says.
extension ChatClient {
    /// Makes a thread in the state `pending`: the desk sees it from its first message on. A live chat is seen at once,
    /// and waits in its queue.
    ///
    /// Throws `unsupportedChannelConfig`, `threadIdConflict`; `illegalChatState` for a live chat while the channel is
    /// offline.
    public func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let outcome = try await connection.perform { (connection) throws(ChatError) in
            try await connection.createThread(draft, receipt: receipt)
        }
        if channel.mode == .liveChat { await connection.conversationBegan() }
        return outcome
    }

    /// Names the thread; nil removes the name. Throws `unsupportedChannelConfig`, `illegalThreadState`,
    /// `preconditionFailed` when the thread has another version.
    public func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.rename(thread, to: name, ifMatch: version)
        }
    }

    /// Reads the thread from its service again. The outcome has the thread as it is after that.
    public func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.load(thread, receipt: receipt)
        }
    }

    /// Closes the thread; it stays listed. Throws `unsupportedChannelConfig`, `illegalChatState`.
    public func archive(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.archive(thread, receipt: receipt)
        }
    }

    /// Marks all messages up to now as read by the customer. Does nothing to a pending or closed thread.
    public func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.markRead(thread, receipt: receipt)
        }
    }

    /// Tells the agent that the customer types, or has stopped. Nothing is stored. Throws `illegalThreadState`.
    public func reportTyping(_ isTyping: Bool, in thread: String) async throws(ChatError) {
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.reportTyping(isTyping, in: thread)
        }
    }

    /// Ends a live chat's contact. The thread takes no more messages, and the session is `closed` until a new
    /// conversation begins.
    ///
    /// Throws `illegalChatState` on a channel that is no live chat.
    public func endContact(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.checkEnd(on: channel)
        try ThreadRules.check(.liveChat, on: channel)
        let outcome = try await connection.perform { (connection) throws(ChatError) in
            try await connection.endContact(thread, receipt: receipt)
        }
        await connection.contactEnded()
        return outcome
    }

    /// Answers an inactivity popup (the SDK's `ProactiveActionProvider.trigger`): the chat goes on, or ends.
    ///
    /// Throws `illegalThreadState` when none is shown, `unsupportedCapability`.
    public func answerInactivity(
        _ answer: InactivityAnswer, in thread: String, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.liveChat, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.answerInactivity(answer, in: thread, receipt: receipt)
        }
    }

    /// Asks the platform to mail the thread's transcript. Throws `illegalThreadState` before the first message,
    /// `invalidParameter` for a text that is no e-mail address, `sendTranscriptFailed`, `unsupportedCapability`.
    public func sendTranscript(_ thread: String, to address: String) async throws(ChatError) {
        try await checkThread(thread)
        try ThreadRules.check(.transcript, on: channel)
        guard EmailAddress.isValid(address) else {
            throw ChatError(.invalidParameter, "The email must be an e-mail address.", pointer: "/email")
        }
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.sendTranscript(of: thread, to: address)
        }
    }

    /// Hides all messages up to now from this account; others keep them (Sendbird's `resetMyHistory`). Throws
    /// `unsupportedCapability`.
    public func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.historyReset, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.resetHistory(thread, receipt: receipt)
        }
    }

    /// Accepts an invitation. Throws `unsupportedCapability`.
    public func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.members, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.join(thread, receipt: receipt)
        }
    }

    /// Leaves the thread. No later event of it reaches the account. Throws `unsupportedCapability`.
    public func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.members, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.leave(thread, receipt: receipt)
        }
    }

    /// Hides the thread until its next message, or shows it again. Throws `unsupportedCapability`.
    public func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.members, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.setHidden(isHidden, thread, receipt: receipt)
        }
    }

    /// Merges fields into the thread's; empty values are ignored. Returns all fields of the thread after that.
    public func setCustomFields(
        _ fields: [String: String], of thread: String
    ) async throws(ChatError) -> [String: String] {
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.setCustomFields(fields, of: thread)
        }
    }

    /// Sets the customer's names; nil removes a name. Returns the customer after that.
    public func setCustomer(_ draft: CustomerDraft) async throws(ChatError) -> Customer {
        try await connection.perform { (connection) throws(ChatError) in try await connection.setCustomer(draft) }
    }

    /// Merges fields into the customer's; empty values are ignored. Returns all fields of the customer after that.
    public func setCustomerCustomFields(_ fields: [String: String]) async throws(ChatError) -> [String: String] {
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.setCustomerCustomFields(fields)
        }
    }
}
