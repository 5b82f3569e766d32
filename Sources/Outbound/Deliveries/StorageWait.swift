/// How long to leave the store alone after it failed: 1 s, doubling to 60 s.
struct StorageWait {
    private var next = Duration.seconds(1)

    mutating func fail() -> Duration {
        defer { next = min(next * 2, .seconds(60)) }
        return next
    }

    mutating func succeed() { next = .seconds(1) }
}
