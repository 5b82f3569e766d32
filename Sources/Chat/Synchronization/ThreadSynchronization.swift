import ChatModel
import ChatStore
import Formats
import Synchronization

/// Reads the list of threads, and what has changed in it.
extension Synchronizer {
    /// Reads the changes of the list, or its first page. Returns whether the whole list was read, now or earlier.
    func synchronizeThreads(_ request: SyncRequest) async throws -> Bool {
        let account = account
        let (changes, next) = try await store.read {
            (try $0.position(.threadChanges, of: account), try $0.position(.threadList, of: account))
        }
        guard var token = changes else { return try await addThreadPage(after: nil, stored: next, request) }
        var hasMore = true
        while hasMore {
            let changes = try await request.platform.threadChanges(since: token)
            if changes.isForgotten {
                isForgotten = true
                return false
            }
            try check(request.round)
            if changes.removed.isEmpty, changes.updated.isEmpty, changes.token == token, !changes.hasMore { break }
            try await commit(request) { transaction in
                for thread in changes.removed { try transaction.removeRemoteThread(thread, of: account) }
                for thread in changes.updated { try transaction.merge(thread, of: account) }
                try transaction.save(changes.token, as: .threadChanges, of: account)
            }
            (token, hasMore) = (changes.token, changes.hasMore)
        }
        return next?.isEmpty == true
    }

    /// Reads a page of the list. Returns whether it was the last one.
    ///
    /// - Parameter stored: the stored token of the page after this one, from an earlier time; nil if there is none.
    @discardableResult
    private func addThreadPage(
        after token: String?, stored: String? = nil, _ request: SyncRequest
    ) async throws -> Bool {
        let page = try await request.platform.threads(after: token)
        try check(request.round)
        let account = account
        // Nothing to write.
        if page.threads.isEmpty, page.changes == nil, stored == page.next ?? "" { return page.next == nil }
        try await commit(request) { transaction in
            for thread in page.threads { try transaction.merge(thread, of: account) }
            try transaction.save(page.next ?? "", as: .threadList, of: account)
            // Only the first page's position is stored. What changes while the other pages are read is among the
            // changes since then.
            if token == nil, let changes = page.changes {
                try transaction.save(changes, as: .threadChanges, of: account)
            }
        }
        return page.next == nil
    }

    func fillThreadList(_ request: SyncRequest) async throws {
        while let token = try await threadListToken(), !token.isEmpty {
            let account = account
            let before = try await store.read { try $0.threadCount(of: account) }
            try await addThreadPage(after: token, request)
            guard try await store.read({ try $0.threadCount(of: account) }) > before else { return }
            try await breathe()
        }
    }

    private func threadListToken() async throws -> String? {
        let account = account
        return try await store.read { try $0.position(.threadList, of: account) }
    }

    /// Reads the next page of the list of threads, because a view has come to the end of the rows (collections 2.2a).
    /// Returns whether more may come; false also without a connection.
    func extendThreads() async -> Bool {
        guard let source else { return false }
        let request = SyncRequest(platform: source.platform, round: round, isBackground: false)
        do {
            let token = try await threadListToken()
            if token?.isEmpty == true { return false }
            try await addThreadPage(after: token, request)
            return try await threadListToken()?.isEmpty == false
        } catch {
            return false
        }
    }
}

/// Reads a thread's changes and pages of its history.
extension Synchronizer {
    func applyChanges(of thread: ThreadRecord, _ request: SyncRequest) async throws {
        let (id, account) = (thread.thread.id, account)
        let (stored, isRead) = try await store.read {
            (try $0.position(.messageChanges, of: account, thread: id), try !$0.chunks(of: thread.number).isEmpty)
        }
        // No message of the thread was read yet, so no edit or deletion can be missed. Where all came live, none was
        // looked for.
        guard
            var position = stored.flatMap(ChangePosition.init(text:))
                ?? (isRead ? .time(thread.thread.createdAt) : nil)
        else { return }
        var hasMore = true
        while hasMore {
            let changes = try await request.platform.messageChanges(of: id, since: position)
            if changes.isForgotten { return isForgotten = true }
            try await write(id, request) { transaction, record in
                try transaction.removeRemote(changes.removed, from: &record)
                try transaction.merge(changes.updated, by: .change, into: &record)
                try transaction.save(changes.position.text, as: .messageChanges, of: account, thread: id)
            }
            (position, hasMore) = (changes.position, changes.hasMore)
        }
    }

