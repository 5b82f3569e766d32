import ChatModel
import Dispatch
import Synchronization

/// The one writer. Units of work that wait at the same time are committed together, with one fsync.
///
/// A unit that fails undoes only itself, and is answered after the commit that contains it, as all are. When the
/// database has given up the transaction (disk full, I/O error), every unit of the group fails. How a group is committed
/// is the engine's: see ``StoreWriter``.
package final class GroupCommit: Sendable {
    /// What a unit needs to be run and answered.
    package struct Unit: Sendable {
        /// Whether the unit touches nothing but its transaction, so that running it again does no harm.
        var isRepeatable = false
        /// What it is going to read, as far as that is known.
        var reads: [WantedRows] = []
        package var run: @Sendable (WriteTransaction) throws -> Void
        /// Called once, on the writer's thread, after commit (nil) or failure.
        let finish: @Sendable (ChatError?) -> Void
    }

    private struct State {
        var queue = WriteQueue<Unit>()
        var isRunning = false
        /// A look at what is due in the background is scheduled.
        var isWaking = false
        /// Somebody asked to have the log trimmed.
        var isTrimAsked = false
        /// The last group failed on storage; cleared by one that was committed.
        var hasFailed = false
        /// The writer waits for more units.
        var gathering: CommitGathering?
        var pace = GatheringPace()
    }

    private let backend: any StoreBackend
    private let invalidate: @Sendable (Set<Int64>) -> Void
    private let files: FileStore
    private let state = Mutex(State())
    private let timer = DispatchQueue(label: "commit")
    private let gatheringTime: @Sendable (Duration) -> Duration
    let counters = WriteCounters()
    private let errors: StorageErrorCounts

    /// - Parameter gatheringTime: see ``CommitGathering/time``.
    init(
        backend: any StoreBackend, invalidate: @escaping @Sendable (Set<Int64>) -> Void, files: FileStore,
        errors: StorageErrorCounts, gatheringTime: @escaping @Sendable (Duration) -> Duration
    ) {
        self.backend = backend
        self.invalidate = invalidate
        self.files = files
        self.errors = errors
        self.gatheringTime = gatheringTime
    }

    /// Adds a unit, and starts the writer if it is idle. Any thread may call it. After ``close()`` the unit fails
    /// with `shuttingDown`.
    ///
    /// - Parameter inBackground: nobody waits for the unit; see ``WriteQueue``.
    func submit(_ unit: Unit, inBackground: Bool = false) {
        let (refused, start) = state.withLock { state in
            if state.queue.isClosed { return (true, false) }
            state.queue.add(unit, inBackground: inBackground, now: .now)
            state.gathering?.endIfEnough(waiting: state.queue.urgentCount)
            defer { state.isRunning = true }
            return (false, !state.isRunning)
        }
        if refused { return unit.finish(ChatError(.shuttingDown, "The gateway is stopping.")) }
        if start { backend.run(drain) }
    }

    /// Starts the writer if units wait and it is idle.
    private func resume() {
        let start = state.withLock { state in
            state.isWaking = false
            guard !state.isRunning, !state.queue.isEmpty else { return false }
            state.isRunning = true
            return true
        }
        if start { backend.run(drain) }
    }

    /// Whether the last group could not be stored, or the writer is closed.
    var isInDoubt: Bool { state.withLock { $0.hasFailed || $0.queue.isClosed } }

    /// Makes the writer trim the log after the next group, due or not.
    func askToTrim() { state.withLock { $0.isTrimAsked = true } }
    var waitingUnitCount: Int { state.withLock { $0.queue.count } }

    /// Refuses units from now on; those already waiting are still committed.
    func close() {
        state.withLock { state in
            state.queue.isClosed = true
            state.gathering?.end()
        }
        resume()
    }

    /// Commits what waits, group after group, on the writer's thread.
    @Sendable private func drain(_ writer: any StoreWriter) {
        while true {
            let (group, wakeAt) = state.withLock { state in
                let group = state.queue.next(now: .now, limit: backend.groupLimit)
                guard group.isEmpty else { return (group, ContinuousClock.Instant?.none) }
                state.isRunning = false
                guard let due = state.queue.backgroundDue, !state.isWaking else { return (group, nil) }
                state.isWaking = true
                return (group, due)
            }
            if let wakeAt { wake(at: wakeAt) }
            if group.isEmpty { return }
            let time = commit(group, by: writer)
            // Before the look whether anybody waits: the next units are on their way.
            gather(after: group.count, for: gatheringTime(time))
            let isAsked = state.withLock { state in
                defer { state.isTrimAsked = false }
                return state.isTrimAsked
            }
            writer.maintain(isAsked: isAsked) { state.withLock { $0.queue.isEmpty && !$0.queue.isClosed } }
        }
    }

    /// Lets more units come, for at most this time.
    private func gather(after units: Int, for time: Duration) {
        guard time > .zero else { return }
        let gathering = state.withLock { state -> CommitGathering? in
            guard !state.queue.isClosed,
                let gathering = CommitGathering(
                    units: units, waiting: state.queue.urgentCount, limit: backend.groupLimit),
                state.pace.isDue()
            else { return nil }
            state.gathering = gathering
            return gathering
        }
        guard let gathering else { return }
        let haveCome = gathering.wait(atMost: time)
        state.withLock { state in
            state.gathering = nil
            state.pace.record(wasInVain: !haveCome)
        }
    }

    private func wake(at time: ContinuousClock.Instant) {
        let delay = ContinuousClock.now.duration(to: time) / .microseconds(1)
        timer.asyncAfter(deadline: .now() + .microseconds(Int(max(0, delay)) + 1)) { [weak self] in self?.resume() }
    }

    /// - Returns: how long the engine took to make the group durable; zero if it did not.
    private func commit(_ group: [Unit], by writer: any StoreWriter) -> Duration {
        let start = ContinuousClock.now
        let committed: CommittedGroup
        do {
            committed = try writer.commit(group)
        } catch {
            let failure = ChatError(storage: error)
            errors.countError(failure, of: .write)
            state.withLock { $0.hasFailed = true }
            for unit in group { unit.finish(failure) }
            return .zero
        }
        let transaction = committed.transaction
        state.withLock { $0.hasFailed = false }
        counters.count(units: group.count, duration: start.duration(to: .now))
        invalidate(transaction.touchedThreads)
        files.remove(transaction.discardedFiles)
        backend.publish(committed)
        for case let failure? in committed.failures { errors.countError(failure, of: .write) }
        for (unit, failure) in zip(group, committed.failures) { unit.finish(failure) }
        return committed.commitTime
    }
}

