import Chat
import ChatModel
import ChatStore

/// Who handles a thread, and how long.
extension LocalDesk {
    public func assign(_ agent: Agent, to thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try live.take(&record, by: agent, in: transaction)
        }
    }

    public func release(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try live.release(&record, waits: transaction.isLiveChat(record), in: transaction)
        }
    }

    public func close(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try live.close(&record, in: transaction)
        }
    }

    public func endContact(_ thread: DeskThread, receipt: Receipt?) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            if try transaction.isLiveChat(record) {
                try live.close(&record, in: transaction)
            } else {
                try live.endContact(of: &record, in: transaction)
            }
        }
    }

    private func liveUnit(
        _ thread: DeskThread, _ receipt: Receipt?,
        _ work: @escaping @Sendable (WriteTransaction, inout LiveWork, inout ThreadRecord) throws -> Void
    ) async throws(ChatError) -> Outcome {
        try await live.write { transaction, live in
            var record = try transaction.find(thread)
            try work(transaction, &live, &record)
            let outcome = Outcome(.ok, id: thread.id, body: record.deskJSON)
            try transaction.record(receipt, outcome, message: record.lastMessageNumber)
            return outcome
        }
    }
}

extension ReadTransaction {
    func isLiveChat(_ record: ThreadRecord) throws -> Bool {
        try channel(record.owner.key.channel, of: LocalService.serviceID)?.mode == .liveChat
    }
}
