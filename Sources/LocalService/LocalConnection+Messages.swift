import Chat
import ChatModel
import ChatStore

extension LocalConnection {
    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await joinedLiveUnit(thread) { transaction, live, record in
            try work(transaction).send(draft, to: &record, live: &live, receipt: receipt)
        }
    }

    func edit(_ message: String, in thread: String, text: String, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await joinedUnit(thread) { transaction, record in
            try work(transaction).edit(message, text: text, ifMatch: version, in: &record)
        }
    }

    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        try await joinedUnit(thread) { transaction, record in
            try work(transaction).remove(message, ifMatch: version, in: &record)
        }
    }

    private func work(_ transaction: WriteTransaction) throws -> MessageWork {
        MessageWork(transaction: transaction, party: .customer(try transaction.account(account)))
    }
}