    /// Reads the newest messages, and from there back to the newest that the store has. Stops at ``hugeGap``, and then
    /// reports the gap.
    func catchUp(_ thread: ThreadRecord, _ request: SyncRequest) async throws {
        let (number, id) = (thread.number, thread.thread.id)
        let known = try await store.read { try $0.chunks(of: number) }.last
        if known?.isOpen == true { return }
        var page = try await request.platform.messages(of: id, .newest(limit: Self.pageLimit))
        var messages = page.messages
        // How many are newer than all that is known.
        func missed(_ known: Chunk) -> Int { messages.count { $0.time > known.high } }
        while let known {
            let coverage = HistoryCoverage(
                low: page.hasPrevious ? messages.first?.time : nil, high: messages.last?.time, isNewest: true)
            guard !coverage.touches(known), missed(known) <= Self.hugeGap, let first = messages.first else { break }
            try check(request.round)
            page = try await request.platform.messages(of: id, .before(first.message.createdAt, limit: Self.pageLimit))
            let added = page.messages.filter { !Set(messages.map(\.message.id)).contains($0.message.id) }
            if added.isEmpty, page.hasPrevious { throw Self.noProgress }
            messages = (added + messages).sorted { $0.time < $1.time }
        }
        // Such a page would say that there is nothing older.
        if messages.isEmpty, page.hasPrevious { throw Self.noProgress }
        let gap = known.flatMap { missed($0) > Self.hugeGap ? $0.high : nil }
        let coverage = HistoryCoverage(
            low: page.hasPrevious ? messages.first?.time : nil, high: messages.last?.time, isNewest: true)
        try await merge(messages, by: gap == nil ? .missed : .history, covering: coverage, into: id, request)
        if let gap { notices.post(.hugeGap(account: account, thread: id, after: gap)) }
    }

    private func merge(
        _ messages: [RemoteMessage], by source: MessageSource, covering coverage: HistoryCoverage, into thread: String,
        _ request: SyncRequest
    ) async throws {
        let account = account
        try await write(thread, request) { transaction, record in
            try transaction.merge(messages, by: source, covering: coverage, into: &record)
            guard try transaction.position(.messageChanges, of: account, thread: thread) == nil else { return }
            // Changes are asked for since the latest time on this page. Some may come twice; none is missed.
            let time = messages.map(\.message.updatedAt).max() ?? record.thread.createdAt
            try transaction.save(ChangePosition.time(time).text, as: .messageChanges, of: account, thread: thread)
        }
    }

    /// Reads one page towards the oldest message, and around a viewpoint also one towards the newest. Returns whether
    /// there is more to read.
    func fill(_ thread: ThreadRecord, at time: Int64?, _ request: SyncRequest) async throws -> Bool {
        let chunks = try await store.read { try $0.chunks(of: thread.number) }
        let place = MessagePosition(createdAt: time ?? .max, number: .max)
        guard let chunk = chunks.chunk(around: place) else { return false }
        if !chunk.isOldest { try await pageBefore(chunk, thread, request) }
        if chunk != chunks.last { try await pageAfter(chunk, thread, request) }
        return !chunk.isOldest || chunk != chunks.last
    }

    func fillViewpoint(_ request: SyncRequest) async throws -> Bool {
        guard let viewpoint = viewpoints.first else { return false }
        if let thread = try await store.read({ try $0.thread(number: viewpoint.thread) }),
            try await fill(thread, at: viewpoint.time, request)
        {
            return true
        }
        viewpoints.removeAll { $0 == viewpoint }
        return !viewpoints.isEmpty
    }

