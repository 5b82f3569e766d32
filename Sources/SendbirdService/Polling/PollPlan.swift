/// When an application is polled for what. It is pure: it is told what happened and when, and says what is due.
///
/// Polls are quick while something happens, and get slower with each round that finds nothing. They take half of the
/// application's GETs at most: if they would need more, their intervals are stretched, as ``PollShares`` says, so that
/// nothing starves.
struct PollPlan: Sendable {
    enum Poll: Hashable, Sendable {
        /// The channels of the application that have changed last: one call for all accounts.
        case application
        /// The newest messages of a thread in view.
        case focus(String)
        /// One account's whole list of threads.
        case account(Int64)
        /// A look at a thread that is due once: a webhook has named it, or a look has failed.
        case single(String)

        /// The shortest and the longest interval.
        var pace: (active: Duration, calm: Duration) {
            switch self {
            case .application: (.seconds(2), .seconds(15))
            case .focus: (.seconds(2), .seconds(10))
            case .account: (.seconds(300), .seconds(600))
            case .single: (PollPlan.shortestDelay, PollPlan.shortestDelay)
            }
        }

        /// GETs that one round takes. A look at a thread asks for what is new, for the newest, and for the thread.
        var gets: Double {
            switch self {
            case .application, .account: 1
            case .focus, .single: 3
            }
        }

        fileprivate var rank: Int {
            switch self {
            case .focus, .single: 0
            case .application: 1
            case .account: 2
            }
        }
    }

    private struct Entry: Sendable {
        var interval: Duration
        var due: Duration
        var isRunning = false
        /// When a look is due that was asked for while one runs.
        var again: Duration?
        /// A webhook has asked for it.
        var isHeard = false
    }
    private var entries: [Poll: Entry] = [:]
    /// Until when what happened last makes the polls quick.
    private var activeUntil = Duration.zero
    /// How many GETs the application has in a second.
    private var gets: Int
    /// When the next single look may be due: many of them take no more GETs than polls may.
    private var nextSingle = Duration.zero
    /// When a webhook of somebody's thread came last, and when a poll has found something since without one.
    private var heardAt: Duration?
    private var missedAt: Duration?
    /// When the last read of the application's list ended.
    private var listedAt = Duration.zero
    /// Until when the last request of a session, or its open stream, counts.
    private var followedUntil = Duration.zero
    /// A thread in view: when it was so last, and for which account.
    private struct View: Sendable {
        var time: Duration
        var account: Int64
    }
    private var seen: [String: View] = [:]

    /// How long something that happened makes the polls quick.
    static let activity = Duration.seconds(60)
    /// How long a session counts as followed after it was noted. Open streams are noted once a minute.
    static let following = Duration.seconds(120)
    /// How long a thread is in view after its customer has done something in it.
    static let attention = Duration.seconds(120)
    /// The most threads in view.
    static let views = 500
    private static let slowdown = 1.5
    /// The share of the application's GETs that polls may take.
    static let share = 0.5
    /// Webhooks within this time are one.
    static let shortestDelay = Duration.milliseconds(50)
    /// How long a webhook makes polls slower: while they come, they bring the news.
    static let trust = Duration.seconds(600)
    /// How much later than a poll a webhook may be.
    static let lateness = Duration.seconds(10)
    /// The most threads that webhooks have named and that were not looked at yet. The polls find the others.
    static let mostSingle = 500

    /// When ``due(at:)`` is to be asked, at the latest; nil: nothing will be due.
    var next: Duration? { entries.values.filter { !$0.isRunning }.map(\.due).min() }

    var threadsInView: Int { seen.count }

    /// - Parameter gets: how many GETs the application has in a second.
    init(gets: Int) { self.gets = gets }

    // MARK: What happened

    /// An account is connected. Its first connection begins the application's polls. What was in view before a loss
    /// still is.
    mutating func add(account: Int64, at now: Duration) {
        followed(at: now)
        begin(.application, at: now)
        begin(.account(account), at: now)
        for thread in seen.keys { begin(.focus(thread), at: now) }
        acted(at: now)
    }

    /// The last connection of an account is gone. Nothing is polled while there is none at all.
    mutating func remove(account: Int64) {
        entries[.account(account)] = nil
        let isLast = !entries.keys.contains { if case .account = $0 { true } else { false } }
        if isLast { entries = [:] }
    }

