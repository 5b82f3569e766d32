/// The units that wait for the one writer, and which of them are next.
///
/// Somebody waits for most units. Those of the background (a remote service's history, which may come from many
/// accounts at once) go while nobody else writes, one to a commit; and now and then however busy the writer is, so
/// that they get done.
struct WriteQueue<Unit> {
    /// Units in one commit at most: bounds what a failing commit takes with it, and how long the first waits.
    static var groupLimit: Int { 256 }
    /// For how long nobody else has written before the background does: who writes one unit after the other is heard first.
    static var courtesy: Duration { .milliseconds(2) }
    /// After this time a background unit goes, whoever writes.
    static var patience: Duration { .milliseconds(100) }

    private var units: [Unit] = []
    private var background: [Unit] = []
    /// When the last unit that somebody waits for was done.
    private var lastDone: ContinuousClock.Instant?
    /// Since when the first of the background is the first.
    private var waitingSince: ContinuousClock.Instant?
    private var isBusy = false
    /// No more are added, and those that are there have no reason to wait.
    var isClosed = false

    var count: Int { units.count + background.count }
    var isEmpty: Bool { count == 0 }

    mutating func add(_ unit: Unit, inBackground: Bool, now: ContinuousClock.Instant) {
        guard inBackground else { return units.append(unit) }
        if background.isEmpty { waitingSince = now }
        background.append(unit)
    }

    /// Takes what is committed together next; whatever was taken before is done. Empty when nothing is due yet.
    mutating func next(now: ContinuousClock.Instant) -> [Unit] {
        if isBusy { lastDone = now }
        var group = Array(units.prefix(Self.groupLimit))
        units.removeFirst(group.count)
        isBusy = !group.isEmpty
        if let due = backgroundDue, due <= now || isClosed {
            group.append(background.removeFirst())
            waitingSince = now
        }
        return group
    }

    /// When the background's next unit may go, if nobody else writes till then; nil if it has none.
    var backgroundDue: ContinuousClock.Instant? {
        guard !background.isEmpty, let waitingSince else { return nil }
        let latest = waitingSince + Self.patience
        if isBusy { return latest }
        return min(latest, lastDone.map { $0 + Self.courtesy } ?? waitingSince)
    }
}