/// How much was committed, for metrics. Any thread may read it.
public final class WriteCounters: Sendable {
    private let state = Mutex((commits: 0, units: 0, seconds: 0.0))

    public var commits: Int { state.withLock { $0.commits } }
    public var units: Int { state.withLock { $0.units } }
    /// Time spent in transactions, commit included.
    public var seconds: Double { state.withLock { $0.seconds } }

    func count(units: Int, duration: Duration) {
        let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
        state.withLock {
            $0.commits += 1
            $0.units += units
            $0.seconds += seconds
        }
    }
}

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
    func endIfEnough(waiting: Int) { if waiting >= count { end() } }

    /// Ends the wait.
    func end() { signal.raise() }

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

    mutating func record(wasInVain: Bool) {
        last = wasInVain ? min(2 * last + 1, Self.longest) : 0
        rest = last
    }
}

/// The units that wait for the one writer, and the order in which they are taken.
///
/// Somebody waits for most units. Background units, such as a remote service's history, are taken while nobody else
/// writes, one to a commit. When the writer stays busy, one is taken every 100 ms all the same, so that they are not
/// put off forever.
struct WriteQueue<Unit> {
    /// How long the writer must be idle before a background unit is taken: a client that writes one unit after the
    /// other goes first.
    static var courtesy: Duration { .milliseconds(2) }
    /// After this time a background unit is taken, however busy the writer is.
    static var patience: Duration { .milliseconds(100) }

    private var units: [Unit] = []
    private var background: [Unit] = []
    /// When the last unit that was not a background unit was done.
    private var lastDone: ContinuousClock.Instant?
    /// Since when the first background unit is the first.
    private var waitingSince: ContinuousClock.Instant?
    private var isBusy = false
    /// Set when no units are added any more; those that wait are taken without delay.
    var isClosed = false

    var count: Int { units.count + background.count }
    var isEmpty: Bool { count == 0 }
    /// The units for which somebody waits.
    fileprivate var urgentCount: Int { units.count }

    mutating func add(_ unit: Unit, inBackground: Bool, now: ContinuousClock.Instant) {
        guard inBackground else { return units.append(unit) }
        if background.isEmpty { waitingSince = now }
        background.append(unit)
    }

    /// Takes the units of the next commit, and notes that the units taken before are done. Empty when none is due
    /// yet.
    ///
    /// - Parameter limit: the most units in one commit. It bounds how many a failing commit takes with it, and how long
    ///   the first one waits.
    mutating func next(now: ContinuousClock.Instant, limit: Int = 256) -> [Unit] {
        if isBusy { lastDone = now }
        var group = Array(units.prefix(limit))
        units.removeFirst(group.count)
        isBusy = !group.isEmpty
        if let due = backgroundDue, due <= now || isClosed {
            group.append(background.removeFirst())
            waitingSince = now
        }
        return group
    }

    /// When the next background unit may be taken, if nobody else writes before; nil if there is none.
    var backgroundDue: ContinuousClock.Instant? {
        guard !background.isEmpty, let waitingSince else { return nil }
        let latest = waitingSince + Self.patience
        if isBusy { return latest }
        return min(latest, lastDone.map { $0 + Self.courtesy } ?? waitingSince)
    }
}
