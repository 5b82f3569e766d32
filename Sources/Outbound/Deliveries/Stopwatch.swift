/// The time since it was made, on a clock that only goes forward.
struct Stopwatch: Sendable {
    /// The time that has passed.
    let elapsed: @Sendable () -> Duration
    /// Sleeps until so much time has passed. Throws when the task is cancelled.
    let sleep: @Sendable (_ until: Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }
}
