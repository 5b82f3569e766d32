import Chat
import ChatModel
import ChatStore

/// Who may edit or remove a message of the embedded service, and until when. Asked inside the unit that makes the change.
///
/// | | a customer | the desk |
/// |---|---|---|
/// | edit | an own message, in a thread that takes messages | any message of the desk, in such a thread |
/// | remove | an own message without replies | any message without replies |
extension MessageWork.Party {
    /// Whether the party wrote the message. A customer owns the own messages only; the desk's agents share theirs.
    func wrote(_ message: Message) -> Bool {
        switch self {
        case .customer(let account): account.wrote(message)
        case .agent: message.direction == .toClient
        }
    }

    /// Throws `notAuthor`, and `illegalThreadState` for a closed thread.
    func checkEdit(_ message: Message, in thread: ChatThread) throws(ChatError) {
        guard wrote(message) else {
            throw ChatError(.notAuthor, "Only its author may change the message \(message.id).")
        }
        try ThreadRules.checkSend(thread)
    }

    /// Throws `notAuthor`, and `parentHasReplies`: the replies would have lost what they answer. A thread may be closed.
    func checkRemove(_ message: Message) throws(ChatError) {
        if case .customer = self, !wrote(message) {
            throw ChatError(.notAuthor, "Only its author, or the desk, may remove the message \(message.id).")
        }
        guard message.replyCount == 0 else {
            throw ChatError(.parentHasReplies, "The message \(message.id) has replies.")
        }
    }
}
