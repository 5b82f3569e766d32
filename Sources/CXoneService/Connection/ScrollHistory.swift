import Bounds
import Chat
import ChatModel
import ChatStore
import Synchronization

/// One page of a thread's history, as the platform gave it, decoded.
struct ScrollPage: Sendable {
    /// Ascending by time. Hidden messages are left out, so a page may be empty and not be the last.
    var messages: [RemoteMessage]
    /// The time of the oldest message, hidden ones included, in milliseconds since 1970. Nil for a page without
    /// any message.
    var oldest: Int64?
    /// The platform's `scrollToken` for the next older page; empty at the end of the history.
    var token: String

    /// Bytes that it holds in memory, about.
    var byteCount: Int { messages.reduce(128 + token.utf8.count) { $0 + $1.byteCount } }
}

/// A place in the history from which older pages can be read. The token leads to messages that are not newer than
/// `oldest`.
struct ScrollMark: Sendable {
    var token: String
    /// The time of the oldest message that was read so far, in milliseconds since 1970.
    var oldest: Int64
    /// The messages of exactly that time. A page may end between messages of one time, so an answer that begins
    /// here needs them.
    var edge: [RemoteMessage] { didSet { byteCount = Self.byteCount(token, edge) } }
    /// Bytes that it holds in memory, about.
    private(set) var byteCount: Int
    /// How many pages in a row, this one included, brought no older message.
    var idlePages = 0

    init(token: String, oldest: Int64, edge: [RemoteMessage]) {
        self.token = token
        self.oldest = oldest
        self.edge = edge
        byteCount = Self.byteCount(token, edge)
    }

    /// Whether there are no older messages.
    var isEnd: Bool { token.isEmpty }

    private static func byteCount(_ token: String, _ edge: [RemoteMessage]) -> Int {
        edge.reduce(128 + token.utf8.count) { $0 + $1.byteCount }
    }
}

/// Answers any ``HistoryQuery`` from the platform's pages, which can only be read backwards, by tokens.
///
/// Each page that was read leaves a mark, so that the next question need not begin at the newest message again. A mark
/// is good as long as messages stay where they are in the order, connections or not.
struct ScrollHistory: Sendable {
    /// Pages in a row that may bring nothing older. More than one is possible, because messages of one time can
    /// fill several pages; beyond the limit the platform is faulty.
    static let idlePageLimit = 8

    let marks: ScrollMarks
    /// The newest page.
    var newest: @Sendable () async throws(ChatError) -> ScrollPage
    /// The page that the mark's token leads to.
    var more: @Sendable (ScrollMark) async throws(ChatError) -> ScrollPage

    /// Reads as many pages as the answer needs, one after the other. A page may have more messages than the
    /// limit. Throws `serverError` when the platform's tokens lead in a circle, and what reading a page throws.
    func page(_ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        switch query {
        case .newest:
            let (page, mark) = try await begin()
            return HistoryPage(messages: page.messages, hasPrevious: !mark.isEnd, hasNext: false)
        case .before(let time, let limit): return try await before(time.milliseconds, limit)
        case .after(let time, let limit): return try await after(time.milliseconds, limit)
        case .around(let time, let limit):
            let (before, after) = (
                try await before(time.milliseconds, limit), try await after(time.milliseconds, limit)
            )
            let known = Set(before.messages.map(\.message.id))
            let messages = before.messages + after.messages.filter { !known.contains($0.message.id) }
            return HistoryPage(messages: messages.ascending, hasPrevious: before.hasPrevious, hasNext: after.hasNext)
        }
    }

    private func begin() async throws(ChatError) -> (ScrollPage, ScrollMark) {
        let page = try await newest()
        let mark = page.mark(below: .max)
        marks.add(mark)
        return (page, mark)
    }

