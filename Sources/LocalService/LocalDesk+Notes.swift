import Chat
import ChatModel
import ChatStore

/// Notes among agents. No customer's operation leads here.
extension LocalDesk {
    public func notes(of thread: DeskThread, page: PageRequest) async throws(ChatError) -> PageBytes {
        try await store.read { try $0.notePage(of: $0.find(thread), page) }
    }

    public func note(_ note: String, of thread: DeskThread) async throws(ChatError) -> Versioned {
        try await store.read { transaction in
            let json = try transaction.note(note, of: transaction.find(thread))
            return Versioned(body: json, version: 1, offset: try transaction.headOffset())
        }
    }

    public func addNote(
        _ text: String, by agent: Agent, to thread: DeskThread, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await unit(thread, as: agent) { transaction, record in
            let agent = try transaction.named(agent)
            try transaction.noteAgent(agent)
            return try transaction.addNote(text, by: Author(agent), to: record, receipt: receipt)
        }
    }

    public func removeNote(_ note: String, of thread: DeskThread, as agent: Agent? = nil) async throws(ChatError) {
        try await unit(thread, as: agent) { transaction, record in try transaction.removeNote(note, of: record) }
    }
}
