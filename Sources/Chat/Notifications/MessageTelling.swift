import ChatModel
import ChatStore

extension ReadTransaction {
    /// The thread of a message of which an account is to be told, by whatever way.
    ///
    /// Nil where it is not: of its own messages, as somebody who is only invited, and of replies in a reply thread in
    /// which it has no part.
    package func thread(telling account: Int64, of message: Message) throws -> ThreadRecord? {
        let customer = try self.account(account).customer
        guard message.author.kind != .customer || message.author.id != customer.id,
              let record = try thread(message.threadID, of: account),
              record.members.contains(where: { $0.account == account && $0.state == .joined }) else { return nil }
        if let parent = message.parentID {
            guard try hasPart(in: parent, of: record, Author(customer)) else { return nil }
        }
        return record
    }
}

extension ReadTransaction {
    /// The thread of a message of which the desk is to be told: what customers write. Nil where it is not.
    ///
    /// The desk hears of a new thread by the first message in it.
    package func thread(tellingDeskOf message: Message, number: Int64?) throws -> ThreadRecord? {
        guard message.direction == .toAgent, let record = try number.flatMap({ try thread(ofMessage: $0) }),
              record.isKnownToDesk else { return nil }
        return record
    }
}

extension LogEvent {
    /// The message that a logged event has made; nil for other events, and where the message was removed since.
    package func createdMessage() throws -> Message? {
        guard type == .messageCreated, let change = try messageChange(), case .message(let fact, _) = change.kind else { return nil }
        return fact.message
    }
}
