import Chat
import ChatModel
import ChatStore
import Formats

/// How a closed conversation is opened again: by an agent, or by its customer's next message (`reopenDays`).
extension LocalDesk {
    public func reopen(
        _ thread: DeskThread, as agent: Agent? = nil, ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, receipt) { transaction, live, record in
            guard record.thread.state == .closed else {
                throw ChatError(.illegalThreadState, "The thread \(thread.id) is open.")
            }
            try transaction.checkReopen(record)
            live.reopen(&record, for: record.thread.agent)
            try transaction.openContact(for: &record, at: transaction.now)
            try live.save(&record, in: transaction)
        }
    }
}

extension ReadTransaction {
    /// Throws `illegalThreadState` where a closed thread cannot be opened again: a live chat, or on a channel that holds one
    /// open thread at a time another one is open, which has a message.
    func checkReopen(_ record: ThreadRecord) throws {
        let channel = try channel(record.owner.key.channel, of: LocalService.serviceID)
        guard channel?.mode != .liveChat else {
            throw ChatError(.illegalThreadState, "A live chat that has ended is not opened again.")
        }
        guard
            try channel?.mode == .multithread
                || openThreads(of: record.owner.number, limit: 2).allSatisfy({ $0.thread.state == .pending })
        else {
            throw ChatError(.illegalThreadState, "The customer has another open thread on this channel.")
        }
    }
}

extension WriteTransaction {
    /// Whether the customer's next message opens the closed thread again: its channel wants it, and it was closed so few days
    /// ago.
    func canReopen(_ record: ThreadRecord) throws -> Bool {
        guard record.thread.state == .closed,
            let days = try channel(record.owner.key.channel, of: LocalService.serviceID)?.reopenDays, days > 0
        else { return false }
        let closedAt = record.thread.contactClosedAt ?? record.thread.updatedAt
        guard now < closedAt.advanced(byMilliseconds: Int64(days) * 86_400_000) else { return false }
        do {
            try checkReopen(record)
            return true
        } catch let error as ChatError where error.code != .storageFailed {
            return false
        }
    }
}

extension LiveChatWork {
    /// Opens a closed thread again, which is no live chat. Its next contact goes on with the last one. The caller opens that
    /// contact and saves the thread.
    ///
    /// - Parameter agent: who has it then; nil for nobody, so that the whole team sees it.
    func reopen(_ record: inout ThreadRecord, for agent: Agent?) {
        record.thread.state = .ready
        record.isReopened = true
        if let former = record.thread.agent, former.id != agent?.id { record.thread.previousAgent = former }
        record.thread.agent = agent
    }
}
