import Gateway
import MicroHTTP
import Synchronization
import TestSupport

/// A loop whose turns a test makes. Jobs wait until then, as they do in the server.
package final class TestLoop: GatewayLoop {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Mutex(State())
    package let addresses: [BoundAddress] = [.tcp(host: "127.0.0.1", port: 8787)]
    package let lastTurn = ContinuousClock.now
    package init() {}

    package var statistics: ServerStatistics { ServerStatistics() }

    @discardableResult
    package func execute(_ job: @escaping @Sendable () -> Void) -> Bool {
        let waiting = state.withLock { state in
            state.jobs.append(job)
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
        return true
    }

    /// Runs what is waiting.
    package func turn() {
        while true {
            let jobs = state.withLock { state in
                defer { state.jobs = [] }
                return state.jobs
            }
            if jobs.isEmpty { return }
            for job in jobs { job() }
        }
    }

    /// Runs what is waiting for as long as some work goes on, which may wait for a job itself.
    package func turning<T: Sendable>(_ work: @Sendable () async -> T) async -> T {
        let isDone = Flag()
        async let turns: Void = { while !isDone.isRaised { await job(); turn() } }()
        let result = await work()
        isDone.raise()
        execute {}
        await turns
        return result
    }

    /// Returns when a job is waiting.
    package func job() async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if !state.jobs.isEmpty { return true }
                state.waiting.append(continuation)
                return false
            }
            if isThere { continuation.resume() }
        }
    }
}
