import Synchronization

/// ``WaitingLine`` for tasks: a work waits for its turn, as long as its task is not cancelled.
public final class PlaceLine: Sendable {
    private struct State {
        var line: WaitingLine
        var last: WaitingLine.Ticket = 0
        var waiting: [WaitingLine.Ticket: CheckedContinuation<Bool, Never>] = [:]
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - limit: works at a time.
    ///   - waiting: works that may wait.
    public init(limit: Int, waiting: Int) {
        state = Mutex(State(line: WaitingLine(limit: limit, waiting: waiting)))
    }

    /// The works that run, and those that wait.
    public var counts: (running: Int, waiting: Int) {
        state.withLock { ($0.line.runningCount, $0.line.waitingCount) }
    }

    /// Why ``enter(_:)`` would refuse the holder now; nil when it would not. So a refusal need not cost a task.
    public func refusal(of holder: Holder) -> PlaceRefusal? { state.withLock { $0.line.refusal(of: holder) } }

    /// Takes a place if there is one. After the work call ``leave(_:)``. It costs less than to wait for one.
    public func enterAtOnce(_ holder: Holder) -> Bool { state.withLock { $0.line.enterAtOnce(holder) } }

    /// Waits for a place. After the work call ``leave(_:)``, on any thread.
    ///
    /// - Throws: ``PlaceRefusal`` when too many wait, and `CancellationError` when the task is cancelled before its turn.
    ///   Then there is no place to give back.
    public func enter(_ holder: Holder) async throws {
        let ticket = state.withLock { state in
            state.last += 1
            return state.last
        }
        let hasPlace = try await withTaskCancellationHandler {
            var refusal: PlaceRefusal?
            let hasPlace = await withCheckedContinuation { continuation in
                let known: Bool? = state.withLock { state in
                    // Under the lock: a cancellation comes either before, or finds the work waiting.
                    if Task.isCancelled { return false }
                    switch state.line.enter(holder, ticket) {
                    case .begins: return true
                    case .refused(let reason):
                        refusal = reason
                        return false
                    case .waits:
                        state.waiting[ticket] = continuation
                        return nil
                    }
                }
                if let known { continuation.resume(returning: known) }
            }
            if let refusal { throw refusal }
            return hasPlace
        } onCancel: {
            let waiting = state.withLock { state in
                state.line.withdraw(holder, ticket) ? state.waiting.removeValue(forKey: ticket) : nil
            }
            waiting?.resume(returning: false)
        }
        if !hasPlace { throw CancellationError() }
    }

    /// Gives the place of ``enter(_:)`` to the next work.
    public func leave(_ holder: Holder) {
        let next = state.withLock { state in state.line.leave(holder).flatMap { state.waiting.removeValue(forKey: $0) }
        }
        next?.resume(returning: true)
    }

    /// Does the work when its turn has come.
    public func holding<T: Sendable>(_ holder: Holder, _ work: @Sendable () async throws -> T) async throws -> T {
        try await enter(holder)
        defer { leave(holder) }
        return try await work()
    }
}
