import Chat
import ChatModel
import ChatStore

/// What a stand-in for a platform does with messages: there one token stands for everybody who writes.
extension LocalDesk {
    /// Changes text and custom type of a message as its author. Nil stays as it is.
    package func edit(
        anybodys message: String, in thread: DeskThread, text: String?, customType: String?
    ) async throws(ChatError) {
        if let text { try MessageDraft(text: text).check() }
        _ = try await ownUnit(message, in: thread) { work, record in
            try work.edit(message, text: text, customType: customType, ifMatch: nil, in: &record)
        }
    }

    /// Removes a message as its author. If it has replies, an empty one stays, so that they keep what they answer.
    package func remove(anybodys message: String, in thread: DeskThread) async throws(ChatError) {
        try await ownUnit(message, in: thread) { work, record in try work.erase(message, in: &record) }
    }

    /// A unit in which the party is who wrote the message. Throws `unknownMessage`.
    private func ownUnit<T: Sendable>(
        _ message: String, in thread: DeskThread,
        _ body: @escaping @Sendable (MessageWork, inout ThreadRecord) throws -> T
    ) async throws(ChatError) -> T {
        let quotas = store.quotas
        return try await store.write { transaction in
            var record = try transaction.find(thread)
            guard let author = try transaction.message(message, in: record)?.message.author else {
                throw ChatError.unknownMessage(message)
            }
            transaction.actor = author
            var party = MessageWork.Party.agent(Self.anyone)
            if author.kind == .customer {
                var key = record.owner.key
                key = AccountKey(service: key.service, channel: key.channel, customer: author.id)
                guard let account = try transaction.account(key) else { throw ChatError.unknownMessage(message) }
                party = .customer(account)
            }
            return try body(MessageWork(transaction: transaction, party: party, quotas: quotas), &record)
        }
    }
}
