import Chat
import ChatModel
import ChatStore
import Synchronization
import Formats

/// Tells the threads far behind in a queue their new positions, in small background units.
///
/// The unit that changes a queue tells only the next few threads. This class goes through the whole queue afterwards.
/// If the queue changes meanwhile, it is gone through once more after a pause, so that a long and busy queue takes
/// only a bounded part of the writer's time. Until then the last threads show their old positions.
///
/// Any task may call it.
final class QueueAnnouncer: Sendable {
    private struct State {
        var waiting: [Queue] = []
        var isRunning = false
    }
    private let state = Mutex(State())
    private let store: ChatStore
    private let clock: any Clock<Duration>

    /// The pause between two passes.
    static let pause = Duration.seconds(1)

    init(store: ChatStore, clock: any Clock<Duration>) {
        self.store = store
        self.clock = clock
    }

    /// Puts the queue on the list of those to go through, and returns at once. A queue is on the list at most once.
    func enqueue(_ queue: Queue) {
        let starts = state.withLock { state in
            if !state.waiting.contains(queue) { state.waiting.append(queue) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task { await run() } }
    }

    /// Goes through a queue once at the start: the last stop may have left old positions in it.
    func resume(_ queue: Queue) {
        Task { try? await pass(queue) }
    }

    /// Goes through the queues on the list until it is empty. A pass that fails is repeated, except while the store
    /// shuts down.
    private func run() async {
        while let queue = next() {
            do throws(ChatError) {
                try await pass(queue)
            } catch {
                // The next pass tells what this one could not write.
                if error.code == .shuttingDown { return }
                enqueue(queue)
            }
            try? await clock.sleep(for: Self.pause)
        }
    }

    /// The next queue on the list; nil ends the task.
    private func next() -> Queue? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    /// Goes through one queue from its head to its end, a bounded step for each unit, and tells the customers after
    /// each commit.
    private func pass(_ queue: Queue) async throws(ChatError) {
        var place: MessagePosition?
        repeat {
            let start = place
            let step = try await store.write(inBackground: true) { try $0.tellPositions(in: queue, behind: start) }
            store.feed.publish(step.places)
            place = step.next
        } while place != nil
    }
}

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
