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
    private let account: ConnectedUser
    private let history: HistoryPages
    private let list: ThreadList
    private let progress: ReadProgress
    private let openedAt: Int64

    /// How far a refresh goes back behind what is complete, in milliseconds.
    private static let overlap: Int64 = 10_000
    /// The messages that a look at a thread in view compares.
    private static let focused = 100

    init(_ account: ConnectedUser, history: HistoryPages, list: ThreadList) {
        (self.account, self.history, self.list) = (account, history, list)
        progress = history.progress
        openedAt = account.store.environment.now().milliseconds
    }

    /// Refreshes a thread. Returns whether anything was new. Throws `notConnected` if too much was missed for a
    /// refresh.
    @discardableResult
    func run(_ thread: String, _ look: ThreadLook) async throws(ChatError) -> Bool {
        let number = account.number
        let known = try await account.store.read { try $0.thread(thread, of: number) }
        guard let known else { return try await begin(thread) }
        guard known.thread.state != .pending else {
            // What is in view here alone is not looked for; but another gateway may have made it.
            return try await look.isFocus && !look.isHeard ? false : adopt(thread)
        }
        do throws(ChatError) {
            return try await read(thread, look)
        } catch {
            // Who cannot read a channel may not have it any more.
            guard [.unknownThread, .notJoined].contains(error.code), try await account.channel(thread) == nil else {
                throw error
            }
            try await account.store.write { try $0.removeRemoteThread(thread, of: number) }
            return true
        }
    }

    private func read(_ thread: String, _ look: ThreadLook) async throws(ChatError) -> Bool {
        let known = progress.place(of: thread, for: account.number)
        let since = known ?? openedAt - ReadProgress.clockDifference
        var fresh = RawPage(
            try await MessageReads(account: account).messages(
                of: thread, at: since - Self.overlap, next: HistoryPages.limit, .focus))
        if fresh.messages.count >= HistoryPages.limit {
            fresh = RawPage(try await newest(of: thread, HistoryPages.limit))
            // A busy thread has so many in the time before a connection, too: those are the synchronization's.
            if let known, fresh.oldest ?? .min > known, try await isSynchronized(thread) {
                throw ChatError(.notConnected, "More was missed than one answer of the platform has.")
            }
        }
        var removed = fresh.messages.filter(\.isRemoved).map { String($0.id) }
        var compared = fresh
        if look.isFocus {
            let newest = try await newest(of: thread, Self.focused)
            let isWhole = newest.count < Self.focused
            let gone = try await history.removed(since: newest, whole: isWhole, of: thread)
            if gone == nil, try await isSynchronized(thread) {
                throw ChatError(.notConnected, "More messages are gone than are looked for one by one.")
            }
            removed += gone ?? []
            let listed = Set(newest.map(\.id))
            let others = try await history.look(at: Set(look.named.keys).subtracting(listed), in: thread)
            removed += others.removed
            compared = RawPage(newest + others.changed)
        }
        let place = account.marks.now
        let channel = try await account.channel(thread)
        let isNew = try await write(fresh, compared, removed: removed, channel, askedAt: place, to: thread)
        if let newest = fresh.newest { progress.read(thread, for: account.number, upTo: newest) }
        return isNew
    }

    /// Whether the synchronization has caught up with the thread over this connection. Before that, what is missing is
    /// no loss: a new connection would only let it begin anew.
    private func isSynchronized(_ thread: String) async throws(ChatError) -> Bool {
        try await account.store.read { [number = account.number] transaction in
            guard let record = try transaction.thread(thread, of: number) else { return false }
            return try transaction.chunks(of: record.number).last?.isOpen == true
        }
    }

    private func newest(of thread: String, _ count: Int) async throws(ChatError) -> [SendbirdMessage] {
        try await NewestMessages(account: account).messages(of: thread, count, .focus)
    }

    private func write(
        _ fresh: RawPage, _ page: RawPage, removed: [String], _ channel: SendbirdChannel?, askedAt place: Int,
        to thread: String
    ) async throws(ChatError) -> Bool {
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
            guard let channel else {
                try transaction.removeRemoteThread(thread, of: number)
                return true
            }
            try transaction.removeRemote(removed, from: &record)
            try transaction.merge(compared, by: .change, into: &record)
            try transaction.merge(live, by: .live, into: &record)
            // In the unit: the customer may act until then.
            try transaction.merge(channel, of: number, for: reader, except: marks.stale(thread, since: place))
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

    /// A thread that is new here: it is written with its newest messages.
    private func begin(_ thread: String) async throws(ChatError) -> Bool {
        guard let channel = try await account.channel(thread) else { return false }
        let page = try await history.page(of: thread, .newest(limit: 100))
        let (number, reader) = (account.number, await account.reader)
        try await account.store.write { transaction in
            try transaction.merge(channel, of: number, for: reader)
            guard var record = try transaction.thread(thread, of: number) else { return }
            // Before it had a channel, the thread counted as complete. This page says what is known now.
            try transaction.forgetCoverage(of: record)
            let coverage = HistoryCoverage(
                low: page.hasPrevious ? page.messages.first?.message.createdAt.milliseconds : nil,
                high: page.messages.last?.message.createdAt.milliseconds, isNewest: true)
            try transaction.merge(page.messages, by: .live, covering: coverage, into: &record)
            try transaction.merge(channel, of: number, for: reader)
        }
        return true
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
