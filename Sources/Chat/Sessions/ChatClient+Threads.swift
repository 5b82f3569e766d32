import ChatModel
import ChatStore

/// Threads and customer: the SDK's `ChatThreadListProvider`, `ChatThreadProvider` and `CustomerProvider`.
///
/// Each throws `notConnected` without a connection, and what ``ThreadRules`` says.
extension ChatClient {
    /// A new thread in state `pending`, which the desk sees from its first message on; a live chat is there at once.
    ///
    /// Throws `unsupportedChannelConfig`, `threadIdConflict`; `illegalChatState` for a live chat while the channel is offline.
    public func createThread(_ draft: ThreadDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let outcome = try await connection.perform { (connection) throws(ChatError) in
            try await connection.createThread(draft, receipt: receipt)
        }
        if channel.mode == .liveChat { await connection.conversationBegan() }
        return outcome
    }

    /// Throws `unsupportedChannelConfig`, `illegalThreadState`, `preconditionFailed`.
    public func rename(_ thread: String, to name: String?, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in try await connection.rename(thread, to: name, ifMatch: version) }
    }

    /// Reads the thread from its service again.
    public func load(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in try await connection.load(thread, receipt: receipt) }
    }

    /// Closes the thread; it stays listed. Throws `unsupportedChannelConfig`, `illegalChatState`.
    public func archive(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in try await connection.archive(thread, receipt: receipt) }
    }

    /// Marks what the customer has seen; nothing happens to a pending or closed thread.
    public func markRead(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await connection.perform { (connection) throws(ChatError) in try await connection.markRead(thread, receipt: receipt) }
    }

    /// Tells the agent that the customer types. Throws `illegalThreadState`.
    public func reportTyping(_ isTyping: Bool, in thread: String) async throws(ChatError) {
        try await connection.perform { (connection) throws(ChatError) in try await connection.reportTyping(isTyping, in: thread) }
    }

    /// Ends a live chat's contact. Throws `illegalChatState` elsewhere.
    ///
    /// The session is `closed` then, until a new conversation begins; the thread takes no more messages.
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

    /// Has the platform mail the thread's transcript. Throws `illegalThreadState` before the first message, `invalidParameter`
    /// for what is no address, `sendTranscriptFailed`, `unsupportedCapability`.
    public func sendTranscript(_ thread: String, to address: String) async throws(ChatError) {
        try await checkThread(thread)
        try ThreadRules.check(.transcript, on: channel)
        guard EmailAddress.isValid(address) else {
            throw ChatError(.invalidParameter, "An e-mail address was expected.", pointer: "/email")
        }
        try await connection.perform { (connection) throws(ChatError) in try await connection.sendTranscript(of: thread, to: address) }
    }

    /// Hides what was said up to now from this account; others keep it (Sendbird's `resetMyHistory`). Throws `unsupportedCapability`.
    public func resetHistory(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.historyReset, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in try await connection.resetHistory(thread, receipt: receipt) }
    }

    /// Accepts an invitation. Throws `unsupportedCapability`.
    public func join(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.members, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in try await connection.join(thread, receipt: receipt) }
    }

    /// Leaves the thread for good: nothing more of it reaches the account. Throws `unsupportedCapability`.
    public func leave(_ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.members, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in try await connection.leave(thread, receipt: receipt) }
    }

    /// Hides the thread until its next message, or shows it again. Throws `unsupportedCapability`.
    public func setHidden(_ isHidden: Bool, _ thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.check(.members, on: channel)
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.setHidden(isHidden, thread, receipt: receipt)
        }
    }

    /// Merges the fields into the thread's, empty values left out. Returns them all.
    public func setCustomFields(_ fields: [String: String], of thread: String) async throws(ChatError) -> [String: String] {
        try await connection.perform { (connection) throws(ChatError) in try await connection.setCustomFields(fields, of: thread) }
    }

    /// Sets the customer's names; an absent one is taken away. Returns the customer.
    public func setCustomer(_ draft: CustomerDraft) async throws(ChatError) -> Customer {
        try await connection.perform { (connection) throws(ChatError) in try await connection.setCustomer(draft) }
    }

    /// Merges the fields into the customer's, empty values left out. Returns them all.
    public func setCustomerCustomFields(_ fields: [String: String]) async throws(ChatError) -> [String: String] {
        try await connection.perform { (connection) throws(ChatError) in try await connection.setCustomerCustomFields(fields) }
    }
}
