import ChatModel
import ChatStore

/// Messages: the SDK's `ChatThreadProvider.send`, and what Parley adds.
extension ChatClient {
    /// Sends a message. The outcome is `created`, or `ok` when this id was sent before with the same content.
    ///
    /// Throws `invalidParameter`, `textTooLong`, `illegalChatState` for a closed thread,
    /// `messageIdConflict`, `notConnected`; for a reply `unknownParent`, `replyDepthExceeded`, `replyNotAllowed`.
    public nonisolated func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try draft.check()
        if draft.parentID != nil { try ThreadRules.check(.replies, on: channel) }
        return try await perform { (connection) throws(ChatError) in try await connection.send(draft, to: thread, receipt: receipt) }
    }

    /// Changes the text of an own message. Throws `notAuthor`, `preconditionFailed`, `textTooLong`.
    public nonisolated func edit(_ message: String, in thread: String, text: String, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try MessageDraft(text: text).check()
        return try await perform { (connection) throws(ChatError) in
            try await connection.edit(message, in: thread, text: text, ifMatch: version)
        }
    }

    /// Removes an own message; its text leaves the log as well. Throws `notAuthor`, `preconditionFailed`.
    public nonisolated func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        try await perform { (connection) throws(ChatError) in try await connection.remove(message, in: thread, ifMatch: version) }
    }
}