    /// Reads the page below a mark, and adds the page's own mark.
    private func load(_ mark: ScrollMark) async throws(ChatError) -> (ScrollPage, ScrollMark) {
        let page = try await more(mark)
        var below = page.mark(below: mark.oldest)
        // An empty page is the end, whatever its token says.
        if page.oldest == nil { below.token = "" }
        if below.oldest == mark.oldest { below.edge = (below.edge + mark.edge).ascending }
        if below.oldest == mark.oldest, !below.isEnd {
            below.idlePages = mark.idlePages + 1
            // The same page again, or ever the same messages under fresh tokens.
            guard below.token != mark.token, below.idlePages < Self.idlePageLimit else {
                throw ChatError(
                    .serverError, "The platform says that there is more history, but its pages bring nothing new.")
            }
        }
        marks.add(below)
        return (page, below)
    }

    /// Messages up to the time, its own included, until `limit` older ones are found or the history ends.
    private func before(_ time: Int64, _ limit: Int) async throws(ChatError) -> HistoryPage {
        var collected: [RemoteMessage]
        var mark: ScrollMark
        if let known = marks.above(time) {
            mark = known
            collected = known.oldest == time ? known.edge : []
        } else {
            let (page, first) = try await begin()
            (collected, mark) = (page.messages, first)
        }
        while !mark.isEnd, collected.count(where: { $0.milliseconds < time }) < limit {
            let (page, below) = try await load(mark)
            collected = page.messages + collected
            mark = below
        }
        let messages = collected.filter { $0.milliseconds <= time }.ascending
        return HistoryPage(messages: messages, hasPrevious: !mark.isEnd, hasNext: true)
    }

    /// Messages from the time on, its own included. The platform cannot read forwards, so this walks back from
    /// the nearest mark above; of what lies in between only the oldest `4 * limit` messages are held.
    private func after(_ time: Int64, _ limit: Int) async throws(ChatError) -> HistoryPage {
        var collected: [RemoteMessage]
        var mark: ScrollMark
        var hasNext = false
        if let start = marks.twoAbove(time) {
            (mark, collected, hasNext) = (start, start.edge, true)
        } else {
            let (page, first) = try await begin()
            (collected, mark) = (page.messages, first)
        }
        while !mark.isEnd, mark.oldest >= time {
            let (page, below) = try await load(mark)
            collected = page.messages + collected
            mark = below
            // Only the messages next to the time are wanted: the newest ones are dropped on the way.
            if collected.count > 4 * limit {
                collected.removeLast(collected.count - 4 * limit)
                hasNext = true
            }
        }
        let messages = collected.filter { $0.milliseconds >= time }.ascending
        return HistoryPage(messages: messages, hasPrevious: true, hasNext: hasNext)
    }
}

/// The marks of one thread. May be used from any task.
final class ScrollMarks: Sendable {
    /// The most marks. Beyond it every second one is removed, so that a later walk reads a page or two more.
    static let limit = 512
    /// The most messages at a mark's edge, and bytes of a mark. A mark with more is not kept, and its page is read again.
    static let edgeLimit = 64, markLimit = 64 << 10

    private struct State {
        /// Newest first.
        var marks: [ScrollMark] = []
        var byteCount = 0
    }
    private let state = Mutex(State())
    /// What all marks hold in memory.
    private let counter: ByteCounter

    init(counter: ByteCounter = ByteCounter(limit: ByteBound.threadMarks.bytes)) { self.counter = counter }

    var count: Int { state.withLock { $0.marks.count } }
    var byteCount: Int { counter.used }

    /// Adds a mark. One of the same time is replaced, because its token is newer.
    func add(_ mark: ScrollMark) {
        guard mark.edge.count <= Self.edgeLimit, mark.byteCount <= Self.markLimit else { return }
        state.withLock { state in
            let place = state.marks.leadingCount { $0.oldest > mark.oldest }
            if place < state.marks.count, state.marks[place].oldest == mark.oldest {
                state.byteCount -= state.marks[place].byteCount
                state.marks[place] = mark
            } else {
                state.marks.insert(mark, at: place)
            }
            state.byteCount += mark.byteCount
            if state.marks.count > Self.limit { Self.thin(&state) }
            // Others may hold all of the memory: then even the last marks go.
            while !counter.hold(exactly: state.byteCount) { Self.thin(&state) }
        }
    }

