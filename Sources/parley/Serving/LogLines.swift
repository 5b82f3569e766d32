import Dispatch
import Foundation
import Synchronization

/// Lines on their way to standard error.
///
/// They are written on a queue of their own: whoever reads standard error may be slow or stuck, and the HTTP loop must not
/// wait for it. At most a megabyte waits; what comes then is dropped, and a line says how many were.
final class LogLines: Sendable {
    static let limit = 1 << 20

    private struct State {
        var waiting: [String] = []
        var bytes = 0
        var dropped = 0
        var isWriting = false
    }

    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "log")
    private let output: @Sendable (String) -> Void

    init(output: @escaping @Sendable (String) -> Void = LogLines.writeToStandardError) { self.output = output }

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

    /// Waits until everything so far is written, at most for this time.
    func flush(timeout: DispatchTimeInterval = .seconds(1)) {
        let done = DispatchSemaphore(value: 0)
        queue.async { done.signal() }
        _ = done.wait(timeout: .now() + timeout)
    }

    private func drain() {
        while let lines = take() {
            for line in lines { output(line) }
        }
    }

    private func take() -> [String]? {
        state.withLock { state in
            if state.waiting.isEmpty, state.dropped == 0 {
                state.isWriting = false
                return nil
            }
            var lines = state.waiting
            if state.dropped > 0 { lines.append("level=warning message=\"lines of the log were dropped\" count=\(state.dropped)\n") }
            state.waiting = []
            state.bytes = 0
            state.dropped = 0
            return lines
        }
    }

    /// One write a line, so that lines of several threads do not mix. A standard error that is closed or full loses them.
    private static func writeToStandardError(_ line: String) {
        try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
}
