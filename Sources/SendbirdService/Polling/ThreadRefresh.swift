import Bounds
import Chat
import ChatModel
import ChatStore
import Formats
import SendbirdWire
import Synchronization

/// Reads what is new in one of an account's threads, and writes it: messages first, then the thread, whose unread count
/// is the platform's. So order, repetition and an echo before the answer to a send do no harm.
final class ThreadRefresh: Sendable {
    let account: ConnectedUser
    private let history: HistoryPages
    private let list: ThreadList
    private let progress: ReadProgress
    private let openedAt: Int64

    /// How far a refresh goes back behind what is complete, in milliseconds.
    private static let overlap: Int64 = 10_000
    /// The messages that a look at a thread in view compares.
    private static let focused = 100
    private static let attempts = 3

    init(_ account: ConnectedUser, history: HistoryPages, list: ThreadList) {
        (self.account, self.history, self.list) = (account, history, list)
        progress = history.progress
        openedAt = account.store.environment.now().milliseconds
    }

    /// Refreshes a thread. Returns whether anything was new. Throws `notConnected` if too much was missed for a
    /// refresh.
    @discardableResult
    func run(_ thread: String, _ look: ThreadLook) async throws(ChatError) -> Bool {
        for _ in 0..<Self.attempts {
            if let isNew = try await attempt(thread, look) { return isNew }
        }
        throw ChatError(.serverError, "The thread changes all the time while it is read.")
    }

    /// Returns nil if the account's list has told of the thread meanwhile, by a later question: the answer of before counts
    /// no more, and without its unread count the messages must not be counted.
    private func attempt(_ thread: String, _ look: ThreadLook) async throws(ChatError) -> Bool? {
        let number = account.number
        let (known, chunks) = try await account.store.read { transaction -> (ThreadRecord?, [Chunk]) in
            let known = try transaction.thread(thread, of: number)
            return (known, try known.map { try transaction.chunks(of: $0.number) } ?? [])
        }
        if chunks.last?.isOpen == true { progress.set(thread, for: number, isUnderWay: false) }
        guard let known else { return try await begin(thread) }
        guard known.thread.state != .pending else {
            // What is in view here alone is not looked for; but another gateway may have made it.
            return try await look.isFocus && !look.isHeard ? false : adopt(thread)
        }
        do throws(ChatError) {
            // The account's list may have brought it without any message.
            return chunks.isEmpty ? try await begin(thread) : try await read(thread, look)
        } catch {
            // Who cannot read a channel may not have it any more.
            var place = 0
            guard [.unknownThread, .notJoined].contains(error.code),
                try await account.channel(thread, place: &place) == nil
            else { throw error }
            return try await account.store.write { [marks = account.marks, place] transaction in
                try transaction.remove(thread, marks, askedAt: place)
            }
        }
    }

    private func read(_ thread: String, _ look: ThreadLook) async throws(ChatError) -> Bool? {
        let reach = progress.reach(of: thread, for: account.number)
        let since = reach.time ?? openedAt - ReadProgress.clockDifference
        var fresh = RawPage(
            try await MessageReads(account: account).messages(
                of: thread, at: since - Self.overlap, next: HistoryPages.limit, .focus))
        if fresh.messages.count >= HistoryPages.limit {
            fresh = RawPage(try await newest(of: thread, HistoryPages.limit))
            try await checkNothingIsMissing(before: fresh, in: thread, reach)
        }
        var removed = fresh.messages.filter(\.isRemoved).map { String($0.id) }
        var compared = fresh
        if look.isFocus {
            let here = try await history.newestHere(in: thread)
            let newest = try await newest(of: thread, Self.focused)
            let isWhole = newest.count < Self.focused
            let gone = try await history.removed(from: here, since: newest, whole: isWhole, of: thread)
            if gone == nil, try await end(of: thread) != nil {
                throw loss("More messages are gone than are looked for one by one.")
            }
            removed += gone ?? []
            let listed = Set(newest.map(\.id))
            let others = try await history.look(at: Set(look.named.keys).subtracting(listed), in: thread)
            removed += others.removed
            compared = RawPage(newest + others.changed)
        }
        var place = 0
        let channel = try await account.channel(thread, place: &place)
        if let last = channel?.lastMessage?.createdAt.value, last > fresh.newest ?? .min, last > since {
            // It has come meanwhile. Or removed messages, which are not listed, have taken the places of newer ones.
            fresh = RawPage(try await newest(of: thread, HistoryPages.limit))
            try await checkNothingIsMissing(before: fresh, in: thread, reach)
        }
        let isNew = try await write(fresh, compared, removed: removed, channel, askedAt: place, to: thread)
        if isNew != nil, let newest = fresh.newest { progress.read(thread, for: account.number, upTo: newest) }
        return isNew
    }

    /// Throws if the newest messages that are read here do not reach back to those that are here already, unless those
    /// in between are the synchronization's: a busy thread has many in the time before a connection, too.
    private func checkNothingIsMissing(
        before page: RawPage, in thread: String, _ reach: ReadProgress.Reach
    ) async throws(ChatError) {
        let end = try await end(of: thread)
        // It may have begun since.
        let isUnderWay = reach.isUnderWay || progress.reach(of: thread, for: account.number).isUnderWay
        guard end != nil || isUnderWay else { return }
        let edge = reach.time ?? end ?? .min
        guard let oldest = page.oldest, oldest > edge else { return }
        if page.messages.count < HistoryPages.limit {
            // All are here, unless removed ones have taken places.
            let older = try await history.older(thread, than: oldest)
            guard older.contains(where: { $0.createdAt.value > edge }) else { return }
        }
        // The synchronization may have the newest ones of before, and would take those in between to be here.
        throw end == nil ? Self.isUnderWay : loss("More was missed than one answer of the platform has.")
    }

