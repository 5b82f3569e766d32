/// The writer's wait for more units between two groups, on a disk where that pays.
///
/// Clients that wait for their answers send again soon after a commit. If the writer went on at once with the units that
/// came meanwhile, these clients would split into two halves, and each half would wait for the commit of the other. So
/// after a slow commit the writer waits until as many units are there as the last group had and as waited at its end.
/// Then all of them share the next commit.
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
        // A single client is not waited for: nobody else would share its commit.
        guard count > 1, waiting < count else { return nil }
    }

    /// Ends the wait if enough units are there. Any thread may call it, any number of times.
    func note(waiting: Int) { if waiting >= count { end() } }

    /// Ends the wait.
    func end() { signal.give() }

    /// Returns when the wait was ended, or after this time; false after the time.
    func wait(atMost time: Duration) -> Bool { signal.wait(atMost: time) }
}

/// Whether the writer waits at all. After waits in vain it waits more and more seldom: where clients do not come back at
/// once, nobody's answer should be late for them.
struct GatheringPace: Equatable {
    /// The most commits between two waits.
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
