import Chat
import ChatModel
import ChatStore

/// Sends events of the log to webhooks, and tells devices of messages: one more reader of the log. What is sent, and when,
/// is decided by a ``DeliveryMachine``; this performs what it says.
///
/// No sender of a message ever waits for any of this.
package actor Deliveries {
    private typealias Attempt = DeliveryMachine.Attempt
    private typealias Ready = (attempt: Attempt, content: DeliveryContent)

    let store: ChatStore
    private let clock: any Clock<Duration>
    private let measurements: DeliveryMeasurements
    private let notice: @Sendable (TargetKind, String) -> Void
    private let stopwatch: Stopwatch
    private var watch: LogWatch?
    private var machine: DeliveryMachine

    /// Attempts in flight.
    private var attempts: [Int: Task<Void, Never>] = [:]
    private var lastAttempt = 0
    /// Attempts whose events are read next, all together, and those that are looked at once more.
    private var unread: [Attempt] = []
    private var reading: Task<Void, Never>?
    private var ahead = EventsAhead()
    /// What is read and written for the machine.
    private var jobs: [Int: Task<Void, Never>] = [:]
    private var lastJob = 0
    /// Wakes the machine at this time.
    private var timer: (due: Duration, task: Task<Void, Never>)?
    /// Requests that the machine has not answered yet.
    private var requests: [Int: Answer<ChatError?>] = [:]
    private var lastRequest = 0
    /// Given when no attempt is in flight any more after ``stop()``.
    private let lastEnd = Answer<Void>()
    private let notifications: Notifications?
    /// The last device that was looked at for old pushes.
    private var tidied: Int64 = 0

    /// How long attempts in flight may still take when the gateway stops.
    static let grace = Duration.seconds(5)
    /// Bytes of events that one read takes ahead of their attempts.
    private static let aheadLimit = 1 << 20

    /// - Parameters:
    ///   - policies: one for each kind of targets.
    ///   - notifications: tells when sessions are not followed any more.
    ///   - notice: gets a line for each failed attempt: the target's id and host, and one word or a status.
    package init(
        store: ChatStore, clock: any Clock<Duration>, policies: [any DeliveryPolicy],
        notifications: Notifications? = nil, measurements: DeliveryMeasurements = DeliveryMeasurements(),
        notice: @escaping @Sendable (TargetKind, String) -> Void = { _, _ in }
    ) {
        self.store = store
        self.clock = clock
        self.measurements = measurements
        self.notice = notice
        self.notifications = notifications
        stopwatch = Stopwatch(clock)
        machine = DeliveryMachine(policies: policies)
    }

    /// Goes on with what waits since the last start. Call it once.
    package func start() async throws(ChatError) {
        let watch = LogWatch { [weak self] in Task { [weak self] in await self?.takeNews() } }
        self.watch = watch
        watch.begin(store.feed)
        for kind in machine.policies.keys where machine.places[kind] == nil {
            let targets = try await store.read { try $0.targets(of: kind) }
            for target in targets { try await refresh(target.number) }
        }
        guard hasDevices else { return }
        for policy in machine.policies.values { try await policy.prepare(store) }
        notifications?.onStreamEnd { watch.left(.session($0)) }
        var last: Int64? = 0
        while let target = last {
            let step = try await store.read { try $0.pendingPushes(ofTargetsAfter: target) }
            handle(.waiting(step.devices))
            last = step.next
        }
        try await refreshDevices()
    }

    private var hasDevices: Bool { !machine.places.isEmpty }

    /// Begins no more attempts. Those in flight have 5 s to end; then they are cancelled, and go out again after the
    /// start.
    package func stop() async {
        handle(.stop)
        watch?.end()
        timer?.task.cancel()
        unread = []
        await reading?.value
        if attempts.isEmpty { lastEnd.give(()) }
        // In a task of its own: the grace does not end when the caller's task is cancelled.
        let isInTime = Task { [lastEnd, clock] in await lastEnd.value(within: Self.grace, on: clock) != nil }
        if await !isInTime.value {
            for attempt in attempts.values { attempt.cancel() }
            await lastEnd.value()
        }
        while let job = jobs.values.first { await job.value }
        let (last, health) = (machine.results, Array(machine.targetResults.values))
        guard !last.isEmpty || !health.isEmpty else { return }
        _ = try? await store.write { try $0.record(last, targets: health) }
    }

    /// Reads a target anew after it was made or changed, with what waits for it. Call it also after it was deleted.
    package func refresh(_ number: Int64) async throws(ChatError) {
        if let error = await ask({ .changed(target: number, request: $0) }) { throw error }
    }

    /// Reads anew who has devices, after one was registered or removed.
    package func refreshDevices() async throws(ChatError) {
        if let error = await ask({ .devicesChanged(request: $0) }) { throw error }
    }

    /// Stores what has come of attempts until now. It does not wait for a store that fails.
    package func settle() async { _ = await ask { .settle(request: $0) } }

    /// Sends a test to a target, whatever its state, and says what came of it; nil for a kind that is not sent to.
    package func test(
        _ target: TargetRecord, _ content: DeliveryContent
    ) async -> (report: AttemptReport, record: AttemptRecord)? {
        guard let policy = machine.policies[target.kind] else { return nil }
        let made = await send(content, by: policy.route(to: target))
        if let app = made.report.openApp { handle(.left(.app(app))) }
        return made
    }

    /// What is due from time to time: deletes old deliveries, and moves the positions of targets that nothing happens
    /// for, so that these do not expire. Call it once a minute or so.
    package func maintain() async {
        await tidy(machine.takers.sorted())
        handle(.maintain)
        // Of devices some have their turn. What fails is done the next time.
        guard hasDevices,
            let round = try? await store.read({ [tidied, now = store.environment.now()] in
                try $0.devicesToTidy(after: tidied, at: now)
            })
        else { return }
        tidied = round.next
        await tidy(round.devices)
    }

    /// Does at once what news and timers begin, and returns when all that is left waits for a time. For tests.
    func rest() async {
        while true {
            takeNews()
            handle(.alarm)
            let work = jobs.values.map(\.self) + attempts.values + [reading].compactMap(\.self)
            if work.isEmpty { return }
            for task in work { await task.value }
        }
    }

    // MARK: The machine

    /// Lets the machine answer a request.
    private func ask(_ input: (Int) -> DeliveryMachine.Input) async -> ChatError? {
        lastRequest += 1
        let answer = Answer<ChatError?>()
        requests[lastRequest] = answer
        handle(input(lastRequest))
        return await answer.value()
    }

    private func handle(_ input: DeliveryMachine.Input) { _ = perform(input, inTask: nil) }

    /// Tells the machine of an input, and performs what it says.
    ///
    /// - Parameter task: of an attempt that has just ended. It goes on with the attempt that is returned.
    private func perform(_ input: DeliveryMachine.Input, inTask task: Int?) -> Ready? {
        let moment = moment
        var next: Ready?
        var told: [TargetRecord] = []
        for effect in machine.handle(input, at: moment) {
            switch effect {
            case .attempt(let attempt):
                guard let content = content(of: attempt) else {
                    unread.append(attempt)
                    continue
                }
                if task != nil, next == nil { next = (attempt, content) } else { begin((attempt, content)) }
            case .look(let attempt): unread.append(attempt)
            case .read(let target): read(target)
            case .store(let unit): write(unit)
            case .drop(let delivery, let reason): drop(delivery, reason)
            case .tidy(let targets): begin { [weak self] in await self?.tidy(targets) }
            case .tell(let target): told.append(target)
            case .watch(let audiences, let devices): watch?.watch(audiences, devices: devices)
            case .answer(let numbers, let error): answer(numbers, error, after: &told)
            }
        }
        answer([], nil, after: &told)
        readEvents()
        setTimer()
        return next
    }

    private var moment: DeliveryMachine.Moment {
        let environment = store.environment
        return DeliveryMachine.Moment(
            time: environment.now(), elapsed: stopwatch.elapsed(), random: environment.random(),
            floor: store.feed.floor)
    }

    private func takeNews() {
        guard let news = watch?.take() else { return }
        handle(.news(news.audiences, messages: news.hasMessages))
        for holder in news.left { handle(.left(holder)) }
    }

    private func setTimer() {
        let due = machine.isStopping ? nil : machine.nextAlarm
        guard due != timer?.due else { return }
        timer?.task.cancel()
        timer = due.map { due in
            let task = Task { [stopwatch, weak self] in
                guard (try? await stopwatch.sleep(due)) != nil else { return }
                await self?.wake()
            }
            return (due, task)
        }
    }

    private func wake() {
        // A timer that was replaced in its last moment does no harm.
        timer = nil
        handle(.alarm)
    }

    // MARK: Attempts

    /// What an attempt sends; nil if it is to be read first.
    private func content(of attempt: Attempt) -> DeliveryContent? {
        switch attempt.start {
        case _ where attempt.content != nil: attempt.content
        case _ where secondLook(of: attempt) != nil: nil
        case .gap(let gap): .gap(gap)
        case .delivery(let delivery):
            ahead.event(at: delivery.offset, removals: store.feed.removals, at: store.environment.now()).map {
                .event($0)
            }
        }
    }

    private func begin(_ ready: Ready) {
        lastAttempt += 1
        let number = lastAttempt
        attempts[number] = Task { [weak self] in
            var next: Ready? = ready
            while let (attempt, content) = next {
                guard let (report, record) = await self?.send(content, by: attempt.route) else { return }
                next = await self?.end(.ended(attempt, .report(report, record)), inTask: number)
            }
        }
    }

    /// Makes an attempt, and counts it.
    private nonisolated func send(
        _ content: DeliveryContent, by route: DeliveryRoute
    ) async -> (report: AttemptReport, record: AttemptRecord) {
        let (began, start) = (store.environment.now(), stopwatch.elapsed())
        let report = await route.attempt(content)
        note(report, of: route, after: stopwatch.elapsed() - start)
        let record = AttemptRecord(
            at: began, status: report.status, error: report.error,
            milliseconds: max(0, store.environment.now().milliseconds - began.milliseconds), head: report.head)
        return (report, record)
    }

    private nonisolated func note(_ report: AttemptReport, of route: DeliveryRoute, after duration: Duration) {
        // The gateway's stop has cancelled the attempt, which says nothing about the target.
        if Task.isCancelled, report.status == nil { return }
        let outcome = DeliveryOutcome(report.outcome)
        measurements.note(outcome, of: route.kind, after: duration)
        guard outcome != .delivered else { return }
        notice(
            route.kind,
            "\(route.title()): \(report.status.map { "answered \($0)" } ?? report.error ?? "gave no answer")")
    }

    /// Returns what the attempt's task does next. What a cancelled attempt has reported says nothing.
    private func end(_ input: DeliveryMachine.Input, inTask number: Int) -> Ready? {
        if attempts[number]?.isCancelled == false, let next = perform(input, inTask: number) { return next }
        attempts[number] = nil
        if machine.isStopping, attempts.isEmpty { lastEnd.give(()) }
        return nil
    }

    /// Reads what attempts send, and with it what probably goes out next. One read is under way at a time, for all
    /// attempts that have begun since the last one.
    private func readEvents() {
        guard reading == nil, !unread.isEmpty else { return }
        // The last read, for other targets, may have found them.
        let waiting = unread
        unread = []
        for attempt in waiting {
            if let content = content(of: attempt) { begin((attempt, content)) } else { unread.append(attempt) }
        }
        guard !unread.isEmpty else { return }
        let batch = unread
        unread = []
        let looks = batch.compactMap { attempt in secondLook(of: attempt).map { (attempt: attempt, look: $0) } }
        let others = batch.filter { secondLook(of: $0) == nil }
        let offsets = others.compactMap { $0.start.delivery?.offset }
        let upcoming = machine.upcoming(for: Set(others.map(\.target)))
        let removals = store.feed.removals
        reading = Task { [store, weak self] in
            let epoch = store.feed.epoch
            let found = try? await store.read { transaction in
                (
                    events: try transaction.deliveryEvents(
                        at: offsets, ahead: upcoming, limit: Self.aheadLimit, epoch: epoch),
                    // One that cannot be read keeps no other waiting.
                    views: looks.map { one in
                        Result { try one.attempt.start.delivery.flatMap { try one.look.view($0, epoch, transaction) } }
                    }
                )
            }
            let views = Dictionary(
                uniqueKeysWithValues: zip(looks.map(\.attempt.target), found?.views ?? []))
            await self?.begin(batch, found?.events, views, removals: removals)
        }
    }

    private func secondLook(of attempt: Attempt) -> SecondLook? { machine.policies[attempt.route.kind]?.secondLook }

    /// - Parameters:
    ///   - events: by offset, without those that the log does not have any more; nil when nothing could be read.
    ///   - views: what was looked at, by the targets' numbers.
    ///   - removals: before they were read.
    private func begin(
        _ batch: [Attempt], _ events: [Int64: DeliveryEvent]?, _ views: [Int64: Result<PushView?, any Error>],
        removals: Int
    ) {
        reading = nil
        guard !machine.isStopping else { return }
        guard store.feed.removals == removals else {
            // A message was removed meanwhile, perhaps one of these: they are read again.
            unread += batch
            return readEvents()
        }
        let sent = Set(batch.compactMap { $0.start.delivery?.offset })
        ahead.add(
            (events ?? [:]).filter { !sent.contains($0.key) }, removals: removals, at: store.environment.now())
        for attempt in batch {
            if let look = secondLook(of: attempt) {
                let found: DeliveryLook? =
                    if case .success(let view) = views[attempt.target] {
                        view.map { look.judge($0, moment) } ?? .ended
                    } else {
                        nil
                    }
                handle(.looked(attempt, found))
            } else if let event = attempt.start.delivery.flatMap({ events?[$0.offset] }) {
                begin((attempt, .event(event)))
            } else {
                handle(.ended(attempt, events == nil ? .unread : .gone))
            }
        }
        readEvents()
    }

    // MARK: The store

    private func begin(_ job: @escaping @Sendable () async -> Void) {
        lastJob += 1
        let number = lastJob
        jobs[number] = Task { [weak self] in
            await job()
            await self?.endJob(number)
        }
    }

    private func endJob(_ number: Int) { jobs[number] = nil }

    private func read(_ number: Int64?) {
        begin { [store, weak self] in
            let result: Result<TargetSnapshot, ChatError>
            do throws(ChatError) {
                result = .success(
                    try await store.read { transaction in
                        guard let number else {
                            return TargetSnapshot(deviceAudiences: try transaction.audiencesWithDevices())
                        }
                        return TargetSnapshot(
                            target: try transaction.target(number: number),
                            pending: try transaction.pendingDeliveries(of: number))
                    })
            } catch {
                result = .failure(error)
            }
            await self?.handle(.read(result))
        }
    }

    private func write(_ unit: DeliveryUnit) {
        begin { [store, weak self] in
            let result: Result<StoredUnit, ChatError>
            do throws(ChatError) {
                result = .success(try await store.write(inBackground: true) { try unit.write(in: $0, store.feed) })
            } catch {
                result = .failure(error)
            }
            await self?.stored(result)
        }
    }

    private func stored(_ result: Result<StoredUnit, ChatError>) {
        if case .success(let unit) = result {
            for taken in unit.taken { ahead.add(taken.events, removals: unit.removals, at: store.environment.now()) }
        }
        handle(.stored(result))
    }

    private func drop(_ delivery: DeliveryRecord, _ reason: String?) {
        begin { [store, weak self] in
            let isStored =
                (try? await store.write(inBackground: true) { transaction in
                    if let reason {
                        try transaction.dropPush(delivery.number, reason: reason)
                    } else {
                        try transaction.dropDeliveries([delivery.number])
                    }
                }) != nil
            await self?.handle(.dropped(delivery, isStored: isStored))
        }
    }

    private func tidy(_ targets: [Int64]) async {
        for number in targets {
            while (try? await store.write(inBackground: true, { try $0.tidyDeliveries(of: number) })) == true {}
        }
    }

    // MARK: Who waits

    /// Answers requests, once the desk was told of the targets.
    private func answer(_ numbers: [Int], _ error: ChatError?, after told: inout [TargetRecord]) {
        let answers = numbers.compactMap { requests.removeValue(forKey: $0) }
        let targets = told
        told = []
        guard !targets.isEmpty else {
            for answer in answers { answer.give(error) }
            return
        }
        Task {
            for target in targets { await tell(of: target) }
            for answer in answers { answer.give(error) }
        }
    }

    private func tell(of target: TargetRecord) async {
        let lag = try? await store.read { try $0.lag(of: target) }
        let event = WebhookUpdatedEvent(
            id: target.id, state: target.health.state, reason: target.health.reason, lag: lag.map { Int(clamping: $0) })
        store.feed.publish(event, to: [.desk])
    }
}