    /// The synchronization is at the thread, and has asked for its newest messages.
    static let isUnderWay = ChatError(
        .serverError, "More came than one answer of the platform has, while the thread was read.")

    /// The connection is lost, so that the next one catches up; but what one has missed that is closed already is no loss
    /// of the others'.
    private func loss(_ reason: String) -> ChatError {
        ChatError(account.life.isOpen ? .notConnected : .serverError, reason)
    }

    /// The end of what is known without a gap, up to the newest message; nil as long as the synchronization has not caught
    /// up with the thread over this connection. Before that, what is missing is no loss: a new connection would only let
    /// it begin anew.
    private func end(of thread: String) async throws(ChatError) -> Int64? {
        try await account.store.read { [number = account.number] transaction in
            guard let record = try transaction.thread(thread, of: number),
                let last = try transaction.chunks(of: record.number).last, last.isOpen
            else { return nil }
            return last.high
        }
    }

    private func newest(of thread: String, _ count: Int) async throws(ChatError) -> [SendbirdMessage] {
        try await NewestMessages(account: account).messages(of: thread, count, .focus)
    }

    private func write(
        _ fresh: RawPage, _ page: RawPage, removed: [String], _ channel: SendbirdChannel?, askedAt place: Int,
        to thread: String
    ) async throws(ChatError) -> Bool? {
        var reader = try await history.reader(of: thread)
        reader.readReceipts = channel?.readReceipts ?? [:]
        reader.deliveryReceipts = channel?.deliveryReceipts ?? [:]
        if let line = channel?.personal?.messageOffset.time { reader.line = max(line, reader.line ?? line) }
        let (live, compared) = (
            fresh.messages.compactMap { reader.read($0, in: thread) },
            page.messages.compactMap { reader.read($0, in: thread) }
        )
        let number = account.number
        return try await account.store.write { [reader, marks = account.marks] transaction in
            guard var record = try transaction.thread(thread, of: number) else { return false }
            let before = (record.version, record.messagesVersion)
            guard let channel else { return try transaction.remove(thread, marks, askedAt: place) }
            guard marks.take(thread, askedAt: place) else { return nil }
            try transaction.removeRemote(removed, from: &record)
            try transaction.merge(compared, by: .change, into: &record)
            try transaction.merge(live, by: .live, into: &record)
            try transaction.merge(channel, for: reader, marks, askedAt: place)
            guard let after = try transaction.thread(thread, of: number) else { return true }
            return before != (after.version, after.messagesVersion)
        }
    }

    /// A thread that was here alone, and that the platform has: it is written with its messages.
    private func adopt(_ thread: String) async throws(ChatError) -> Bool {
        guard try await begin(thread) else { return false }
        let number = account.number
        for _ in 0..<HistoryPages.lookups {
            let record = try await account.thread(thread)
            let oldest = try await account.store.read {
                try $0.messages(
                    in: record, around: .earliest, previous: 0, next: 1, simultaneous: 0, replies: .all
                ).first?.message.createdAt
            }
            guard let oldest else { break }
            let page = try await history.messages(of: thread, .before(oldest, limit: HistoryPages.limit))
            try await account.store.write { transaction in
                guard var record = try transaction.thread(thread, of: number) else { return }
                try transaction.merge(page.messages, by: .history, into: &record)
            }
            guard page.hasPrevious else { break }
        }
        return true
    }

    /// A thread that is new here, or whose messages are: it is written with its newest ones.
    private func begin(_ thread: String) async throws(ChatError) -> Bool {
        let page = try await history.page(of: thread, .newest(limit: 100))
        // Last: the account may not have it any more.
        var place = 0
        guard let channel = try await account.channel(thread, place: &place) else { return false }
        // What is older was there before anybody here followed.
        let since = openedAt - ReadProgress.clockDifference
        let news = page.messages.filter { $0.message.createdAt.milliseconds > since }
        let (number, reader, marks) = (account.number, await account.reader, account.marks)
        return try await account.store.write { [place] transaction in
            // The account's list may have told of the thread meanwhile, by a later question.
            let isTaken = marks.take(thread, askedAt: place)
            if isTaken { try transaction.merge(channel, for: reader, marks, askedAt: place) }
            guard var record = try transaction.thread(thread, of: number) else { return true }
            let unreadCount = record.members[0].unreadCount
            // Before it had a channel, the thread counted as complete. This page says what is known now.
            try transaction.forgetCoverage(of: record)
            let coverage = HistoryCoverage(
                low: page.hasPrevious ? page.messages.first?.message.createdAt.milliseconds : nil,
                high: page.messages.last?.message.createdAt.milliseconds, isNewest: true)
            try transaction.merge(news, by: .live, into: &record)
            try transaction.merge(page.messages, by: .history, covering: coverage, into: &record)
            // They were counted before.
            if record.members[0].unreadCount != unreadCount {
                record.members[0].unreadCount = unreadCount
                try transaction.save(&record, logging: .threadUpdated, withDesk: false)
            }
            try transaction.note(receiptsOf: channel, for: reader, in: &record)
            return true
        }
    }

    /// Reads the whole list of threads: what was left, hidden, or missed otherwise. Returns those with new messages.
    func readList() async throws(ChatError) -> [String] {
        let number = account.number
        let before = try await account.store.read { try $0.headOffset() }
        _ = try await list.load(isFirst: false)
        return try await account.store.read { transaction in
            try transaction.threadStandings(of: number, limit: 5000).filter { $0.version > before }.map(\.id)
        }
    }
}
