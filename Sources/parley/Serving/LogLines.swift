import Dispatch
import Synchronization

/// The log's lines on their way to standard error.
///
/// A queue of its own writes them: the reader of standard error may be slow or stuck, and the server's loop must not
/// wait for it. At most 1 MiB waits; later lines are dropped, and a line tells how many. Any thread may call it.
final class LogLines: Sendable {
    /// The most bytes that wait.
    static let limit = 1 << 20

    /// `isWriting` is true from the first waiting line until ``drain()`` finds none, so that only one block is queued
    /// at a time.
    private struct State {
        var waiting: [String] = []
        var bytes = 0
        var dropped = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "log")
    /// Gets one line after the other, whole, so that lines of several threads do not mix.
    private let output: @Sendable (String) -> Void

    init(output: @escaping @Sendable (String) -> Void = StandardStreams.tell) { self.output = output }

    /// Adds a line and returns at once.
    ///
    /// - Parameter line: with its line end.
    func write(_ line: String) {
        let begins = state.withLock { state in
            guard state.bytes + line.utf8.count <= Self.limit else {
                state.dropped += 1
                return false
            }
            state.waiting.append(line)
            state.bytes += line.utf8.count
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { queue.async { self.drain() } }
    }

    /// Blocks until all lines so far are written, or the time is over. For the end of the process, not for the loop.
    func flush(timeout: DispatchTimeInterval = .seconds(1)) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + timeout)
    }

    /// Writes what waits, and what is added meanwhile, until nothing is left. On the queue only.
    private func drain() {
        while let lines = take() {
            for line in lines { output(line) }
        }
    }

    /// The lines that wait, with one about dropped lines behind them; nil when there are none, and the next
    /// ``write(_:)`` must then start a new drain.
    private func take() -> [String]? {
        state.withLock { state in
            if state.waiting.isEmpty, state.dropped == 0 {
                state.isWriting = false
                return nil
            }
            var lines = state.waiting
            if state.dropped > 0 {
                lines.append("level=warning message=\"lines of the log were dropped\" count=\(state.dropped)\n")
            }
            state.waiting = []
            state.bytes = 0
            state.dropped = 0
            return lines
        }
    }
}
