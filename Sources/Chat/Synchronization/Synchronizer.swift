import ChatModel
import ChatStore
import Formats

/// Copies an account's threads and messages from a remote service into the store, in the background.
///
/// A pass runs after each connection and each resume. It reads the changes of the list of threads; then for every
/// thread its edits and deletions and the newest messages; then pages towards the oldest message, with a pause between
/// two requests. If the requests for one thread fail, the pass goes on with the next thread. A pass in which something
/// has failed is repeated after a while. The next connection or resume begins a new pass.
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
    private(set) var round = 0
    /// The places that views look at. The background fills the history around them first.
    var viewpoints: [(thread: Int64, time: Int64)] = []
    /// The pages that views wait for. All who need the same page share an answer.
    var requests: [Demand: Answer<Void>] = [:]
    /// Given when the background has nothing to do; nil then.
    private var finish: Answer<Void>?
    /// Writes that have begun and are not committed.
    private(set) var commits = 0
    /// Given when no such write is left; nil while nobody waits for it.
    private var settled: Answer<Void>?
    /// Waits to begin a pass again that was not whole.
    private var repetition: Task<Void, Never>?
    private var backOff = RepeatedPass()
    private var isRepeated: Bool { backOff != RepeatedPass() }
    /// A thread of this pass could not be read.
    private var hasFailed = false
    /// The threads that this connection has caught up with. A repeated pass does not read them again.
    private var renewed: Set<Int64> = []
    /// The threads that could not be caught up over this connection. They come last, so that they keep no others from
    /// being read.
    private var failed: Set<Int64> = []
    /// The platform does not know what has changed since the positions of this pass. The cache must be cleared.
    var isForgotten = false

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
    struct SyncRequest: Sendable {
        var platform: BoundPlatform
        var round: Int
        var isBackground: Bool
    }

    struct Demand: Hashable {
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

    /// Works over the present connection from now on. Without one the work stops, and nothing of it is written any more
    /// when this returns.
    ///
    /// - Parameters:
    ///   - resumes: begins a new pass also over the same connection, if the last pass has ended there.
    ///   - present: the connection at the time of the call. A value that a caller has read before it came here could
    ///     be older than the one that is followed already.
    func follow(resumes: Bool, _ present: @Sendable () -> RemoteAccount.Source?) async {
        let new = present()
        guard new?.id != source?.id || resumes && !isWorking else {
            if new == nil { await settle() }
            return
        }
        worker?.cancel()
        // A task that is over keeps its memory as long as it is held.
        worker = nil
        repetition?.cancel()
        repetition = nil
        backOff = RepeatedPass()
        (renewed, failed) = ([], [])
        source = new
        round += 1
        let current = round
        // Before the first wait: who sees the new source sees also that there is work.
        if new != nil { finish = finish ?? Answer() }
        release()
        await outbox.follow(nil)
        // Another call came while this one waited. The later call counts.
        guard current == round else { return }
        guard let new else {
            await settle()
            if current == round { finished() }
            return
        }
        begin(over: new, round: current)
    }

    private func begin(over source: RemoteAccount.Source, round: Int) {
        worker = Task {
            let isWhole = (try? await self.work(over: source, round: round)) != nil
            self.ended(round: round, over: source, isWhole: isWhole && !self.hasFailed)
        }
    }

    private func ended(round ended: Int, over source: RemoteAccount.Source, isWhole: Bool) {
        guard ended == round else { return }
        worker = nil
        finished()
        guard !isWhole else { return }
        let alarm = clock.alarm(in: backOff.next())
        repetition = Task {
            guard (try? await alarm()) != nil else { return }
            self.again(round: ended, over: source)
        }
    }

    private func again(round: Int, over source: RemoteAccount.Source) {
        guard round == self.round, worker == nil else { return }
        repetition = nil
        finish = finish ?? Answer()
        begin(over: source, round: round)
    }

    private func finished() {
        finish?.resolve(())
        finish = nil
    }

    /// Returns when the background has nothing to do: it is done, has failed, or is paused.
    func idle() async { await finish?.value() }

    private func work(over source: RemoteAccount.Source, round: Int) async throws {
        let request = SyncRequest(platform: source.platform, round: round, isBackground: true)
        (isForgotten, hasFailed) = (false, false)
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
        (renewed, failed) = ([], [])
        repeat { try check(round) } while try await store.write({ try $0.clearCache(of: account, limit: 500) })
        notices.post(.cleared(account: account))
        let store = store
        Task.detached { while try await store.write({ try $0.collectOrphans(limit: 500) }) {} }
    }

    private func pass(_ request: SyncRequest) async throws {
        let hasUnsent = try await outbox.resolve(over: request.platform)
        // Messages are sent again after all that was missed is here. In a repeated pass they are sent in any case: a list or
        // a thread that can never be read must not delay them without end.
        let isListWhole: Bool, hasThreads: Bool
        var hasFollowed = false
        let follow = {
            guard !hasFollowed, !self.hasFailed || self.isRepeated, !self.isForgotten, request.round == self.round
            else { return }
            hasFollowed = true
            await self.outbox.follow(request.platform, resends: hasUnsent)
        }
        do {
            isListWhole = try await synchronizeThreads(request)
            hasThreads = try await eachThread(request, beforeFailed: { if self.isRepeated { await follow() } }) {
                if !self.isForgotten { try await self.renew($0, request) }
            }
        } catch {
            hasFailed = true
            await follow()
            throw error
        }
        try check(request.round)
        if isForgotten { return }
        await follow()
        if !isListWhole { try await fillThreadList(request) }
        if hasThreads || !isListWhole { try await eachThread(request) { try await self.fillWhole($0, request) } }
        try await fillViewpoints(request)
    }

    private func renew(_ thread: ThreadRecord, _ request: SyncRequest) async throws {
        guard !renewed.contains(thread.number) else { return }
        do {
            try await applyChanges(of: thread, request)
            try await catchUp(thread, request)
        } catch {
            if request.round == round { failed.insert(thread.number) }
            throw error
        }
        try check(request.round)
        renewed.insert(thread.number)
        failed.remove(thread.number)
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

    /// After so many threads in a row whose requests have failed for the first time, a pass ends: the platform is away.
    private static let failuresInARow = 3

    /// Runs the body with each thread of the account, last with those that have failed. Returns whether there are any. Where
    /// it fails, the next thread follows.
    @discardableResult
    private func eachThread(
        _ request: SyncRequest, beforeFailed: () async -> Void = {}, _ body: (ThreadRecord) async throws -> Void
    ) async throws -> Bool {
        let last = failed
        let hasThreads = try await eachThread(
            request, endsAfter: Self.failuresInARow, where: { !last.contains($0) }, body)
        if !last.isEmpty {
            await beforeFailed()
            try await eachThread(request, endsAfter: .max, where: last.contains, body)
        }
        return hasThreads
    }

    /// Returns whether the account has any threads.
    @discardableResult
    private func eachThread(
        _ request: SyncRequest, endsAfter limit: Int, where isMeant: (Int64) -> Bool,
        _ body: (ThreadRecord) async throws -> Void
    ) async throws -> Bool {
        var last: ThreadRecord?
        var seen: Set<Int64> = []
        var failures = 0
        while true {
            let (account, after) = (account, last)
            let batch = try await store.read {
                try $0.synchronizedThreads(of: account, after: after, limit: Self.threadBatch)
            }
            guard let end = batch.last else { return !seen.isEmpty }
            // The order of the threads may change while others are worked on, so one may come twice.
            for thread in batch where seen.insert(thread.number).inserted && isMeant(thread.number) {
                do {
                    try await body(thread)
                    failures = 0
                } catch {
                    // Of another connection's, or of none, nothing is read any more.
                    try check(request.round)
                    hasFailed = true
                    failures += 1
                    if failures == limit || error is CancellationError { throw error }
                }
            }
            last = end
        }
    }

    func breathe() async throws {
        if pace > .zero { try await clock.sleep(for: pace) }
        try Task.checkCancellation()
    }

    /// Throws if another connection has replaced this one. What the old one answered is dropped: it does not know what
    /// is newest now.
    func check(_ current: Int) throws {
        guard current == round else { throw CancellationError() }
    }

    /// Not inlined: into a loop of awaited calls it makes the optimiser of Swift 6.3.1 crash.
    @inline(never)
    func commit(
        _ request: SyncRequest, _ unit: @escaping @Sendable (WriteTransaction) throws -> Void
    ) async throws {
        commits += 1
        defer {
            commits -= 1
            if commits == 0 {
                settled?.resolve(())
                settled = nil
            }
        }
        try await store.write(inBackground: request.isBackground, isRepeatable: true, unit)
    }

    /// Returns when no write is under way. A new one does not begin without a look at the round.
    private func settle() async {
        guard commits > 0 else { return }
        let answer = settled ?? Answer()
        settled = answer
        await answer.value()
    }

    func write(
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
}

/// Reads what a view waits for.
extension Synchronizer {
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

    private func answer(_ demand: Demand) { requests.removeValue(forKey: demand)?.resolve(()) }

    /// The connection is gone. Those who wait for a page are released, because none will come.
    func release() {
        for demand in Array(requests.keys) { answer(demand) }
    }
}
