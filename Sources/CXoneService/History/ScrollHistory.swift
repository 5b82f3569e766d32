import Chat
import ChatModel
import ChatStore
import Synchronization

/// A page of a thread's history as the platform gives it, decoded.
struct ScrollPage: Sendable {
    /// Ascending, without hidden ones.
    var messages: [RemoteMessage]
    /// Of the oldest message, a hidden one as well; nil for a page of none.
    var oldest: Int64?
    /// For the next older page; empty at the end.
    var token: String
}

/// Where a walk towards the oldest message may go on: below this time the token leads.
struct ScrollMark: Sendable {
    var token: String
    /// Milliseconds: the oldest message that is above.
    var oldest: Int64
    /// Messages of that very time: the edge of a page may lie between equal times.
    var edge: [RemoteMessage]
    /// How many pages in a row, up to this one, had no older message.
    var idlePages = 0

    var isEnd: Bool { token.isEmpty }
}

/// Pages of the platform only go backwards, by tokens: answers any ``HistoryQuery`` from them.
///
/// Each page that was read leaves a mark, so that the next question need not begin at the newest message again. A mark is
/// good as long as messages stay where they are in the order, connections or not.
struct ScrollHistory: Sendable {
    /// Pages in a row that may bring nothing older: messages of one time can fill more than one.
    static let idlePageLimit = 8

    let marks: ScrollMarks
    /// The newest page.
    var newest: @Sendable () async throws(ChatError) -> ScrollPage
    var more: @Sendable (ScrollMark) async throws(ChatError) -> ScrollPage

    func page(_ query: HistoryQuery) async throws(ChatError) -> HistoryPage {
        switch query {
        case .newest:
            let (page, mark) = try await begin()
            return HistoryPage(messages: page.messages, hasPrevious: !mark.isEnd, hasNext: false)
        case .before(let time, let limit): return try await before(time.milliseconds, limit)
        case .after(let time, let limit): return try await after(time.milliseconds, limit)
        case .around(let time, let limit):
            let (before, after) = (try await before(time.milliseconds, limit), try await after(time.milliseconds, limit))
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
                throw ChatError(.serverError, "The platform's pages lead nowhere.")
            }
        }
        marks.add(below)
        return (page, below)
    }

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
            // On the way there only what is next to the time is wanted.
            if collected.count > 4 * limit {
                collected.removeLast(collected.count - 4 * limit)
                hasNext = true
            }
        }
        let messages = collected.filter { $0.milliseconds >= time }.ascending
        return HistoryPage(messages: messages, hasPrevious: true, hasNext: hasNext)
    }
}

/// The marks of one thread.
final class ScrollMarks: Sendable {
    /// Marks that are kept. When there are more, every other one goes: a walk from a mark above reads a page more.
    static let limit = 512
    /// Messages that a mark keeps. The edge of a mark with more is not kept: the page is read again.
    static let edgeLimit = 64

    /// Newest first.
    private let marks = Mutex<[ScrollMark]>([])

    var count: Int { marks.withLock { $0.count } }

    func add(_ mark: ScrollMark) {
        guard mark.edge.count <= Self.edgeLimit else { return }
        marks.withLock { marks in
            defer { Self.thin(&marks) }
            let place = marks.leadingCount { $0.oldest > mark.oldest }
            if place < marks.count, marks[place].oldest == mark.oldest {
                marks[place] = mark
            } else {
                marks.insert(mark, at: place)
            }
        }
    }

    private static func thin(_ marks: inout [ScrollMark]) {
        guard marks.count > limit else { return }
        // The newest and the oldest one stay.
        let last = marks.count - 1
        marks = marks.enumerated().filter { $0.offset % 2 == 0 || $0.offset == last }.map(\.element)
    }

    /// The lowest mark that is not below the time.
    func above(_ time: Int64) -> ScrollMark? {
        marks.withLock { marks in
            let count = marks.leadingCount { $0.oldest >= time }
            return count > 0 ? marks[count - 1] : nil
        }
    }

    /// The mark before that one: from there a page leads across the time.
    func twoAbove(_ time: Int64) -> ScrollMark? {
        marks.withLock { marks in
            let count = marks.leadingCount { $0.oldest > time }
            return count >= 2 ? marks[count - 2] : nil
        }
    }
}

extension [ScrollMark] {
    /// How many lead the array that pass a test which none passes after one that does not: a long thread has thousands of marks.
    fileprivate func leadingCount(where test: (ScrollMark) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if test(self[middle]) { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The marks of all threads. They outlive connections, and live as long as their account has sessions.
final class ScrollHistories: Sendable {
    /// Threads of an account whose marks are kept. Of any others the pages are read again from the newest one.
    static let limit = 256

    private let accounts = Mutex<[Int64: [String: ScrollMarks]]>([:])

    func marks(of thread: String, account: Int64) -> ScrollMarks {
        accounts.withLock { accounts in
            if let known = accounts[account]?[thread] { return known }
            let made = ScrollMarks()
            if let count = accounts[account]?.count, count >= Self.limit, let other = accounts[account]?.keys.first {
                accounts[account]?[other] = nil
            }
            accounts[account, default: [:]][thread] = made
            return made
        }
    }

    /// The account has no thread of this id any more.
    func forget(_ thread: String, account: Int64) { accounts.withLock { _ = $0[account]?.removeValue(forKey: thread) } }

    /// The account has no sessions any more.
    func forget(account: Int64) { accounts.withLock { $0[account] = nil } }

    /// How many accounts have marks.
    var count: Int { accounts.withLock { $0.count } }
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
}

extension [RemoteMessage] {
    /// By time; equal times stay as they are.
    var ascending: [RemoteMessage] {
        enumerated().sorted { ($0.element.milliseconds, $0.offset) < ($1.element.milliseconds, $1.offset) }.map(\.element)
    }
}
