import Synchronization

/// What waits for faults: their ends, the steps of scripts, and answers that are delayed. Nothing waits longer than the
/// fault or the script that it belongs to, or than the gateway. May be used from any task.
final class FaultSleeps: Sendable {
    private struct State {
        var last = 0
        var waiting: [Int: (owners: [String], task: Task<Bool, Never>)] = [:]
        var isClosed = false
    }

    private let state = Mutex(State())
    private let clock: any Clock<Duration>

    init(_ clock: any Clock<Duration>) { self.clock = clock }

    /// How many wait.
    var count: Int { state.withLock { $0.waiting.count } }

    /// Calls the closure later, unless the waiting is ended before.
    ///
    /// - Parameter owners: the ids of fault and script. The end of any of them ends the waiting.
    func after(_ milliseconds: Int, of owners: [String], _ body: @escaping @Sendable () -> Void) {
        start(milliseconds, owners) { body() }
    }

    /// Begins to wait. Its value comes after that time, or when the waiting is ended, which no end of a fault or a
    /// script does: whether the time is over. Nil after ``close()``.
    func wait(_ milliseconds: Int) -> Task<Bool, Never>? { start(milliseconds, []) {} }

    /// Returns after that time, or when the waiting is ended.
    func sleep(_ milliseconds: Int) async {
        guard let task = wait(milliseconds) else { return }
        _ = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Ends the waiting that belongs to a fault or a script.
    func end(of owner: String) { end { $0.contains(owner) } }

    func endAll() { end { _ in true } }

    /// Ends all waiting, also what begins later.
    func close() {
        state.withLock { $0.isClosed = true }
        endAll()
    }

    /// Nil after ``close()``.
    @discardableResult
    private func start(
        _ milliseconds: Int, _ owners: [String], _ body: @escaping @Sendable () -> Void
    ) -> Task<Bool, Never>? {
        state.withLock { state in
            guard !state.isClosed else { return nil }
            state.last += 1
            let number = state.last
            let task = Task { [clock, weak self] in
                try? await clock.sleep(for: .milliseconds(milliseconds))
                guard self?.take(number) == true else { return false }
                body()
                return true
            }
            state.waiting[number] = (owners, task)
            return task
        }
    }

    /// Whether it was not ended before.
    private func take(_ number: Int) -> Bool { state.withLock { $0.waiting.removeValue(forKey: number) != nil } }

    private func end(_ isEnded: ([String]) -> Bool) {
        let ended = state.withLock { state in
            let ended = state.waiting.filter { isEnded($0.value.owners) }
            for number in ended.keys { state.waiting[number] = nil }
            return ended.values.map(\.task)
        }
        for task in ended { task.cancel() }
    }
}
