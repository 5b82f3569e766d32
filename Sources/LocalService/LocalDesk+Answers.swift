import Chat
import ChatModel
import ChatStore

/// The answers that agents keep for all of them. Desks that are open are told of each change.
extension LocalDesk {
    public func cannedAnswers() async throws(ChatError) -> [CannedAnswer] {
        try await store.read { try $0.cannedAnswers() }
    }

    public func cannedAnswer(_ id: String) async throws(ChatError) -> CannedAnswer {
        try await store.read { try $0.cannedAnswer(id) }
    }

    public func keepAnswer(_ text: String, as name: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        let (answer, outcome) = try await store.write { transaction in
            let (answer, isNew) = try transaction.keepAnswer(text, as: name)
            let outcome = Outcome(isNew ? .created : .ok, id: answer.id, body: answer.canonicalJSON)
            try transaction.record(receipt, outcome)
            return (answer, outcome)
        }
        store.feed.publish(AnswerUpdatedEvent(id: answer.id, answer: answer), to: [.desk])
        return outcome
    }

    public func removeAnswer(_ id: String) async throws(ChatError) {
        try await store.write { try $0.removeAnswer(id) }
        store.feed.publish(AnswerUpdatedEvent(id: id, answer: nil), to: [.desk])
    }
}
