import Chat
import ChatModel
import ChatStore
import Synchronization

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
