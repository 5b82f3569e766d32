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
    var urgentCount: Int { units.count }

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
