import Chat
import ChatModel
import ChatStore
import Synchronization

/// Tells those far behind in a queue where they stand, after it has changed: in small units for which nobody waits.
///
/// A queue is gone through from its head to its end. If it changes meanwhile it is gone through once more, after a pause, so
/// that a long and busy queue takes a bounded part of the writer's time. Until then its last threads show the position that
/// they were told before.
final class QueuePositions: Sendable {
    private struct State {
        var waiting: [Queue] = []
        var isRunning = false
    }
    private let state = Mutex(State())
    private let store: ChatStore
    private let clock: any Clock<Duration>

    /// Between two passes.
    static let pause = Duration.seconds(1)

    init(store: ChatStore, clock: any Clock<Duration>) {
        self.store = store
        self.clock = clock
    }

    /// Goes through a queue soon.
    func tell(_ queue: Queue) {
        let starts = state.withLock { state in
            if !state.waiting.contains(queue) { state.waiting.append(queue) }
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { Task { await run() } }
    }

    /// Tells what was not told when the gateway stopped.
    func resume(_ queue: Queue) {
        Task { try? await pass(queue) }
    }

    private func run() async {
        while let queue = next() {
            do throws(ChatError) {
                try await pass(queue)
            } catch {
                // What could not be written is told by the next pass.
                if error.code == .shuttingDown { return }
                tell(queue)
            }
            try? await clock.sleep(for: Self.pause)
        }
    }

    private func next() -> Queue? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }

    private func pass(_ queue: Queue) async throws(ChatError) {
        var place: ReadPosition?
        repeat {
            let start = place
            let step = try await store.write(inBackground: true) { try $0.tellPositions(in: queue, behind: start) }
            store.feed.publish(step.places)
            place = step.next
        } while place != nil
    }
}
