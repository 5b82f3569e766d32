import Chat
import ChatModel
import ChatStore
import Formats

/// Working together at the desk: counts, reopening, tags.
extension LocalDesk {
    public func counts(of agent: String?, within channels: Set<String>?) async throws(ChatError) -> DeskCounts {
        try await store.read { try $0.deskCounts(of: agent, within: channels) }
    }

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

    public func setTags(
        _ tags: [String], of thread: DeskThread, as agent: Agent? = nil, ifMatch version: Int64? = nil
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, nil) { transaction, _, record in
            guard tags != record.team.tags else { return }
            try transaction.setTags(tags, of: &record)
            try transaction.saveForDesk(&record)
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

/// The answers that agents keep for all of them. Desks that are open are told of each change.
extension LocalDesk {
    public func cannedAnswers() async throws(ChatError) -> [CannedAnswer] {
        try await store.read { try $0.cannedAnswers() }
    }

    public func cannedAnswer(_ id: String) async throws(ChatError) -> CannedAnswer {
        try await store.read { try $0.cannedAnswer(id) }
    }

    public func keepAnswer(_ draft: CannedAnswerDraft, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let (answer, before, outcome) = try await store.write { transaction in
            for channel in (draft.channels ?? nil) ?? [] { _ = try transaction.localChannel(channel) }
            let (answer, before) = try transaction.keepAnswer(draft)
            let outcome = Outcome(before == nil ? .created : .ok, id: answer.id, body: answer.canonicalJSON)
            try transaction.record(receipt, outcome)
            return (answer, before, outcome)
        }
        // Who does not see it any more is told that it is gone.
        if let before, before.channels != answer.channels {
            store.feed.publish(AnswerUpdatedEvent(id: answer.id, answer: nil), to: [.desk])
        }
        store.feed.publish(AnswerUpdatedEvent(id: answer.id, answer: answer), to: [.desk])
        return outcome
    }

    public func removeAnswer(_ id: String) async throws(ChatError) {
        try await store.write { try $0.removeAnswer(id) }
        store.feed.publish(AnswerUpdatedEvent(id: id, answer: nil), to: [.desk])
    }
}
