import Chat
import ChatModel
import ChatStore

/// Sends events of the log to webhooks, and tells devices of messages: one more reader of the log. What is sent, and when,
/// is decided by a ``DeliveryMachine``; this performs what it says.
///
/// No sender of a message ever waits for any of this.
package actor Deliveries {
    typealias Attempt = DeliveryMachine.Attempt
    typealias Ready = (attempt: Attempt, content: DeliveryContent)

    let store: ChatStore
    private let clock: any Clock<Duration>
    let measurements: DeliveryMeasurements
    let notice: @Sendable (TargetKind, String) -> Void
    let stopwatch: Stopwatch
    private var watch: LogWatch?
    var machine: DeliveryMachine

    /// Attempts in flight.
    var attempts: [Int: Task<Void, Never>] = [:]
    var lastAttempt = 0
    /// Attempts whose events are read next, all together, and those that are looked at once more.
    var unread: [Attempt] = []
    var reading: Task<Void, Never>?
    var ahead = EventsAhead()
    /// What is read and written for the machine.
    var jobs: [Int: Task<Void, Never>] = [:]
    var lastJob = 0
    /// Wakes the machine at this time.
    private var timer: (due: Duration, task: Task<Void, Never>)?
    /// Requests that the machine has not answered yet.
    private var requests: [Int: Answer<ChatError?>] = [:]
    private var lastRequest = 0
    /// Given when no attempt is in flight any more after ``stop()``.
    let lastEnd = Answer<Void>()
    private let notifications: Notifications?
    /// The last device that was looked at for old pushes.
    private var tidied: Int64 = 0

    /// How long attempts in flight may still take when the gateway stops.
    static let grace = Duration.seconds(5)

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
        if attempts.isEmpty { lastEnd.resolve(()) }
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

    func handle(_ input: DeliveryMachine.Input) { _ = perform(input, inTask: nil) }

    /// Tells the machine of an input, and performs what it says.
    ///
    /// - Parameter task: of an attempt that has just ended. It goes on with the attempt that is returned.
    func perform(_ input: DeliveryMachine.Input, inTask task: Int?) -> Ready? {
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

    var moment: DeliveryMachine.Moment {
        let environment = store.environment
        return DeliveryMachine.Moment(
            time: environment.now(), elapsed: stopwatch.elapsed(), random: environment.random(),
            floor: store.feed.floor)
    }

    private func takeNews() {
        guard let news = watch?.takeNews() else { return }
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

    // MARK: Who waits

    /// Answers requests, once the desk was told of the targets.
    private func answer(_ numbers: [Int], _ error: ChatError?, after told: inout [TargetRecord]) {
        let answers = numbers.compactMap { requests.removeValue(forKey: $0) }
        let targets = told
        told = []
        guard !targets.isEmpty else {
            for answer in answers { answer.resolve(error) }
            return
        }
        Task {
            for target in targets { await publishState(of: target) }
            for answer in answers { answer.resolve(error) }
        }
    }

    private func publishState(of target: TargetRecord) async {
        let lag = try? await store.read { try $0.lag(of: target) }
        let event = WebhookUpdatedEvent(
            id: target.id, state: target.health.state, reason: target.health.reason, lag: lag.map { Int(clamping: $0) })
        store.feed.publish(event, to: [.desk])
    }
}
