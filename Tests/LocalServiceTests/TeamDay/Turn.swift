import Chat
import ChatModel
import ChatStore
import Formats
import LocalService

/// What an agent or a bot does within a minute, at the same time as all others.
struct Turn: Sendable {
    /// A conversation as the list has shown it.
    struct Waiting: Sendable {
        let id: String
        let agent: String?
        /// Its newest message, by id and by version.
        let latest: String
        let seen: Int64
    }

    struct Deed: Sendable {
        enum Kind: Sendable {
            case said(DayLedger.Line, Timestamp)
            case closed, snoozed
            case tagged(String)
            case refused(ChatError.Code)
        }
        let thread: String
        let agent: String
        let kind: Kind
        /// Later deeds have greater ones.
        let version: Int64
    }

    let desk: LocalDesk
    let agent: Agent
    let thread: Waiting
    let message: String
    let now: Timestamp
    /// From 0 to 99: what becomes of the conversation after the answer.
    let draw: Int
    let tag: String

    /// Whether the agent answers after the others have, by what the list had shown before.
    var readsLong: Bool { draw >= 80 }

    private var place: DeskThread { DeskThread(id: thread.id) }

    static func time(of message: Outcome) throws(ChatError) -> Timestamp {
        guard let json = try? JSONParser.parse(message.body), let text = json["createdAt"]?.string,
            let time = Timestamp(rfc3339: text)
        else { throw ChatError(.storageFailed, "A message without its time.") }
        return time
    }

    func take() async -> [Deed] {
        var deeds: [Deed] = []
        do throws(ChatError) {
            if agent.isBot {
                try await answerAsBot(&deeds)
            } else {
                try await answerAsPerson(&deeds)
            }
        } catch {
            deeds.append(Deed(thread: thread.id, agent: agent.id, kind: .refused(error.code), version: .max))
        }
        return deeds
    }

    /// A bot claims the conversation unless it has it, answers, and ends it or hands it over.
    private func answerAsBot(_ deeds: inout [Deed]) async throws(ChatError) {
        if thread.agent == nil { _ = try await desk.assign(agent, to: place, if: .nobodys, receipt: nil) }
        try await say(under: AnswerTerms(condition: .mine, latest: thread.latest), &deeds)
        if draw < 40 {
            try await close(&deeds)
        } else {
            _ = try await desk.release(place, as: agent, if: .mine, receipt: nil)
        }
    }

    /// A person answers, which makes the conversation theirs, and may tag it, lay it aside, or close it.
    private func answerAsPerson(_ deeds: inout [Deed]) async throws(ChatError) {
        try await say(
            under: AnswerTerms(condition: .mineOrNobodys, latest: thread.latest, assigns: true), &deeds)
        if draw % 10 == 0 {
            let outcome = try await desk.setTags([tag], of: place, as: agent)
            note(.tagged(tag), outcome, &deeds)
        }
        if draw < 55 {
            try await close(&deeds)
        } else if draw < 62 {
            let until = now.advanced(byMilliseconds: Int64(draw - 50) * 300_000)
            let draft = SnoozeDraft(until: until, wakesOnReply: draw % 2 == 0)
            note(.snoozed, try await desk.snooze(place, draft, as: agent), &deeds)
        }
    }

    private func say(under terms: AnswerTerms, _ deeds: inout [Deed]) async throws(ChatError) {
        let sent = try await desk.send(
            MessageDraft(id: message, text: "answer"), as: agent, to: place, under: terms, receipt: nil)
        let line = DayLedger.Line(
            id: message, author: agent.id, isBot: agent.isBot, version: sent.version ?? 0, seen: thread.seen)
        note(.said(line, try Self.time(of: sent)), sent, &deeds)
    }

    private func close(_ deeds: inout [Deed]) async throws(ChatError) {
        let outcome = try await desk.close(place, as: agent, if: .mine, receipt: nil)
        note(.closed, outcome, &deeds)
    }

    private func note(_ kind: Deed.Kind, _ outcome: Outcome, _ deeds: inout [Deed]) {
        deeds.append(Deed(thread: thread.id, agent: agent.id, kind: kind, version: outcome.version ?? 0))
    }
}