    /// Somebody has asked for something, or something has changed.
    mutating func acted(at now: Duration) {
        activeUntil = max(activeUntil, now + Self.activity)
        for (poll, entry) in entries where !entry.isRunning {
            entries[poll]!.interval = pace(of: poll, at: now).active
        }
        let wishes = wishes
        let shares = PollShares(wishes, of: capacity)
        for (poll, entry) in entries where !entry.isRunning {
            switch poll {
            case .account, .single: continue
            case .application, .focus: break
            }
            let stretch = stretch(of: poll, wishes, shares)
            entries[poll]!.due = min(entry.due, now + pace(of: poll, at: now).active * stretch)
        }
    }

    /// A customer does something in a thread.
    mutating func viewed(_ thread: String, by account: Int64, at now: Duration) {
        guard !entries.isEmpty else { return }
        followed(at: now)
        if seen[thread] == nil, seen.count >= Self.views { forgetOne() }
        seen[thread] = View(time: now, account: account)
        begin(.focus(thread), at: now)
        acted(at: now)
    }

    /// Somebody follows a session. Who comes back after a while is told at once what was missed. Returns whether
    /// something is due sooner by that.
    @discardableResult
    mutating func followed(at now: Duration) -> Bool {
        let wasFollowed = isFollowed(at: now)
        followedUntil = max(followedUntil, now + Self.following)
        guard !wasFollowed, var entry = entries[.application], !entry.isRunning else { return false }
        (entry.interval, entry.due) = (pace(of: .application, at: now).calm, min(entry.due, now))
        entries[.application] = entry
        return true
    }

    private func isFollowed(at now: Duration) -> Bool { now < followedUntil }

    /// A webhook says that something has happened in a thread. Returns whether it will be looked at for that.
    mutating func heard(of thread: String, at now: Duration) -> Bool {
        guard lookSoon(at: thread, at: now) else { return false }
        entries[.single(thread)]?.isHeard = true
        return true
    }

    /// A webhook has told of a thread that nobody here has. It may be new, and somebody's of these: one look at the
    /// application's list finds all of them.
    private mutating func lookSoonAtApplication(at now: Duration) {
        guard var entry = entries[.application] else { return }
        let due = max(now, listedAt + slot(of: Poll.application.gets * 3))
        if entry.isRunning { entry.again = due } else { entry.due = min(entry.due, due) }
        entry.isHeard = true
        entries[.application] = entry
    }

    /// Whether webhooks come, so that polls need not be quick.
    private func isTrusted(at now: Duration) -> Bool {
        guard let heardAt, now < heardAt + Self.trust else { return false }
        return missedAt.map { now < $0 + Self.lateness } ?? true
    }

    private func pace(of poll: Poll, at now: Duration) -> (active: Duration, calm: Duration) {
        let (isTrusted, isFollowed) = (isTrusted(at: now), isFollowed(at: now))
        return switch poll {
        case .application where isTrusted || !isFollowed: (.seconds(60), .seconds(60))
        case .focus where isTrusted: (.seconds(30), .seconds(30))
        case .account where !isFollowed: (.seconds(600), .seconds(600))
        default: poll.pace
        }
    }

    /// Plans one look at a thread, soon. Returns false if nobody is connected, or if too many looks are planned.
    @discardableResult
    mutating func lookSoon(at thread: String, at now: Duration, after delay: Duration = Self.shortestDelay) -> Bool {
        guard !entries.isEmpty else { return false }
        let poll = Poll.single(thread)
        guard entries[poll] == nil else {
            if entries[poll]!.isRunning { entries[poll]!.again = min(entries[poll]!.again ?? now + delay, now + delay) }
            return true
        }
        let count = entries.keys.count { if case .single = $0 { true } else { false } }
        guard count < Self.mostSingle else { return false }
        let due = max(now + delay, nextSingle)
        nextSingle = max(nextSingle, now + Self.shortestDelay) + slot(of: poll.gets)
        entries[poll] = Entry(interval: Self.shortestDelay, due: due)
        return true
    }

    /// Plans looks at those of the threads that are in no look which is planned, or runs, as long as there is room.
    mutating func lookSoon(at threads: [String], at now: Duration) {
        for thread in threads where entries[.single(thread)] == nil {
            guard lookSoon(at: thread, at: now) else { return }
        }
    }

