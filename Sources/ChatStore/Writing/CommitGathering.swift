/// The writer's wait for more units between two groups, on a disk where that pays.
///
/// A client that has its answer sends its next unit soon. Suppose the writer does not wait for these units, and commits
/// those that came during the last commit. Then the clients are in two groups, and each group waits for the other's
/// commit, too. So after a slow commit the writer waits. The wait ends when there are as many units as the last group had,
/// plus those that waited at its end. All of them share the next commit.
struct CommitGathering {
    /// The longest wait after a commit that took this time: as long, and at most 10 ms; none after one of less than
    /// three milliseconds: there the processors are busy all the time.
    static let time: @Sendable (Duration) -> Duration = { commit in
        commit < .milliseconds(3) ? .zero : min(commit, .milliseconds(10))
    }

    /// How many units end the wait.
    private let count: Int
    private let signal = TimedSignal()

    /// - Parameters:
    ///   - units: of the last group.
    ///   - waiting: at its end.
    ///   - limit: the most units in one group.
    /// - Returns: nil if there is nobody to wait for.
    init?(units: Int, waiting: Int, limit: Int) {
        count = min(units + waiting, limit)
        // With a single client there is nobody with whom it could share a commit.
        guard count > 1, waiting < count else { return nil }
    }

    /// Ends the wait if enough units are there. Any thread may call it, any number of times.
    func note(waiting: Int) { if waiting >= count { end() } }

    /// Ends the wait.
    func end() { signal.give() }

    /// Returns when the wait was ended, or after this time; false after the time.
    func wait(atMost time: Duration) -> Bool { signal.wait(atMost: time) }
}

/// How often the writer waits. After each wait in which too few units came, twice as many commits pass before the next one:
/// where clients do not send again at once, a wait only makes answers late.
struct GatheringPace: Equatable {
    /// At most so many commits pass between two waits.
    private static let longest = 63

    /// How many commits pass before the next wait.
    private var rest = 0
    private var last = 0

    /// Asked once for each commit that may be followed by a wait.
    mutating func isDue() -> Bool {
        guard rest > 0 else { return true }
        rest -= 1
        return false
    }

    mutating func note(wasInVain: Bool) {
        last = wasInVain ? min(2 * last + 1, Self.longest) : 0
        rest = last
    }
}
