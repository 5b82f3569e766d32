import Chat
import ChatModel
import ChatStore

/// Which agent handles a thread, and until when.
///
/// Each function answers with the thread as the desk sees it. They throw `unknownThread`, `ambiguousThread`,
/// `preconditionFailed`, and `illegalThreadState` for a closed thread.
extension LocalDesk {
    /// Gives the thread to an agent, also when another agent has it, unless the condition says otherwise: that one
    /// becomes `previousAgent`.
    public func assign(
        _ agent: Agent, to thread: DeskThread, as actor: Agent? = nil, if condition: AgentCondition? = nil,
        ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: actor ?? agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try ThreadRules.check(condition, of: actor ?? agent, on: record.thread)
            try live.take(&record, by: agent, in: transaction)
        }
    }

    /// Takes the thread from its agent. A live chat waits in the queue again, by the time at which it was created.
    public func release(
        _ thread: DeskThread, as agent: Agent? = nil, if condition: AgentCondition? = nil,
        ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try ThreadRules.check(condition, of: agent, on: record.thread)
            try live.release(&record, waits: transaction.isLiveChat(record), in: transaction)
        }
    }

    /// Closes the thread with its contact. It takes no more messages.
    public func close(
        _ thread: DeskThread, as agent: Agent? = nil, if condition: AgentCondition? = nil,
        ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            try ThreadRules.check(condition, of: agent, on: record.thread)
            try live.close(&record, in: transaction)
        }
    }

    /// Closes the contact. A live chat is closed with it; any other thread stays open, and its next message opens a
    /// new contact.
    public func endContact(
        _ thread: DeskThread, as agent: Agent? = nil, ifMatch version: Int64? = nil, receipt: Receipt?
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, receipt) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            if try transaction.isLiveChat(record) {
                try live.close(&record, in: transaction)
            } else {
                try live.endContact(of: &record, in: transaction)
            }
        }
    }

    /// Runs a unit on one thread, and answers with the thread, under the receipt too.
    private func liveUnit(
        _ thread: DeskThread, as agent: Agent?, ifMatch version: Int64?, _ receipt: Receipt?,
        _ work: @escaping @Sendable (WriteTransaction, inout LiveChatWork, inout ThreadRecord) throws -> Void
    ) async throws(ChatError) -> Outcome {
        try await live.write { transaction, live in
            var record = try transaction.find(thread)
            try VersionRule.check(version, record.version)
            try transaction.act(as: agent)
            try work(transaction, &live, &record)
            let outcome = Outcome(.ok, id: thread.id, body: record.deskJSON, version: record.version)
            try transaction.record(receipt, outcome, showing: record)
            return outcome
        }
    }
}

extension ReadTransaction {
    /// Whether the thread's channel is a live chat now. False when the channel does not exist.
    func isLiveChat(_ record: ThreadRecord) throws -> Bool {
        try channel(record.owner.key.channel, of: LocalService.serviceID)?.mode == .liveChat
    }
}
