import Chat
import ChatModel
import ChatStore

extension LocalConnection {
    func send(_ draft: MessageDraft, to thread: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            let author = Author(try transaction.account(account).customer)
            return try MessageWork(transaction: transaction)
                .send(draft, .toAgent, author: author, from: .account(account), to: &record, receipt: receipt)
        }
    }

    func edit(_ message: String, in thread: String, text: String, ifMatch version: Int64?) async throws(ChatError) -> Outcome {
        try await unit(thread) { transaction, record in
            try MessageWork(transaction: transaction)
                .edit(message, by: .toAgent, text: text, ifMatch: version, in: &record)
        }
    }

    func remove(_ message: String, in thread: String, ifMatch version: Int64?) async throws(ChatError) {
        try await unit(thread) { transaction, record in
            try MessageWork(transaction: transaction).remove(message, by: .toAgent, ifMatch: version, in: &record)
        }
    }
}
