import ChatModel
import Formats

/// What one client of a session shows now, as it has told the gateway.
public struct Screen: Sendable, Equatable {
    /// The client's own name for itself, as one tab of a browser; nil for the session itself.
    public let holder: String?
    /// The thread in view; nil where none is.
    public let thread: String?
}

/// Whether somebody follows a session now, and which threads are on the screens. Decides whether a push is sent.
public struct Presence: Sendable, Equatable {
    /// Whether the session has a screen with an open stream. A screen that shows no thread counts too: a page in the
    /// background announces messages itself.
    public var isPresent: Bool
    /// The threads on the screens that have an open stream.
    public var threads: Set<String>

    public init(isPresent: Bool, threads: Set<String> = []) {
        self.isPresent = isPresent
        self.threads = threads
    }
}

/// The screens of all sessions: for each session one without a holder, and one for each holder. A value without a lock;
/// ``Notifications`` keeps it in a mutex.
///
/// A holder's screen is kept while a stream of the session names the holder, and ``graceTime`` before and after. The
/// screen without a holder is kept until it is removed.
struct Screens {
    /// How many screens with a holder one session may have.
    static let limit = 32
    /// How long a screen is kept without a stream, in milliseconds: its holder can open a stream meanwhile, or come
    /// back.
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
    /// The unread totals that sessions were told last, of accounts with screens only.
    private var totals: [Int64: UnreadTotal] = [:]
    /// How many open streams name each holder.
    private var streams: [Holding: Int] = [:]
    /// How many streams each session has open, with holders or without.
    private var sessionStreams: [String: Int] = [:]
    private var lastOrder = 0

    func hasScreens(_ account: Int64) -> Bool { accounts[account] != nil }

    var accountsWithScreens: [Int64] { accounts.keys.sorted() }

    /// Sets what a screen shows, and makes it the last in the order. Throws `tooManyScreens` for a new holder beyond
    /// ``limit``.
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

    /// A session's screens in the order in which they were named. Screens whose time is over are removed first.
    mutating func screens(of session: String, account: Int64, at now: Timestamp) -> [Screen] {
        dropLapsed(session, account, at: now)
        let entries = accounts[account]?[session]?.entries ?? [:]
        return entries.sorted { $0.value.order < $1.value.order }
            .map { Screen(holder: $0.key, thread: $0.value.thread) }
    }

    /// The account's sessions that are to be told of a message in this thread: they have screens, and none shows it.
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
    /// - Parameter holders: nil removes all of the session's.
    mutating func forget(_ holders: [String]?, session: String, account: Int64) {
        if let holders {
            for holder in holders { accounts[account]?[session]?.entries.removeValue(forKey: holder) }
        } else {
            accounts[account]?[session]?.entries.removeAll()
        }
        dropEmpty(session, account)
    }

    // MARK: Totals

    /// Whether an account's total may change when one of its threads has this number of unread messages. False where
    /// nothing is unread and the thread adds nothing: the usual case.
    ///
    /// - Parameter unreadCount: nil says that the thread is gone.
    func mayChange(_ account: Int64, by unreadCount: Int?) -> Bool {
        hasScreens(account) && !(totals[account] == UnreadTotal.zero && unreadCount == 0)
    }

    /// The sessions that are to be told of this total: none if they were told the same before. Remembers the total as
    /// told.
    mutating func sessionsToTell(_ total: UnreadTotal, of account: Int64, at now: Timestamp) -> [String] {
        let sessions = toldSessions(of: account, at: now)
        guard hasScreens(account), totals[account] != total else { return [] }
        totals[account] = total
        return sessions
    }

    // MARK: Streams

    /// Counts one open stream of the session; ``closeStream(of:)`` takes it back.
    mutating func openStream(of session: String) { sessionStreams[session, default: 0] += 1 }

    mutating func closeStream(of session: String) {
        let count = (sessionStreams[session] ?? 0) - 1
        sessionStreams[session] = count > 0 ? count : nil
    }

    /// Whether the session is followed, and what it shows. Only screens with an open stream count.
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

    /// Counts one open stream that names the holder. Until the matching ``close(_:session:account:at:)`` its screen is
    /// kept.
    mutating func open(_ holder: String, session: String) {
        streams[Holding(session: session, holder: holder), default: 0] += 1
    }

    /// Takes back one ``open(_:session:)``. After the last one the screen's grace time begins.
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
            // The clock may have been set back. Then the grace time counts from now.
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