    /// Removes every second mark. The newest and the oldest one stay, unless there are no others.
    private static func thin(_ state: inout State) {
        let last = state.marks.count - 1
        let kept =
            last < 2 ? [] : state.marks.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
        state.marks = kept
        state.byteCount = kept.reduce(0) { $0 + $1.byteCount }
    }

    /// The lowest mark at or above the time; nil: begin at the newest message.
    func above(_ time: Int64) -> ScrollMark? {
        state.withLock { state in
            let count = state.marks.leadingCount { $0.oldest >= time }
            return count > 0 ? state.marks[count - 1] : nil
        }
    }

    /// The second-lowest mark above the time. A page that is read from there reaches across the time.
    func twoAbove(_ time: Int64) -> ScrollMark? {
        state.withLock { state in
            let count = state.marks.leadingCount { $0.oldest > time }
            return count >= 2 ? state.marks[count - 2] : nil
        }
    }
}

extension [ScrollMark] {
    /// How many elements at the beginning pass the test. A binary search: after the first element that fails, none
    /// may pass.
    fileprivate func leadingCount(where test: (ScrollMark) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if test(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The marks of all threads. They are kept from one connection to the next, until the account's last session ends.
final class ScrollHistories: Sendable {
    /// The most threads of an account that have marks. The history of one whose marks made room is read from the newest
    /// page again.
    static let limit = 256

    /// What the marks of all accounts hold.
    private let whole: ByteCounter
    private let shares: ByteShares
    private let accounts = Mutex<[Int64: RecentlyUsed<String, ScrollMarks>]>([:])

    init() {
        whole = ByteCounter(limit: ByteBound.marks.bytes)
        shares = ByteShares(of: whole)
    }

    /// The thread's marks; empty ones if it has none yet.
    func marks(of thread: String, account: Int64) -> ScrollMarks {
        accounts.withLock { accounts in
            if let known = accounts[account]?[thread] { return known }
            let counter = ByteCounter(
                limit: ByteBound.threadMarks.bytes, within: shares.counter(of: .named("account:\(account)")))
            let made = ScrollMarks(counter: counter)
            accounts[account, default: RecentlyUsed(limit: Self.limit)][thread] = made
            return made
        }
    }

    /// The account has no threads of these ids any more.
    func forget(_ threads: Set<String>, account: Int64) {
        accounts.withLock { accounts in for thread in threads { accounts[account]?[thread] = nil } }
    }

    /// The account has no sessions any more.
    func forget(account: Int64) { accounts.withLock { $0[account] = nil } }

    /// How many accounts have marks.
    var count: Int { accounts.withLock { $0.count } }
    var byteCount: Int { whole.used }
    func threadCount(of account: Int64) -> Int { accounts.withLock { $0[account]?.count ?? 0 } }
}

extension ScrollPage {
    fileprivate func mark(below time: Int64) -> ScrollMark {
        // Never above the page before, though one of them may tell times in seconds.
        let oldest = min(oldest ?? time, time)
        return ScrollMark(token: token, oldest: oldest, edge: messages.filter { $0.milliseconds == oldest })
    }
}

extension RemoteMessage {
    var milliseconds: Int64 { message.createdAt.milliseconds }

    /// Bytes that it holds in memory, about.
    var byteCount: Int { fileURLs.reduce(256 + message.canonicalJSON.count) { $0 + $1.utf8.count } }
}

extension [RemoteMessage] {
    /// By time; equal times stay as they are.
    var ascending: [RemoteMessage] {
        enumerated().sorted { ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset) }.map(
            \.element)
    }
}
