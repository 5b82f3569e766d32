import ChatModel
import ChatStore

extension ReadTransaction {
    /// The thread of a message, if an account is to be told of the message by a notification or a push; otherwise nil.
    ///
    /// An account is not told of its own messages, of messages in a thread to which it is only invited, and of replies
    /// in a reply thread in which it takes no part.
    package func thread(telling account: Int64, of message: Message) throws -> ThreadRecord? {
        let own = try self.account(account)
        guard !own.wrote(message),
            let record = try thread(message.threadID, of: account),
            record.members.contains(where: { $0.account == account && $0.state == .joined })
        else { return nil }
        if let parent = message.parentID {
            let authors = own.authorIDs.map { Author(id: $0, kind: .customer) }
            guard try authors.contains(where: { try hasPart(in: parent, of: record, $0) }) else { return nil }
        }
        return record
    }
}

extension ReadTransaction {
    /// The thread of a message, if the desk is to be told of the message; otherwise nil. The desk is told of what
    /// customers write.
    ///
    /// A new thread is not announced by itself: the desk learns of it by its first message.
    ///
    /// - Parameter number: the message's row; nil where the event names none, and then the result is nil.
    package func thread(tellingDeskOf message: Message, number: Int64?) throws -> ThreadRecord? {
        guard message.direction == .toAgent, let record = try number.flatMap({ try thread(ofMessage: $0) }),
            record.isKnownToDesk
        else { return nil }
        return record
    }
}

extension LogEvent {
    /// The message of a `message.created` event. Nil for other events, and for a message that was removed since.
    package func createdMessage() throws -> Message? {
        guard type == .messageCreated, let change = try messageChange(), case .message(let fact, _) = change.kind else {
            return nil
        }
        return fact.message
    }
}
