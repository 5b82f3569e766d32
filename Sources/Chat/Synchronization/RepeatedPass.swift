/// When a pass of the synchronization that was not whole begins again: after half a minute, then twice as long each
/// time, up to ten minutes.
struct RepeatedPass: Sendable, Equatable {
    private var pause = Duration.seconds(30)

    mutating func next() -> Duration {
        defer { pause = min(pause * 2, .seconds(600)) }
        return pause
    }
}
