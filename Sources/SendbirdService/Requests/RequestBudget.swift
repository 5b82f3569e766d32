/// How many calls of an application may begin now. It is pure: it is told when somebody wants to call, and says
/// whether, or in how long to ask again.
///
/// The platform counts GETs and all other calls by themselves, in a second, and in some calls also those of one user or
/// channel. No second, wherever it begins, gets more calls than its limit.
struct RequestBudget: Sendable {
    enum Kind: Sendable, Hashable, CaseIterable { case get, write }

    /// Calls in a second in the scope of one user or channel.
    static let scopeLimit = 5
    /// How much of its limit a bucket gets back in a minute after a 429.
    private static let recovery = 0.1
    private static let second = Duration.seconds(1)

    private var buckets: [Kind: Bucket]
    /// By the user or the channel.
    private var scopes: [String: Second] = [:]
    private var nextSweep = Duration.zero

    init(gets: Int, writes: Int) { buckets = [.get: Bucket(limit: gets), .write: Bucket(limit: writes)] }

    /// Takes one call; nil: it may begin now. Otherwise nothing is taken, and it must wait so long.
    ///
    /// - Parameters:
    ///   - scope: the user or channel, for the calls that are counted by them, too.
    ///   - now: on a clock that only goes forward.
    mutating func take(_ kind: Kind, scope: String? = nil, at now: Duration) -> Duration? {
        sweep(at: now)
        let waits = [wait(kind, at: now), scope.flatMap { wait(inScope: $0, at: now) }]
        if let longest = waits.compactMap(\.self).max() { return longest }
        buckets[kind]!.calls.add(now)
        if let scope { scopes[scope, default: Second()].add(now) }
        return nil
    }

    /// In how long there is room for a call of this kind in any scope; nil: there is.
    func wait(_ kind: Kind, at now: Duration) -> Duration? { buckets[kind]!.wait(at: now) }

    /// In how long there is room for a call of this user or channel, if there is for its kind; nil: there is.
    func wait(inScope scope: String, at now: Duration) -> Duration? {
        scopes[scope]?.wait(below: Self.scopeLimit, at: now)
    }

    /// The platform has refused a call because there were too many: nothing of this kind for that time, and half of the
    /// limit from then on. Others use the application, too.
    mutating func refused(_ kind: Kind, for time: Duration, at now: Duration) {
        buckets[kind]!.refused(for: time, at: now)
    }

    /// Calls a second of this kind now.
    func limit(of kind: Kind, at now: Duration) -> Int { buckets[kind]!.effectiveLimit(at: now) }

    /// Forgets scopes whose second is over, so that there are never more than were used in the last seconds.
    private mutating func sweep(at now: Duration) {
        guard now >= nextSweep else { return }
        nextSweep = now + Self.second
        scopes = scopes.filter { !$0.value.isOver(at: now) }
    }

    private struct Bucket: Sendable {
        let limit: Int
        var calls = Second()
        var blockedUntil = Duration.zero
        /// The share of the limit at ``sharedAt``.
        var share = 1.0
        var sharedAt = Duration.zero

        init(limit: Int) { self.limit = limit }

        private func currentShare(at now: Duration) -> Double {
            min(1, share + RequestBudget.recovery * ((now - sharedAt) / .seconds(60)))
        }

        func effectiveLimit(at now: Duration) -> Int { max(1, Int(Double(limit) * currentShare(at: now))) }

        func wait(at now: Duration) -> Duration? {
            if now < blockedUntil { return blockedUntil - now }
            return calls.wait(below: effectiveLimit(at: now), at: now)
        }

        mutating func refused(for time: Duration, at now: Duration) {
            // Calls that were on their way together are refused together, for one reason.
            if now >= blockedUntil { (share, sharedAt) = (currentShare(at: now) / 2, now) }
            blockedUntil = max(blockedUntil, now + time)
        }
    }

    /// The calls of the last second.
    private struct Second: Sendable {
        /// When each began, the oldest first. Those before ``first`` are forgotten.
        private var times: [Duration] = []
        private var first = 0

        mutating func add(_ now: Duration) {
            while first < times.count, times[first] + RequestBudget.second <= now { first += 1 }
            if first > times.count / 2 {
                times.removeFirst(first)
                first = 0
            }
            times.append(max(now, times.last ?? now))
        }

        func isOver(at now: Duration) -> Bool { times.last.map { $0 + RequestBudget.second <= now } ?? true }

        /// How long until there is room for one more; nil: there is.
        func wait(below limit: Int, at now: Duration) -> Duration? {
            guard times.count - first >= limit else { return nil }
            let end = times[times.count - limit] + RequestBudget.second
            return end > now ? end - now : nil
        }
    }
}