    func pageBefore(_ chunk: Chunk, _ thread: ThreadRecord, _ request: SyncRequest) async throws {
        let page = try await request.platform.messages(
            of: thread.thread.id, .before(Timestamp(milliseconds: chunk.low), limit: Self.pageLimit))
        let low = page.messages.first?.time ?? chunk.low
        if page.hasPrevious, low >= chunk.low { throw Self.noProgress }
        let coverage = HistoryCoverage(low: page.hasPrevious ? low : nil, high: chunk.low, isHighComplete: true)
        try await merge(page.messages, by: .history, covering: coverage, into: thread.thread.id, request)
    }

    func pageAfter(_ chunk: Chunk, _ thread: ThreadRecord, _ request: SyncRequest) async throws {
        let page = try await request.platform.messages(
            of: thread.thread.id, .after(Timestamp(milliseconds: chunk.high), limit: Self.pageLimit))
        let high = page.messages.last?.time ?? chunk.high
        if page.hasNext, high <= chunk.high { throw Self.noProgress }
        let coverage = HistoryCoverage(low: chunk.high, high: high, isLowComplete: true, isNewest: !page.hasNext)
        try await merge(page.messages, by: .history, covering: coverage, into: thread.thread.id, request)
    }

    func pageAround(_ place: MessagePosition, _ thread: ThreadRecord, _ request: SyncRequest) async throws {
        let time = place.createdAt
        let page = try await request.platform.messages(
            of: thread.thread.id, .around(Timestamp(milliseconds: time), limit: Self.aroundLimit))
        let last = page.messages.last?.time
        // Where nothing is newer, the newest message is the edge: the time may be one to come, of which nothing is known.
        let coverage = HistoryCoverage(
            low: page.hasPrevious ? page.messages.first?.time ?? time : nil,
            high: page.hasNext ? max(last ?? time, time) : last,
            isHighComplete: last ?? time <= time, isNewest: !page.hasNext)
        try await merge(page.messages, by: .history, covering: coverage, into: thread.thread.id, request)
        viewpoints.removeAll { $0.thread == thread.number }
        viewpoints.append((thread.number, time))
    }

    private static let noProgress = ChatError(
        .serverError, "The platform says that there is more history, but its pages bring nothing new.")
}

extension RemoteMessage {
    fileprivate var time: Int64 { message.createdAt.milliseconds }
}

extension ChangePosition {
    /// The form in which the store keeps it: `t` and milliseconds, or `k` and the token.
    var text: String {
        switch self {
        case .time(let time): "t\(time.milliseconds)"
        case .token(let token): "k\(token)"
        }
    }

    /// Reads what ``text`` wrote; nil for anything else.
    init?(text: String) {
        switch text.first {
        case "t":
            guard let milliseconds = Int64(text.dropFirst()) else { return nil }
            self = .time(Timestamp(milliseconds: milliseconds))
        case "k": self = .token(String(text.dropFirst()))
        default: return nil
        }
    }
}

/// Something that happened to the cache of a remote service and that no event of the log tells.
public enum SynchronizationNotice: Sendable, Hashable {
    /// More than 300 messages were missed in a thread. They are not read one by one: whoever shows the thread must
    /// begin anew (SyncManager's huge gap).
    ///
    /// - Parameter after: when the newest message before the gap was created, in milliseconds since 1970.
    case hugeGap(account: Int64, thread: String, after: Int64)
    /// The account's cache was cleared. Every view of it must be emptied.
    case cleared(account: Int64)
}

/// Passes notices on to their receivers, on the thread that posts them, after the commit that they are about.
public final class SynchronizationNotices: Sendable {
    private let receivers = Mutex<[Int: @Sendable (SynchronizationNotice) -> Void]>([:])
    private let next = Mutex(0)

    public init() {}

    /// Calls `receiver` with each notice until the returned closure is called. It may run on any thread, and must be
    /// quick.
    public func subscribe(_ receiver: @escaping @Sendable (SynchronizationNotice) -> Void) -> @Sendable () -> Void {
        let id = next.withLock {
            $0 += 1; return $0
        }
        receivers.withLock { $0[id] = receiver }
        return { [weak self] in self?.receivers.withLock { $0[id] = nil } }
    }

    func post(_ notice: SynchronizationNotice) {
        for receiver in receivers.withLock({ Array($0.values) }) { receiver(notice) }
    }
}
