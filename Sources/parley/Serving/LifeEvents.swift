import Foundation
import PostgresStore
import UnixSignals

/// What ends a gateway, or lets it begin to serve: signals of the system, and news of the lease.
struct LifeEvents: Sendable {
    enum Event: Sendable {
        case signal(UnixSignal)
        case lease(LeaseNews)
        /// The wait of ``signal(within:)`` is over.
        case timeIsOver
    }

    /// One task at a time reads it.
    let stream: AsyncStream<Event>
    let tell: @Sendable (Event) -> Void

    /// Returns after a time, or when a signal comes before. Other events are dropped.
    func signal(within limit: Duration) async {
        let alarm = Task { [tell] in
            try await Task.sleep(for: limit)
            tell(.timeIsOver)
        }
        defer { alarm.cancel() }
        for await event in stream {
            switch event {
            case .signal, .timeIsOver: return
            case .lease: continue
            }
        }
    }

    /// Whether somebody started the process in a terminal. When that closes, the system sends SIGHUP.
    static var hasTerminal: Bool { isatty(STDIN_FILENO) == 1 }

    /// Catches SIGTERM and SIGINT from now on, until the process ends; in a terminal SIGHUP too.
    init() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        self.stream = stream
        tell = { continuation.yield($0) }
        let caught: [UnixSignal] = [.sigterm, .sigint] + (Self.hasTerminal ? [.sighup] : [])
        let signals = await UnixSignalsSequence(trapping: caught)
        Task { for await signal in signals { continuation.yield(.signal(signal)) } }
    }
}
