import Chat
import ChatModel
import ChatStore
import Formats

/// Since when a customer waits for an answer (`waitingSince`): since the oldest message of the open contact that nobody
/// has answered, or in a live chat without any answer since its beginning.
///
/// What the system says is no answer. A bot that hands over has not answered: then the customer waits since the last
/// own message, and what the bot says after that is no answer either. A live chat that waits in the queue again waits in
/// the same way.
extension WriteTransaction {
    /// Takes a new message into account. The caller saves the thread.
    func noteWaiting(for message: Message, in record: inout ThreadRecord) {
        if record.thread.noteWaiting(for: message) { record.team.remindedAt = nil }
    }

    /// Takes into account that the agent is another now, or none. The caller saves the thread.
    func noteWaiting(afterAgentOf record: inout ThreadRecord) throws {
        guard record.thread.waitingSince == nil, record.thread.isHandedOver || record.thread.queuePosition != nil else {
            return
        }
        record.thread.waitingSince = try waitingSince(in: record)
    }

    /// Takes the removal of a message into account. The caller saves the thread.
    func noteWaiting(without message: Message, in record: inout ThreadRecord) throws {
        let before = record.thread.waitingSince
        if message.direction == .toAgent {
            // Another one may be the first now that nobody has answered.
            if before == message.createdAt { record.thread.waitingSince = try waitingSince(in: record) }
        } else if message.author.kind != .system, let since = try waitingSince(in: record) {
            record.thread.waitingSince = min(since, before ?? since)
        }
    }

    /// What the conversation says, without looking at what the thread says so far.
    private func waitingSince(in record: ThreadRecord) throws -> Timestamp? {
        guard record.thread.canAddMoreMessages, let questions = try openQuestions(in: record) else { return nil }
        let isLive = try isLiveChat(record)
        switch questions.lastAnswerer {
        case nil: return isLive ? record.thread.createdAt : questions.firstUnanswered
        case let answerer:
            if let first = questions.firstUnanswered { return first }
            let waits = answerer == .bot && record.thread.isHandedOver || record.thread.queuePosition != nil
            return waits ? questions.last ?? (isLive ? record.thread.createdAt : nil) : nil
        }
    }
}

extension ChatThread {
    /// Whether a bot had the thread and has it no longer, and no other bot has.
    fileprivate var isHandedOver: Bool { previousAgent?.isBot == true && agent?.isBot != true }

    /// Takes the next message of the conversation into account, and returns whether it is an answer.
    @discardableResult
    mutating func noteWaiting(for message: Message) -> Bool {
        if message.direction == .toAgent {
            waitingSince = waitingSince ?? message.createdAt
            return false
        }
        guard message.author.kind != .system, !(message.author.kind == .bot && isHandedOver) else { return false }
        waitingSince = nil
        return true
    }
}
