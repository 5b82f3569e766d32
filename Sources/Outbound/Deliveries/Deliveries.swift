import Chat
import ChatModel
import ChatStore

/// Sends events of the log to targets: one more reader of the log.
///
/// For each target a bounded number of deliveries is taken out of the log into rows; what comes of attempts is recorded
/// in batches. Nothing is written before an attempt goes out, so after a crash it goes out again with the same id: at
/// least once. No sender of a message ever waits for any of this.
package actor Deliveries {
    let store: ChatStore
    let clock: any Clock<Duration>
    let senders: [TargetKind: any DeliverySender]
    private let watch = LogWatch()

    var lines: [Int64: DeliveryLine] = [:]
    /// Attempts that have begun; nil while what they send is read.
    var attempts: [Int: Task<Void, Never>?] = [:]
    private var lastAttempt = 0
    /// Attempts whose events are read next, all together.
    var unread: [Attempt] = []
    var isReading = false
    var ahead = EventsAhead()
    /// An attempt has just ended, and its task looks for another one to go on with.
    var isTaskFree = false
    /// What that task goes on with.
    var nextForTask: (attempt: Attempt, content: DeliveryContent)?
    /// Targets for which the log may have more.
    var untaken: Set<Int64> = []
    /// Targets whose rows changed while deliveries were taken for them, so that their lines lack some. Nothing more is
    /// taken for them until they are read anew: it would go out before what the line lacks.
    var outdated: Set<Int64> = []
    /// Targets for which the log has more, and no row is free.
    var full: Set<Int64> = []
    /// What came of attempts and is not stored yet. These deliveries never go out again while the process lives.
    var results: [DeliveryResult] = []
    var targetResults: [Int64: TargetResult] = [:]
    var storing: Task<Void, Never>?
    /// Results wait for others, and a timer ends that.
    var isPatient = false
    /// A line is being read anew. No unit begins meanwhile: what it stored could be missing in what is read.
    var isReadingLine = false
    /// The last unit took deliveries, and failed.
    var hasTakingFailed = false
    /// Lines are read anew one after the other, so that what was read later is applied later.
    private var isRefreshing = false
    private var turns: [Answer<Void>] = []
    private var isRefreshingOutdated = false
    /// The store has failed, and is left alone for a while.
    var isStorageWaiting = false
    var storageWait = StorageWait()
    /// Deliveries that were done since the last time that old ones were deleted.
    var doneCount = 0
    /// The state of each target that the desk was told last.
    private var told: [Int64: TargetState] = [:]
    private(set) var isStopping = false
    /// Given when no attempt is in flight any more after ``stop()``.
    private let lastEnd = Answer<Void>()

    /// How long attempts in flight may still take when the gateway stops.
    static let grace = Duration.seconds(5)

    package init(store: ChatStore, clock: any Clock<Duration>, senders: [TargetKind: any DeliverySender]) {
        self.store = store
        self.clock = clock
        self.senders = senders
    }

    /// Goes on with what waits since the last start. Call it once.
    package func start() async throws(ChatError) {
        watch.begin(store.feed) { [weak self] in Task { [weak self] in await self?.takeNews() } }
        for kind in TargetKind.allCases where senders[kind] != nil {
            let targets = try await store.read { try $0.targets(of: kind) }
            for target in targets { try await refresh(target.number) }
        }
    }

    /// Begins no more attempts. Those in flight have 5 s to end; then they are cancelled, and go out again after the
    /// start.
    package func stop() async {
        isStopping = true
        watch.end()
        for number in lines.keys { lines[number]?.endWaits() }
        if attempts.isEmpty { lastEnd.give(()) }
        // In a task of its own: the grace does not end when the caller's task is cancelled.
        let isInTime = Task { [lastEnd, clock] in await lastEnd.value(within: Self.grace, on: clock) != nil }
        if await !isInTime.value {
            for attempt in attempts.values { attempt?.cancel() }
            await lastEnd.value()
        }
        while let current = storing { await current.value }
        let (last, health) = (results, Array(targetResults.values))
        (results, targetResults) = ([], [:])
        guard !last.isEmpty || !health.isEmpty else { return }
        _ = try? await store.write { try $0.record(last, targets: health) }
    }

    /// Reads a target anew after it was made or changed, with what waits for it. Call it also after it was deleted.
    package func refresh(_ number: Int64) async throws(ChatError) {
        await takeTurn()
        defer { endTurn() }
        // Where the store cannot be read, it is tried again later.
        outdated.insert(number)
        try await readAnew(number)
    }

    /// Reads lines anew that lack deliveries. Where the store cannot be read, they wait for the next call.
    func refreshOutdated() async {
        guard !outdated.isEmpty, !isRefreshingOutdated, !isStopping else { return }
        isRefreshingOutdated = true
        await takeTurn()
        for number in outdated { try? await readAnew(number) }
        endTurn()
        isRefreshingOutdated = false
    }

    func takeTurn() async {
        guard isRefreshing else { return isRefreshing = true }
        let turn = Answer<Void>()
        turns.append(turn)
        await turn.value()
    }

    func endTurn() {
        if turns.isEmpty { isRefreshing = false } else { turns.removeFirst().give(()) }
    }

    private func readAnew(_ number: Int64) async throws(ChatError) {
        isReadingLine = true
        // A result that is being stored hides its delivery, which may be due again.
        await storing?.value
        let snapshot: (target: TargetRecord?, pending: [DeliveryRecord])
        do throws(ChatError) {
            snapshot = try await store.read { transaction in
                (try transaction.target(number: number), try transaction.pendingDeliveries(of: number))
            }
        } catch {
            isReadingLine = false
            store()
            throw error
        }
        isReadingLine = false
        outdated.remove(number)
        guard let found = snapshot.target, let sender = senders[found.kind] else {
            lines[number]?.endWaits()
            lines[number] = nil
            told[number] = nil
            untaken.remove(number)
            full.remove(number)
            targetResults[number] = nil
            watchAudiences()
            store()
            return
        }
        let known = lines[number]
        var line = known ?? DeliveryLine(target: found, sender: sender)
        line.update(withUnstored(found), sender: sender)
        line.removeAll()
        if known?.target.health != line.target.health { line.endRound() }
        line.generation += 1
        lines[number] = line
        watchAudiences()
        enqueue(snapshot.pending)
        waitForProbe(number)
        untaken.insert(number)
        pump(number)
        store()
        if known == nil { told[number] = found.health.state }
        await tell(of: found)
    }

    /// Sends a test to a target, whatever its state, and says what came of it.
    ///
    /// - Parameter id: of the message; it has no dot.
    package func test(_ target: TargetRecord, id: String) async -> AttemptRecord? {
        guard let sender = senders[target.kind] else { return nil }
        let began = store.environment.now()
        let report = await sender.route(to: target).attempt(.test(id: id))
        return record(of: report, began: began)
    }

    /// What is due from time to time: deletes old deliveries, and moves the positions of targets that nothing happens
    /// for, so that these do not expire. Call it once a minute or so.
    package func maintain() async {
        await refreshOutdated()
        for number in lines.keys { await tidy(number) }
        untaken.formUnion(lines.keys)
        store()
    }

    // MARK: Steps

    private func takeNews() {
        let news = watch.take()
        for (number, line) in lines where news.contains(line.target.audience) { untaken.insert(number) }
        store()
    }

    private func watchAudiences() { watch.watch(Set(lines.values.map(\.target.audience))) }

    /// Lets deliveries that were read wait for their turn, unless a result that is not stored yet has ended them. A
    /// failure that is not stored yet ends none.
    func enqueue(_ found: [DeliveryRecord]) {
        let unrecorded = Dictionary(grouping: results, by: \.delivery)
        for delivery in found {
            // One that was stored just before the delivery was read is in it already.
            let later = (unrecorded[delivery.number] ?? []).filter { $0.attempt.at != delivery.lastAttemptAt }
            let ends = later.map(\.end)
            if let waiting = ends.reduce(Optional(delivery), { $0?.after($1) }) { enqueue(waiting) }
        }
    }

    /// Lets a delivery wait for its turn, and for its own time.
    private func enqueue(_ delivery: DeliveryRecord) {
        lines[delivery.target]?.add(delivery)
        let wait = delivery.ownWait(at: store.environment.now())
        if wait > .zero { hold(delivery, for: wait) }
    }

    func hold(_ delivery: DeliveryRecord, for wait: Duration) {
        guard !isStopping else { return }
        let timer = Task { [clock, weak self] in
            try? await clock.sleep(for: wait)
            await self?.release(delivery)
        }
        lines[delivery.target]?.hold(delivery.number, timer)
    }

    /// Runs in the task of a timer.
    private func release(_ delivery: DeliveryRecord) {
        guard !Task.isCancelled else { return }
        lines[delivery.target]?.endWait(of: delivery.number)
        pump(delivery.target)
    }

    /// While the target fails, nothing goes out before its next try is due.
    func waitForProbe(_ number: Int64) {
        lines[number]?.endProbe()
        let wait = lines[number]?.target.health.probeWait(at: store.environment.now()) ?? .zero
        guard wait > .zero, !isStopping else { return }
        let timer = Task { [clock, weak self] in
            try? await clock.sleep(for: wait)
            await self?.probe(number)
        }
        lines[number]?.waitForProbe(timer)
    }

    /// Runs in the task of a timer.
    private func probe(_ number: Int64) {
        guard !Task.isCancelled else { return }
        lines[number]?.endProbe()
        pump(number)
    }

    /// Begins whatever attempts may begin for a target. Returns whether there were any.
    @discardableResult
    func pump(_ number: Int64) -> Bool {
        guard !isStopping else { return false }
        let last = lastAttempt
        while let start = lines[number]?.start(), let line = lines[number] {
            lastAttempt += 1
            let attempt = Attempt(id: lastAttempt, start: start, target: number, round: line.round, route: line.route)
            attempts[attempt.id] = .some(nil)
            switch start {
            case .gap(let gap): run(attempt, .gap(gap))
            case .delivery(let delivery): send(delivery, attempt)
            }
        }
        readEvents()
        return lastAttempt > last
    }

    func forget(attempt id: Int) {
        attempts[id] = nil
        if isStopping, attempts.isEmpty { lastEnd.give(()) }
    }

    /// Tells the desk of a target whose state has changed.
    func tell(of target: TargetRecord) async {
        guard target.kind == .webhook, told[target.number] != target.health.state else { return }
        told[target.number] = target.health.state
        let lag = try? await store.read { try $0.lag(of: target) }
        let event = WebhookUpdatedEvent(
            id: target.id, state: target.health.state, reason: target.health.reason, lag: lag.map { Int(clamping: $0) })
        store.feed.publish(event, to: [.desk])
    }
}
