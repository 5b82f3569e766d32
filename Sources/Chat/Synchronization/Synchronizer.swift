import ChatModel
import ChatStore
import Formats

/// Copies an account's threads and messages from a remote service into the store, in the background.
///
/// A pass runs after each connection and each resume. It reads the changes of the list of threads; then for every
/// thread its edits and deletions and the newest messages; then pages towards the oldest message, with a pause between
/// two requests. It ends when everything is there or when a request fails, and begins again with the next connection or
/// resume.
///
/// Rows are written so that the store knows where messages may be missing (``Chunk``). Views read inside the chunks.
actor Synchronizer {
    let account: Int64
    let store: ChatStore
    let clock: any Clock<Duration>
    private let pace: Duration
    let notices: SynchronizationNotices
    private let outbox: Outbox

    private(set) var source: RemoteAccount.Source?
    private var worker: Task<Void, Never>?
    private var round = 0
    /// The places that views look at. The background fills the history around them first.
    private var viewpoints: [(thread: Int64, time: Int64)] = []
    /// The pages that views wait for. All who need the same page share an answer.
    private var requests: [Demand: Answer<Void>] = [:]
    /// Given when the background has nothing to do; nil then.
    private var finish: Answer<Void>?
    /// The platform does not know what has changed since the positions of this pass. The cache must be cleared.
    private var isForgotten = false

    /// How many messages a page has.
    static let pageLimit = 100
    /// How many messages are read on each side of a viewpoint.
    static let aroundLimit = 50
    /// More missed messages than this are reported as a huge gap instead of being read.
    static let hugeGap = 300
    /// How long a view waits for a page.
    static let patience = Duration.seconds(10)
    private static let threadBatch = 100

    /// The connection for a piece of work, and whether the work is in the background. What somebody waits for is
    /// written with precedence.
    private struct SyncRequest: Sendable {
        var platform: any RemotePlatform
        var round: Int
        var isBackground: Bool
    }

    private struct Demand: Hashable {
        var thread: Int64
        var direction: FetchDirection
    }

    init(
        account: Int64, store: ChatStore, clock: any Clock<Duration>, pace: Duration, notices: SynchronizationNotices,
        outbox: Outbox
    ) {
        self.account = account
        self.store = store
        self.clock = clock
        self.pace = pace
        self.notices = notices
        self.outbox = outbox
    }

    // MARK: Running

    var isWorking: Bool { finish != nil }

    /// Works over this connection from now on. Nil stops the work.
    ///
    /// - Parameter resumes: begins a new pass also over the same connection, if the last pass has ended there.
    func follow(_ new: RemoteAccount.Source?, resumes: Bool) async {
        guard new?.id != source?.id || resumes && !isWorking else { return }
        worker?.cancel()
        // A task that is over keeps its memory as long as it is held.
        worker = nil
        source = new
        round += 1
        let current = round
        // Before the first wait: who sees the new source sees also that there is work.
        if new != nil { finish = finish ?? Answer() }
        release()
        await outbox.follow(nil)
        // Another call came while this one waited. The later call counts.
        guard current == round else { return }
        guard let new else { return finished() }
        worker = Task {
            try? await self.work(over: new, round: current)
            self.ended(round: current)
        }
    }

    private func ended(round ended: Int) {
        guard ended == round else { return }
        worker = nil
        finished()
    }

    private func finished() {
        finish?.give(())
        finish = nil
    }

    /// Returns when the background has nothing to do: it is done, has failed, or is paused.
    func idle() async { await finish?.value() }

    private func work(over source: RemoteAccount.Source, round: Int) async throws {
        let request = SyncRequest(platform: source.platform, round: round, isBackground: true)
        isForgotten = false
        try await pass(request)
        if isForgotten {
            try await beginAnew(round)
            isForgotten = false
            try await pass(request)
        }
    }

    /// Clears the account's cache. Nothing tells what was edited or deleted, so only rows that are read again can be
    /// trusted (as `clearCache`).
    private func beginAnew(_ round: Int) async throws {
        let account = account
        repeat { try check(round) } while try await store.write({ try $0.clearCache(of: account, limit: 500) })
        notices.post(.cleared(account: account))
        let store = store
        Task.detached { while try await store.write({ try $0.collectOrphans(limit: 500) }) {} }
    }

    private func pass(_ request: SyncRequest) async throws {
        let hasUnsent = try await outbox.resolve(over: request.platform)
        let isListWhole = try await synchronizeThreads(request)
        let hasThreads = try await eachThread { if !self.isForgotten { try await self.renew($0, request) } }
        try check(request.round)
        if isForgotten { return }
        await outbox.follow(request.platform, resends: hasUnsent)
        if !isListWhole { try await fillThreadList(request) }
        if hasThreads || !isListWhole { try await eachThread { try await self.fillWhole($0, request) } }
        try await fillViewpoints(request)
    }

    private func renew(_ thread: ThreadRecord, _ request: SyncRequest) async throws {
        try await applyChanges(of: thread, request)
        try await catchUp(thread, request)
        try await breathe()
    }

    private func fillWhole(_ thread: ThreadRecord, _ request: SyncRequest) async throws {
        try await fillViewpoints(request)
        while try await fill(thread, at: nil, request) {
            try await breathe()
            try await fillViewpoints(request)
        }
    }

    private func fillViewpoints(_ request: SyncRequest) async throws {
        while try await fillViewpoint(request) { try await breathe() }
    }

    /// Runs the body with each thread of the account. Returns whether there are any.
    @discardableResult
    private func eachThread(_ body: (ThreadRecord) async throws -> Void) async throws -> Bool {
        var last: ThreadRecord?
        var seen: Set<Int64> = []
        while true {
            let (account, after) = (account, last)
            let batch = try await store.read {
                try $0.synchronizedThreads(of: account, after: after, limit: Self.threadBatch)
            }
            guard let end = batch.last else { return !seen.isEmpty }
            // The order of the threads may change while others are worked on, so one may come twice.
            for thread in batch where seen.insert(thread.number).inserted { try await body(thread) }
            last = end
        }
    }

    private func breathe() async throws {
        if pace > .zero { try await clock.sleep(for: pace) }
        try Task.checkCancellation()
    }

    /// Throws if another connection has replaced this one. What the old one answered is dropped: it does not know what
    /// is newest now.
    private func check(_ current: Int) throws {
        guard current == round else { throw CancellationError() }
    }

    /// Not inlined: into a loop of awaited calls it makes the optimiser of Swift 6.3.1 crash.
    @inline(never)
    private func commit(
        _ request: SyncRequest, _ unit: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async throws {
        try await store.write(inBackground: request.isBackground, isRepeatable: true, unit)
    }

    private func write(
        _ thread: String, _ request: SyncRequest,
        _ unit: @escaping @Sendable (WriteTransaction, inout ThreadRecord) throws -> Void
    ) async throws {
        try check(request.round)
        let account = account
        try await commit(request) { transaction in
            guard var record = try transaction.thread(thread, of: account) else { return }
            try unit(transaction, &record)
        }
    }

    // MARK: Threads

    /// Reads the changes of the list, or its first page. Returns whether the whole list was read, now or earlier.
    private func synchronizeThreads(_ request: SyncRequest) async throws -> Bool {
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

    private func fillThreadList(_ request: SyncRequest) async throws {
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

    // MARK: Messages

    private func applyChanges(of thread: ThreadRecord, _ request: SyncRequest) async throws {
        let (id, account) = (thread.thread.id, account)
        let stored = try await store.read { try $0.position(.messageChanges, of: account, thread: id) }
        // No message of the thread was read yet, so no edit or deletion can be missed.
        guard var position = stored.flatMap(ChangePosition.init(text:)) else { return }
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
    private func catchUp(_ thread: ThreadRecord, _ request: SyncRequest) async throws {
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
    private func fill(_ thread: ThreadRecord, at time: Int64?, _ request: SyncRequest) async throws -> Bool {
        let chunks = try await store.read { try $0.chunks(of: thread.number) }
        let place = MessagePosition(createdAt: time ?? .max, number: .max)
        guard let chunk = chunks.chunk(around: place) else { return false }
        if !chunk.isOldest { try await pageBefore(chunk, thread, request) }
        if chunk != chunks.last { try await pageAfter(chunk, thread, request) }
        return !chunk.isOldest || chunk != chunks.last
    }

    private func fillViewpoint(_ request: SyncRequest) async throws -> Bool {
        guard let viewpoint = viewpoints.first else { return false }
        if let thread = try await store.read({ try $0.thread(number: viewpoint.thread) }),
            try await fill(thread, at: viewpoint.time, request)
        {
            return true
        }
        viewpoints.removeAll { $0 == viewpoint }
        return !viewpoints.isEmpty
    }

    private func pageBefore(_ chunk: Chunk, _ thread: ThreadRecord, _ request: SyncRequest) async throws {
        let page = try await request.platform.messages(
            of: thread.thread.id, .before(Timestamp(milliseconds: chunk.low), limit: Self.pageLimit))
        let low = page.messages.first?.time ?? chunk.low
        if page.hasPrevious, low >= chunk.low { throw Self.noProgress }
        let coverage = HistoryCoverage(low: page.hasPrevious ? low : nil, high: chunk.low, isHighComplete: true)
        try await merge(page.messages, by: .history, covering: coverage, into: thread.thread.id, request)
    }

    private func pageAfter(_ chunk: Chunk, _ thread: ThreadRecord, _ request: SyncRequest) async throws {
        let page = try await request.platform.messages(
            of: thread.thread.id, .after(Timestamp(milliseconds: chunk.high), limit: Self.pageLimit))
        let high = page.messages.last?.time ?? chunk.high
        if page.hasNext, high <= chunk.high { throw Self.noProgress }
        let coverage = HistoryCoverage(low: chunk.high, high: high, isLowComplete: true, isNewest: !page.hasNext)
        try await merge(page.messages, by: .history, covering: coverage, into: thread.thread.id, request)
    }

    private func pageAround(_ place: MessagePosition, _ thread: ThreadRecord, _ request: SyncRequest) async throws {
        let time = place.createdAt
        let page = try await request.platform.messages(
            of: thread.thread.id, .around(Timestamp(milliseconds: time), limit: Self.aroundLimit))
        let coverage = HistoryCoverage(
            low: page.hasPrevious ? page.messages.first?.time ?? time : nil,
            high: max(page.messages.last?.time ?? time, time),
            isHighComplete: page.messages.last?.time ?? time <= time, isNewest: !page.hasNext)
        try await merge(page.messages, by: .history, covering: coverage, into: thread.thread.id, request)
        viewpoints.removeAll { $0.thread == thread.number }
        viewpoints.append((thread.number, time))
    }

    private static let noProgress = ChatError(
        .serverError, "The platform says that there is more history, but its pages bring nothing new.")

    // MARK: What views wait for

    /// Reads the page that a view needs, before the background's work. Views that need the same page share one request.
    /// Returns when the page is stored, when the request has failed, or after 10 s.
    func extend(thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition) async {
        guard let source else { return }
        let demand = Demand(thread: thread, direction: direction)
        let page = requests[demand] ?? Answer()
        if requests.updateValue(page, forKey: demand) == nil {
            let request = SyncRequest(platform: source.platform, round: round, isBackground: false)
            Task {
                try? await self.page(thread, direction, beyond: edge, request)
                if request.round == self.round { self.answer(demand) }
            }
        }
        _ = await page.value(within: Self.patience, on: clock)
    }

    private func page(
        _ thread: Int64, _ direction: FetchDirection, beyond edge: MessagePosition, _ request: SyncRequest
    ) async throws {
        let (found, chunks) = try await store.read { (try $0.thread(number: thread), try $0.chunks(of: thread)) }
        guard let record = found else { return }
        guard let chunk = chunks.chunk(around: edge) else {
            return chunks.isEmpty && edge.createdAt == .max
                ? try await catchUp(record, request) : try await pageAround(edge, record, request)
        }
        switch direction {
        case .previous:
            if !chunk.isOldest { try await pageBefore(chunk, record, request) }
        case .next:
            if chunk == chunks.last {
                try await catchUp(record, request)
            } else {
                try await pageAfter(chunk, record, request)
            }
        }
    }

    private func answer(_ demand: Demand) { requests.removeValue(forKey: demand)?.give(()) }

    /// The connection is gone. Those who wait for a page are released, because none will come.
    private func release() {
        for demand in Array(requests.keys) { answer(demand) }
    }
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
