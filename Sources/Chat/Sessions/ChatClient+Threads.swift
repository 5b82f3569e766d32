import ChatModel
import ChatStore

/// What the session itself does for threads besides asking the service, because it changes the session's own state.
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

    /// Ends a live chat's contact. The thread takes no more messages, and the session is `closed` until a new
    /// conversation begins.
    ///
    /// Throws `illegalChatState` on a channel that is no live chat, and `preconditionFailed`.
    public func endContact(
        _ thread: String, ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await checkThread(thread)
        try ThreadRules.checkEnd(on: channel)
        let outcome = try await perform(needing: .liveChat) { (connection) throws(ChatError) in
            try await connection.endContact(thread, ifMatch: version, receipt: receipt)
        }
        await connection.contactEnded()
        return outcome
    }
}
