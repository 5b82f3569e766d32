import Chat
import ChatModel
import ChatStore
import Formats

/// How a conversation is put out of the desk's list for a time, and what brings it back: its time (``SnoozeTimer``), an
/// agent, a customer's message where the agent wanted that, and the conversation's end.
extension LocalDesk {
    public func snooze(
        _ thread: DeskThread, _ draft: SnoozeDraft, as agent: Agent? = nil, ifMatch version: Int64? = nil
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, nil) { transaction, live, record in
            try ThreadRules.checkOpen(record.thread)
            guard Snooze.lengths.contains(draft.until.milliseconds - transaction.now.milliseconds) else {
                throw ChatError(
                    .invalidParameter, "A time from 5 minutes to a year ahead was expected.", pointer: "/until")
            }
            let agent = try transaction.named(agent ?? LocalDesk.anyone)
            record.team.snooze = Snooze(until: draft.until, by: agent, wakesOnReply: draft.wakesOnReply)
            record.team.remindedAt = nil
            live.snoozeEnd = draft.until
            try transaction.saveForDesk(&record)
        }
    }

    public func wake(
        _ thread: DeskThread, as agent: Agent? = nil, ifMatch version: Int64? = nil
    ) async throws(ChatError) -> Outcome {
        try await liveUnit(thread, as: agent, ifMatch: version, nil) { transaction, _, record in
            guard record.team.snooze != nil else { return }
            record.endSnooze()
            try transaction.saveForDesk(&record)
        }
    }
}

extension ThreadRecord {
    /// The thread is in the desk's list again; the caller saves it.
    mutating func endSnooze() { team.snooze = nil }

    /// The customer has written.
    mutating func endSnoozeByReply() { if team.snooze?.wakesOnReply == true { endSnooze() } }
}
