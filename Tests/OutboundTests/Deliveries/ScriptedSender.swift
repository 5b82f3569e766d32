import ChatModel
import ChatStore
import Formats
import Synchronization
import TestSupport

@testable import Outbound

/// Answers attempts as a test says, at once or when it says so.
final class ScriptedSender: Sendable {
    struct Attempt: Sendable, Equatable {
        /// The event's offset; nil for what is no event.
        var offset: Int64?
        var type: String
        var thread: String?
    }

    private struct State {
        var answer: @Sendable (Attempt) -> AttemptReport? = { _ in AttemptReport(.delivered, status: 200) }
        var begun: [Attempt] = []
        var waiting: [(attempt: Attempt, target: String, continuation: CheckedContinuation<AttemptReport, Never>)] = []
    }
    private let state = Mutex(State())
    private let lanes: Int

    init(concurrency: Int = 8) { lanes = concurrency }

    /// Nil keeps the attempt waiting until ``end(_:where:)``.
    func answer(_ answer: @escaping @Sendable (Attempt) -> AttemptReport?) { state.withLock { $0.answer = answer } }

    func answer(_ outcome: AttemptOutcome, retryAfter: Duration? = nil) {
        answer { _ in AttemptReport(outcome, retryAfter: retryAfter) }
    }

    /// All attempts, as they began.
    var begun: [Attempt] { state.withLock { $0.begun } }
    /// Offsets of the attempts, as they began.
    var offsets: [Int64] { begun.compactMap(\.offset) }
    var inFlight: [Attempt] { state.withLock { $0.waiting.map(\.attempt) } }

    /// Ends the attempts in flight that are meant.
    func end(
        _ report: AttemptReport = AttemptReport(.delivered, status: 200),
        where isMeant: (Attempt) -> Bool = { _ in true }
    ) {
        let due = state.withLock { state in
            let due = state.waiting.filter { isMeant($0.attempt) }
            state.waiting.removeAll { isMeant($0.attempt) }
            return due
        }
        for one in due { one.continuation.resume(returning: report) }
    }

    /// Ends the attempts in flight to one target.
    func end(_ report: AttemptReport = AttemptReport(.delivered, status: 200), of target: String) {
        let due = state.withLock { state in
            let due = state.waiting.filter { $0.target == target }
            state.waiting.removeAll { $0.target == target }
            return due
        }
        for one in due { one.continuation.resume(returning: report) }
    }

    var policy: WebhookPolicy {
        WebhookPolicy { target in
            DeliveryRoute(
                kind: .webhook, title: { "webhook \(target.id)" }, concurrency: self.lanes,
                wants: { $0.type == .messageCreated }, attempt: { await self.attempt($0, to: target) })
        }
    }

    private func attempt(_ content: DeliveryContent, to target: TargetRecord) async -> AttemptReport {
        let attempt =
            switch content {
            case .event(let found):
                Attempt(
                    offset: found.event.offset, type: found.event.type.rawValue,
                    thread: (try? JSONParser.parse(found.event.data))?["threadId"]?.string)
            case .gap(let gap): Attempt(offset: nil, type: "reset \(gap.from) \(gap.to)", thread: nil)
            case .test, .push: Attempt(offset: nil, type: "test", thread: nil)
            }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> AttemptReport? in
                    state.begun.append(attempt)
                    if Task.isCancelled { return AttemptReport(.targetFailed) }
                    let answer = state.answer(attempt)
                    if answer == nil { state.waiting.append((attempt, target.id, continuation)) }
                    return answer
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            end(AttemptReport(.targetFailed), where: { $0 == attempt })
        }
    }
}
