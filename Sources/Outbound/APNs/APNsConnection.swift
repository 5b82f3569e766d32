import ChatStore
import HTTPClientPort
import Synchronization

/// The connection to APNs of one signing key. It is kept open: APNs treats frequent opening and closing as an attack.
final class APNsConnection: Sendable {
    private struct State {
        var port: (any HTTPPort)?
        /// Of the port: grows with each.
        var generation = 0
        /// Calls in a row that had no answer in time.
        var timeouts = 0
    }

    /// After so many timeouts in a row the connection is taken for dead.
    private static let timeoutLimit = 2
    /// Bytes of an answer that are read.
    private static let answerLimit = 64 << 10

    private let connect: @Sendable () -> any HTTPPort
    private let state = Mutex(State())

    /// - Parameter connect: makes a port that keeps one connection, none that others have.
    init(connect: @escaping @Sendable () -> any HTTPPort) { self.connect = connect }

    /// One call. After the answer 503, and after two timeouts in a row, the next one goes out on a new connection;
    /// those that are under way keep theirs. A connection that APNs winds up (GOAWAY) is replaced by the port itself.
    func send(_ call: HTTPCall) async throws -> HTTPAnswer {
        let (port, generation) = current()
        do {
            let answer = try await port.sendReadingStart(call, limit: Self.answerLimit, kept: AttemptRecord.maximumHead)
            note(generation, timedOut: false, isLeft: answer.status == 503)
            return answer
        } catch {
            let timedOut = error as? HTTPCallError == .timeout
            note(generation, timedOut: timedOut, isLeft: false)
            throw error
        }
    }

    private func current() -> (port: any HTTPPort, generation: Int) {
        state.withLock { state in
            if let port = state.port { return (port, state.generation) }
            let port = connect()
            state.port = port
            state.generation += 1
            state.timeouts = 0
            return (port, state.generation)
        }
    }

    private func note(_ generation: Int, timedOut: Bool, isLeft: Bool) {
        state.withLock { state in
            // What a connection did that was left already says nothing of the one of now.
            guard state.generation == generation else { return }
            state.timeouts = timedOut ? state.timeouts + 1 : 0
            if isLeft || state.timeouts >= Self.timeoutLimit { state.port = nil }
        }
    }
}
