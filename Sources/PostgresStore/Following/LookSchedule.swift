/// When the follower looks for commits of other gateways: each second, and as soon as it has heard of one.
///
/// Commits of its own process are told by the writer. Looking for them would cost a query each time, and find nothing.
struct LookSchedule {
    /// What a notification says at its end when this process has made the commit.
    private let ownSuffix: String
    private var due: ContinuousClock.Instant

    static let interval = Duration.seconds(1)

    init(process: String, now: ContinuousClock.Instant) {
        ownSuffix = " " + process
        due = now
    }

    /// What a commit's notification says.
    static func payload(place: Int64, process: String) -> String { "\(place) \(process)" }

    func isDue(at now: ContinuousClock.Instant) -> Bool { now >= due }

    /// How long may be waited for notifications.
    func pause(at now: ContinuousClock.Instant) -> Duration { max(.zero, now.duration(to: due)) }

    mutating func hasLooked(at now: ContinuousClock.Instant) { due = now + Self.interval }

    mutating func heard(_ payloads: [String], at now: ContinuousClock.Instant) {
        if payloads.contains(where: { !$0.hasSuffix(ownSuffix) }) { due = now }
    }
}
