import PostgresStore
import UnixSignals

/// What ends a gateway, or lets it begin to serve: signals of the system, and news of the lease.
struct LifeEvents: Sendable {
    enum Event: Sendable {
        case signal(UnixSignal)
        case lease(LeaseNews)
    }

    /// One task at a time reads it.
    let stream: AsyncStream<Event>
    let tell: @Sendable (Event) -> Void

    /// Catches SIGTERM and SIGINT from now on, until the process ends.
    init() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self)
        self.stream = stream
        tell = { continuation.yield($0) }
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        Task { for await signal in signals { continuation.yield(.signal(signal)) } }
    }
}
