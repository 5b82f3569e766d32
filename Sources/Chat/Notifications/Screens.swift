import ChatModel
import Formats

/// One screen of a session.
public struct Screen: Sendable, Equatable {
    /// Who shows it, as one tab of a browser; nil for the session itself.
    public let holder: String?
    /// The thread in view, if one is.
    public let thread: String?
}

/// Whether somebody follows a session now, and what is on its screens.
public struct Presence: Sendable, Equatable {
    /// It has a screen and an open stream. A screen that shows no thread counts: a page in the background tells of
    /// messages by itself.
    public var isPresent: Bool
    public var threads: Set<String>

    public init(isPresent: Bool, threads: Set<String> = []) {
        self.isPresent = isPresent
        self.threads = threads
    }
}

/// What sessions show: by account and session, one screen without a holder and one for each holder.
///
/// The screen of a holder is there while a stream of the session names this holder, and ``graceTime`` before and after.
struct Screens {
    /// Screens of one session with a holder.
    static let limit = 32
    /// For so many milliseconds a screen is kept without a stream, so that its holder can open one, or come back.
    static let graceTime: Int64 = 30_000

    private struct Entry {
        var thread: String?
        /// When it was named last, or when its last stream ended.
        var lastUse: Timestamp
        /// Greater than that of every screen that was named before.
        var order: Int
    }

    private struct Session {
        /// Nil is the session itself.
        var entries: [String?: Entry] = [:]
        var isTold: @Sendable () -> Bool
    }

    private struct Holding: Hashable {
        var session: String
        var holder: String
    }

    private var accounts: [Int64: [String: Session]] = [:]
    /// What the sessions of an account were told last of what it has not read; of those alone that have screens.
    private var totals: [Int64: UnreadTotal] = [:]
    /// The open streams that name a holder.
    private var streams: [Holding: Int] = [:]
    /// The open streams of each session, whether they name holders or not.
    private var sessionStreams: [String: Int] = [:]
    private var lastOrder = 0

    func hasScreens(_ account: Int64) -> Bool { accounts[account] != nil }

    var accountsWithScreens: [Int64] { accounts.keys.sorted() }

    /// Names what a screen shows. Throws `tooManyScreens`.
    mutating func show(
        _ thread: String?, holder: String?, session: String, account: Int64, at now: Timestamp,
        isTold: @escaping @Sendable () -> Bool
    ) throws(ChatError) {
        dropLapsed(session, account, at: now)
        var shown = accounts[account]?[session] ?? Session(isTold: isTold)
        let isNew = shown.entries[holder] == nil
        if isNew, holder != nil, shown.entries.keys.count(where: { $0 != nil }) >= Self.limit {
            throw ChatError(.tooManyScreens, "The session \(session) has \(Self.limit) screens.", pointer: "/holder")
        }
        lastOrder += 1
        // Not `entries[holder] = ...`: the key is an optional of its own.
        shown.entries.updateValue(Entry(thread: thread, lastUse: now, order: lastOrder), forKey: holder)
        shown.isTold = isTold
        accounts[account, default: [:]][session] = shown
    }

    /// A session's screens; that which was named last is the last.
    mutating func screens(of session: String, account: Int64, at now: Timestamp) -> [Screen] {
        dropLapsed(session, account, at: now)
        let entries = accounts[account]?[session]?.entries ?? [:]
        return entries.sorted { $0.value.order < $1.value.order }
            .map { Screen(holder: $0.key, thread: $0.value.thread) }
    }

    /// The account's sessions that have screens, do not show the thread, and are to be told of what is elsewhere.
    mutating func sessions(of account: Int64, notShowing thread: String, at now: Timestamp) -> [String] {
        toldSessions(of: account, at: now).filter { session in
            accounts[account]?[session]?.entries.values.contains { $0.thread == thread } == false
        }
    }

    /// The account's sessions that have screens, and are to be told.
    mutating func toldSessions(of account: Int64, at now: Timestamp) -> [String] {
        for session in (accounts[account] ?? [:]).keys { dropLapsed(session, account, at: now) }
        return (accounts[account] ?? [:]).filter { $0.value.isTold() }.keys.sorted()
    }

    /// Removes screens of a session.
    ///
    /// - Parameter holders: nil: all of the session's.
    mutating func forget(_ holders: [String]?, session: String, account: Int64) {
        if let holders {
            for holder in holders { accounts[account]?[session]?.entries.removeValue(forKey: holder) }
        } else {
            accounts[account]?[session]?.entries.removeAll()
        }
        dropEmpty(session, account)
    }

    // MARK: Totals

    /// Whether the total may be another when one of the account's threads has so many unread messages; nil: the thread
    /// is gone.
    func mayChange(_ account: Int64, by unreadCount: Int?) -> Bool {
        hasScreens(account) && !(totals[account] == UnreadTotal.zero && unreadCount == 0)
    }

    /// The sessions that are to be told of the total: none if it is the same as before.
    mutating func sessionsToTell(_ total: UnreadTotal, of account: Int64, at now: Timestamp) -> [String] {
        let sessions = toldSessions(of: account, at: now)
        guard hasScreens(account), totals[account] != total else { return [] }
        totals[account] = total
        return sessions
    }

    // MARK: Streams

    mutating func openStream(of session: String) { sessionStreams[session, default: 0] += 1 }

    mutating func closeStream(of session: String) {
        let count = (sessionStreams[session] ?? 0) - 1
        sessionStreams[session] = count > 0 ? count : nil
    }

    /// What the session shows to somebody who is there: a screen without an open stream shows nothing.
    func presence(of session: String, account: Int64) -> Presence {
        let screens = (accounts[account]?[session]?.entries ?? [:]).filter { entry in
            entry.key.map { streams[Holding(session: session, holder: $0)] != nil } ?? (sessionStreams[session] != nil)
        }
        return Presence(isPresent: !screens.isEmpty, threads: Set(screens.values.compactMap(\.thread)))
    }

    /// Whether a stream of the desk names this holder.
    func hasDeskStream(of holder: String) -> Bool { streams[Holding(session: Self.desk, holder: holder)] != nil }

    /// Stands for the desk where a session is named; no session has this id.
    static let desk = ""

    mutating func open(_ holder: String, session: String) {
        streams[Holding(session: session, holder: holder), default: 0] += 1
    }

    mutating func close(_ holder: String, session: String, account: Int64, at now: Timestamp) {
        let holding = Holding(session: session, holder: holder)
        let count = (streams[holding] ?? 0) - 1
        streams[holding] = count > 0 ? count : nil
        if count <= 0 { accounts[account]?[session]?.entries[.some(holder)]?.lastUse = now }
    }

    // MARK: Ends

    private mutating func dropLapsed(_ session: String, _ account: Int64, at now: Timestamp) {
        for (holder, entry) in accounts[account]?[session]?.entries ?? [:] {
            guard let holder, streams[Holding(session: session, holder: holder)] == nil else { continue }
            // The clock was set back: it counts from now, not only in a day.
            let lastUse = min(entry.lastUse, now)
            if now.milliseconds - lastUse.milliseconds >= Self.graceTime {
                accounts[account]?[session]?.entries.removeValue(forKey: holder)
            } else {
                accounts[account]?[session]?.entries[.some(holder)]?.lastUse = lastUse
            }
        }
        dropEmpty(session, account)
    }

    private mutating func dropEmpty(_ session: String, _ account: Int64) {
        if accounts[account]?[session]?.entries.isEmpty == true { accounts[account]?[session] = nil }
        guard accounts[account]?.isEmpty != false else { return }
        accounts[account] = nil
        totals[account] = nil
    }
}
