import ChatModel
import ChatStore

/// Messages: the SDK's `ChatThreadProvider.send`, and what Parley adds.
extension ChatClient {
    /// Sends a message. The outcome is `created`, or `ok` when a message of this id and content was sent before. On a
    /// remote service its message may still be pending after 10 s, or failed, as ``resendPolicy`` says.
    ///
    /// Throws `invalidParameter`, `textTooLong`, `illegalThreadState` for a closed thread, `messageIdConflict`,
    /// `notConnected`; for a reply `unknownParent`, `replyDepthExceeded`, `replyNotAllowed`.
    public func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try draft.check()
        if draft.parentID != nil { try ThreadRules.check(.replies, on: channel) }
        if draft.postback != nil { try ThreadRules.check(.richMessages, on: channel) }
        if let cache {
            let way = Outbox.Connection(now: { [connection] in connection.openPlatform }) {
                [connection] () throws(ChatError) in try await connection.currentPlatform()
            }
            return try await cache.outbox.send(draft, to: thread, policy: resendPolicy, receipt: receipt, over: way)
        }
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.send(draft, to: thread, receipt: receipt)
        }
    }

    /// Changes the text of an own message. Throws `notAuthor`, `preconditionFailed`, `textTooLong`.
    public func edit(
        _ message: String, in thread: String, text: String, ifMatch version: Int64?
    ) async throws(ChatError) -> Outcome {
        try MessageDraft(text: text).check()
        return try await connection.perform { (connection) throws(ChatError) in
            try await connection.edit(message, in: thread, text: text, ifMatch: version)
        }
    }

    /// Sends a failed message again, and answers within 10 s. Throws `messageNotFailed`, `unknownMessage`,
    /// `notConnected`, why it failed again, `eventTimeout`.
    public func resend(_ message: String, in thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        guard let cache else {
            _ = try await self.message(message, in: thread)
            throw ChatError(.messageNotFailed, "The message \(message) was sent.")
        }
        let outcome = try await Deadline(clock: clock).run { [self] () throws(ChatError) in
            try await cache.outbox.resend(message, in: thread, over: try await connection.currentPlatform())
        }
        if let receipt { try await store.record(receipt, outcome: outcome) }
        return outcome
    }

    /// Removes an own message, also one that could not be sent. Its text is removed from the log's events too.
    ///
    /// Throws `notAuthor`, `preconditionFailed`, `messageNotFailed` for one that is being sent.
    public func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        if let cache, try await cache.outbox.remove(message, in: thread) { return }
        try await connection.perform { (connection) throws(ChatError) in
            try await connection.remove(message, in: thread, ifMatch: version)
        }
    }
}
