import Bounds
import ChatModel
import ChatStore
import Synchronization

/// Reads the log for the collections, or for the notifications. It takes events from the writer's thread into an inbox,
/// and handles them in a task, in the order of the log, one batch at a time. The handler may wait, for example for the
/// store: later events wait in the inbox.
final class LogReader: Sendable {
    /// Called with events in the order of the log. Nil says that events were dropped, because more waited than the
    /// inbox may hold.
    typealias Handler = @Sendable ([LogEvent]?) async -> Void

    private struct Inbox {
        var events: [LogEvent] = []
        var byteCount = 0
        var head: Int64 = 0
        var isOverrun = false
        /// ``EventFeed/restarts`` as of the last events.
        var restarts = 0
        var isDraining = false
        /// Everything up to here was handled.
        var reached: Int64 = 0
        /// Who waits for an offset to be reached.
        var waiting: [(offset: Int64, reached: Answer<Void>)] = []
    }

    private let inbox = Mutex(Inbox())
    private let subscription = Mutex<Subscription?>(nil)
    private let capacity: Int
    private let clock: any Clock<Duration>
    private let patience: Duration

    /// - Parameters:
    ///   - capacity: how many bytes of events may wait.
    ///   - patience: how long ``reach(_:)`` waits.
    ///   - isWanted: whether an event concerns this reader. It runs on the writer's thread, so it must be quick.
    init(
        _ feed: EventFeed, capacity: Int = ByteBound.inbox.bytes, clock: any Clock<Duration> = ContinuousClock(),
        patience: Duration = .seconds(10), isWanted: @escaping @Sendable (LogEvent) -> Bool,
        handler: @escaping Handler
    ) {
        self.capacity = capacity
        self.clock = clock
        self.patience = patience
        let made = feed.subscribe { [weak self, weak feed] events in
            guard let self, let feed else { return }
            receive(events, head: feed.head, restarts: feed.restarts, isWanted, handler)
        }
        subscription.withLock { $0 = made }
        let (head, restarts) = (feed.head, feed.restarts)
        inbox.withLock { inbox in
            inbox.head = max(inbox.head, head)
            inbox.restarts = max(inbox.restarts, restarts)
            if !inbox.isDraining { inbox.reached = inbox.head }
        }
    }

    deinit { subscription.withLock { $0 }?.cancel() }

    private func receive(
        _ events: [LogEvent], head: Int64, restarts: Int, _ isWanted: (LogEvent) -> Bool, _ handler: @escaping Handler
    ) {
        // An ephemeral event comes on any thread, when the head's own events may still be on their way here.
        guard events.isEmpty || events.contains(where: { $0.offset != nil }) else { return }
        let starts = inbox.withLock { inbox in
            for event in events where event.offset != nil && !inbox.isOverrun && isWanted(event) {
                inbox.events.append(event)
                inbox.byteCount += event.byteCount
            }
            // After a restart of the log, events are missing that were never told.
            let isWhole = restarts == inbox.restarts
            inbox.restarts = restarts
            if inbox.byteCount > capacity || !isWhole {
                inbox.isOverrun = true
                (inbox.events, inbox.byteCount) = ([], 0)
            }
            // Not the last event's offset: history may have moved the log's head without one.
            inbox.head = max(inbox.head, head)
            if inbox.isDraining { return false }
            // Nothing to handle, and nobody waits: most commits concern no collection.
            if inbox.events.isEmpty, !inbox.isOverrun, inbox.waiting.isEmpty {
                inbox.reached = inbox.head
                return false
            }
            inbox.isDraining = true
            return true
        }
        if starts { Task { [weak self] in await self?.drain(handler) } }
    }

    private func drain(_ handler: Handler) async {
        while true {
            let next = inbox.withLock { inbox -> (events: [LogEvent]?, head: Int64) in
                defer { (inbox.events, inbox.byteCount, inbox.isOverrun) = ([], 0, false) }
                return (inbox.isOverrun ? nil : inbox.events, inbox.head)
            }
            if next.events?.isEmpty != true { await handler(next.events) }
            let (due, isDone) = inbox.withLock { inbox in
                inbox.reached = next.head
                let due = inbox.waiting.filter { $0.offset <= next.head }
                inbox.waiting.removeAll { $0.offset <= next.head }
                inbox.isDraining = inbox.head > next.head || inbox.isOverrun
                return (due, !inbox.isDraining)
            }
            for one in due { one.reached.give(()) }
            if isDone { return }
            await Task.yield()
        }
    }

    /// Waits until all events up to an offset were handled, for ``patience`` at most. The offset must have been
    /// committed, otherwise nothing may ever reach it. Returns whether it was reached.
    @discardableResult
    func reach(_ offset: Int64) async -> Bool {
        let awaited = inbox.withLock { inbox -> Answer<Void>? in
            guard inbox.reached < offset else { return nil }
            let reached = Answer<Void>()
            inbox.waiting.append((offset, reached))
            return reached
        }
        guard let awaited else { return true }
        if await awaited.value(within: patience, on: clock) != nil { return true }
        inbox.withLock { $0.waiting.removeAll { $0.reached === awaited } }
        return false
    }
}
