import Chat
import ChatModel
import ChatStore
import Formats

/// Working together at the desk: counts and tags.
extension LocalDesk {
    public func counts(of agent: String?, within channels: Set<String>?) async throws(ChatError) -> DeskCounts {
        try await store.read { try $0.deskCounts(of: agent, within: channels) }
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