    /// Whether somebody is connected.
    var isPolling: Bool { !entries.isEmpty }

    /// A look takes so many GETs more than others: later ones wait for that.
    mutating func asks(_ gets: Int, at now: Duration) {
        nextSingle = max(nextSingle, now) + slot(of: Double(gets))
    }

    /// Forgets the oldest view of the accounts that have most of them.
    private mutating func forgetOne() {
        let counts = Dictionary(seen.values.map { ($0.account, 1) }, uniquingKeysWith: +)
        let most = counts.values.max()
        let views = seen.filter { counts[$0.value.account] == most }
        if let oldest = views.min(by: { $0.value.time < $1.value.time })?.key { forget(oldest) }
    }

    private mutating func forget(_ thread: String) {
        seen[thread] = nil
        entries[.focus(thread)] = nil
    }

    private mutating func begin(_ poll: Poll, at now: Duration) {
        guard entries[poll] == nil else { return }
        let interval = pace(of: poll, at: now).active
        entries[poll] = Entry(interval: interval, due: now + interval)
    }

    // MARK: What is due

    /// The polls that begin now, the most urgent first. ``ended(_:foundNews:isSomebodys:at:gets:random:)`` must follow for each.
    mutating func due(at now: Duration) -> [Poll] {
        for (thread, view) in seen where view.time + Self.attention <= now { forget(thread) }
        let due = entries.filter { !$0.value.isRunning && $0.value.due <= now }.keys
        for poll in due { entries[poll]!.isRunning = true }
        return due.sorted { ($0.rank, "\($0)") < ($1.rank, "\($1)") }
    }

    /// A poll is over.
    ///
    /// - Parameters:
    ///   - isSomebodys: whether somebody here has the thread.
    ///   - gets: how many GETs the application has in a second now.
    ///   - random: from 0 to 1. Gateways that begin together must not stay together.
    mutating func ended(
        _ poll: Poll, foundNews: Bool, isSomebodys: Bool = true, at now: Duration, gets: Int, random: Double
    ) {
        self.gets = gets
        guard var entry = entries[poll] else { return }
        if foundNews { acted(at: now) }
        if case .single(let thread) = poll {
            entries[poll] = nil
            if entry.isHeard {
                if isSomebodys { (heardAt, missedAt) = (now, nil) } else { lookSoonAtApplication(at: now) }
            }
            if let again = entry.again { lookSoon(at: thread, at: now, after: max(Self.shortestDelay, again - now)) }
            return
        }
        if foundNews {
            if entry.isHeard { (heardAt, missedAt) = (now, nil) } else { missedAt = missedAt ?? now }
        }
        if poll == .application { listedAt = now }
        let pace = pace(of: poll, at: now)
        entry.interval = now < activeUntil ? pace.active : min(pace.calm, entry.interval * Self.slowdown)
        let again = entry.again
        (entry.isRunning, entry.again, entry.isHeard) = (false, nil, again != nil)
        entries[poll] = entry
        let wishes = wishes
        let stretch = stretch(of: poll, wishes, PollShares(wishes, of: capacity))
        entries[poll]!.due = now + entry.interval * stretch * (0.8 + 0.4 * random)
        if again != nil { lookSoonAtApplication(at: now) }
    }

    /// GETs a second that the polls may take.
    private var capacity: Double { Double(gets) * Self.share }

    /// How long the polls together need for so many GETs.
    private func slot(of gets: Double) -> Duration { .seconds(gets / capacity) }

    /// GETs a second that the polls would take at their intervals of now.
    private var wishes: PollShares.Wishes {
        var wishes = PollShares.Wishes()
        for (poll, entry) in entries {
            let rate = poll.gets / (entry.interval / .seconds(1))
            switch poll {
            case .single: continue
            case .application, .account: wishes.lists += rate
            case .focus(let thread): wishes.views[seen[thread]?.account ?? 0, default: 0] += rate
            }
        }
        return wishes
    }

    /// By which factor the interval of a poll is longer.
    private func stretch(of poll: Poll, _ wishes: PollShares.Wishes, _ shares: PollShares) -> Double {
        guard case .focus(let thread) = poll, let account = seen[thread]?.account else { return shares.lists }
        return shares.stretch(ofViewsThatTake: wishes.views[account] ?? 0)
    }
}
