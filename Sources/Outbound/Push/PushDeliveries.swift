import Chat
import ChatModel
import ChatStore
import Formats
import Synchronization

/// Tells devices of messages: one more reader of the log, for all devices together.
///
/// A message becomes a push for each device that is to be told of it, which is looked at again when it is due
/// (``PushSituation``). What comes of an attempt is stored; after a crash a push may go out twice, with the same
/// content.
package actor PushDeliveries {
    let store: ChatStore
    private let clock: any Clock<Duration>
    private let notifications: Notifications
    private let sender: PushSender
    private let measurements: DeliveryMeasurements
    private let notice: @Sendable (String) -> Void
    private let startedAt: Timestamp
    private let accounts = WatchedAccounts()
    private var subscription: Subscription?

    private var queue = PushQueue()
    /// The work on pushes that are on their way, by the devices' numbers.
    private var running: [Int64: Task<Void, Never>] = [:]
    private var reached: Int64 = 0
    private var isTaking = false
    private var isStopped = false
    private var timer: Task<Void, Never>?
    private var storageWait = StorageWait()

    /// Attempts in flight.
    static let limit = 16
    /// Messages that are read at once.
    private static let step = 256

    private var refreshes = 0
    /// The last device that was looked at for old pushes.
    private var tidied: Int64 = 0

    /// - Parameter notice: takes a line for each attempt that fails: the device's id and host, and one word or a
    ///   status.
    package init(
        store: ChatStore, clock: any Clock<Duration>, notifications: Notifications, sender: PushSender,
        measurements: DeliveryMeasurements = DeliveryMeasurements(TargetKind.devices),
        notice: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.store = store
        self.measurements = measurements
        self.notice = notice
        self.clock = clock
        self.notifications = notifications
        self.sender = sender
        startedAt = store.environment.now()
    }

    /// Goes on with what waits since the last start. Call it once.
    package func start() async throws(ChatError) {
        try await reopen()
        let known = try await store.read { (try $0.audiencesWithDevices(), try $0.pushPosition()) }
        accounts.set(known.0, reading: 0)
        var target: Int64? = 0
        while let last = target {
            let step = try await store.read { try $0.pendingPushes(ofTargetsAfter: last) }
            for delivery in step.pushes { queue.add(delivery, dueAt: delivery.nextAt ?? startedAt) }
            target = step.next
        }
        reached = known.1
        subscription = store.feed.subscribe { [accounts, weak self] events in
            guard accounts.areConcerned(by: events) else { return }
            Task { await self?.take() }
        }
        notifications.onStreamEnd { [weak self] session in
            Task { await self?.lookAgain(.session(session)) }
        }
        take()
        pump()
    }

    /// Ends the attempts in flight: they go out again after the next start.
    package func stop() async {
        isStopped = true
        subscription?.cancel()
        timer?.cancel()
        let tasks = Array(running.values)
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    /// Deletes old pushes of some devices; all have their turn one after the other. Call it once a minute or so.
    package func maintain() async {
        let now = store.environment.now()
        do throws(ChatError) {
            let round = try await store.read { [tidied] in try $0.devicesToTidy(after: tidied, at: now) }
            if !round.devices.isEmpty {
                try await store.write(inBackground: true) { transaction in
                    for device in round.devices { _ = try transaction.tidyDeliveries(of: device) }
                }
            }
            tidied = round.next
        } catch {
            // The next time.
        }
    }

    /// Counts an attempt, and says in the log what failed.
    nonisolated func note(_ report: PushReport, of device: TargetRecord) {
        let outcome = DeliveryOutcome(report.outcome)
        measurements.note(outcome, of: device.kind, after: .milliseconds(report.attempt.milliseconds))
        guard outcome != .delivered else { return }
        let host = (try? DeviceSettings(of: device))?.destination ?? "an unknown host"
        let answer = report.attempt.status.map { "answered \($0)" } ?? report.attempt.error ?? "gave no answer"
        notice("\(device.kind.rawValue) \(device.id) at \(host): \(answer)")
    }

    /// Nothing is read, stored or on its way: all that is left waits for its time.
    var isAtRest: Bool { running.isEmpty && !isTaking }

    /// A device was registered or removed.
    func refresh() async throws(ChatError) {
        refreshes += 1
        let refresh = refreshes
        let (audiences, position) = try await store.read { (try $0.audiencesWithDevices(), try $0.pushPosition()) }
        accounts.set(audiences, reading: refresh)
        reached = max(reached, position)
        // A message may have come between the registration and this.
        take()
    }

    /// Devices that were refused take pushes again where their app is configured in another way now.
    private func reopen() async throws(ChatError) {
        let sender = sender
        let closed = try await store.read { transaction in
            try AppKind.allCases.flatMap { try transaction.refusedDevices(of: $0.target) }.filter { device in
                guard case .account(let account) = device.audience else { return false }
                let channel = try transaction.account(account).key.channel
                return try sender.isReopened(DeviceSettings(of: device), channel: channel)
            }
        }
        guard !closed.isEmpty else { return }
        try await store.write { transaction in
            for device in closed { try transaction.reopenDevice(device.number, version: device.version) }
        }
    }

    // MARK: The log

    private func take() {
        guard !isTaking, !isStopped else { return }
        isTaking = true
        Task { [weak self] in await self?.takeAll() }
    }

    private func takeAll() async {
        defer { isTaking = false }
        while !isStopped, reached < store.feed.head {
            do throws(ChatError) {
                try await takeStep()
                storageWait.succeed()
            } catch {
                try? await clock.sleep(for: storageWait.fail())
            }
        }
    }

    private func takeStep() async throws(ChatError) {
        let (start, epoch) = (reached, store.feed.epoch)
        let oldest = store.environment.now().advanced(byMilliseconds: -RetrySchedule.timeToLive.wholeMilliseconds)
        let found = try await store.read { transaction in
            let watched = try transaction.audiencesWithDevices()
            let (events, through) = try transaction.loggedMessages(after: start, limit: Self.step, epoch: epoch)
            return (try events.flatMap { try transaction.pushes(for: $0, to: watched, since: oldest) }, through)
        }
        let dueAt = store.environment.now().advanced(by: PushLook.delay)
        if !found.0.isEmpty {
            let taken = try await store.write(inBackground: true) { transaction in
                try transaction.takePushes(found.0, through: found.1, nextAt: dueAt)
            }
            for delivery in taken { queue.add(delivery, dueAt: dueAt) }
        }
        reached = max(reached, found.1)
        pump()
    }

    // MARK: What is due

    private func lookAgain(_ holder: PushHolder) {
        queue.wake(holder, at: store.environment.now())
        pump()
    }

    private func pump() {
        guard !isStopped else { return }
        let now = store.environment.now()
        while queue.busyCount < Self.limit, let delivery = queue.take(at: now) {
            running[delivery.target] = Task { [weak self] in await self?.work(on: delivery) }
        }
        timer?.cancel()
        // Whoever frees a place calls this again.
        guard queue.busyCount < Self.limit, let next = queue.nextDue() else { return }
        let wait = max(1, next.milliseconds - now.milliseconds)
        timer = Task { [clock, weak self] in
            guard (try? await clock.sleep(for: .milliseconds(wait))) != nil else { return }
            await self?.pump()
        }
    }

    private func work(on delivery: DeliveryRecord) async {
        var result = PushWork.again(PushLook.pause, heldBy: nil)
        do throws(ChatError) {
            result = try await attempt(delivery)
        } catch {
            // The store could not be read: it is looked at again later.
        }
        running[delivery.target] = nil
        if case .again(let wait, let holder) = result, !isStopped {
            queue.add(delivery, dueAt: store.environment.now().advanced(by: wait), heldBy: holder)
        }
        queue.finish(delivery.target)
        pump()
    }

    /// Looks at a push, and sends it if it is to be sent now.
    private func attempt(_ delivery: DeliveryRecord) async throws(ChatError) -> PushWork {
        let epoch = store.feed.epoch
        guard let view = try await store.read({ try $0.push(delivery, epoch: epoch) }) else { return .ended }
        let now = store.environment.now()
        let presence =
            view.device.audience == .desk
            ? notifications.presence(ofDeskDevice: view.device.id)
            : notifications.presence(of: view.session, account: view.account)
        let situation = PushSituation(
            now: now, startedAt: startedAt, takenAt: delivery.createdAt, writtenAt: view.message?.createdAt,
            isRead: view.isRead,
            thread: view.message?.threadID ?? "", presence: presence)
        switch situation.look {
        case .again(let wait): return .again(wait, heldBy: .session(view.session))
        case .drop(let reason):
            try await store.write(inBackground: true) { try $0.dropPush(delivery.number, reason: reason.rawValue) }
            return .ended
        case .send:
            guard let message = view.message, let settings = try? DeviceSettings(of: view.device)
            else {
                try await store.write(inBackground: true) { try $0.dropPush(delivery.number, reason: "removed") }
                return .ended
            }
            if let hold = sender.hold(settings, channel: view.channel) {
                return .again(hold.wait, heldBy: .app(hold.app))
            }
            let push = Push(
                id: String(delivery.number), message: PushMessage(message, for: view),
                badge: view.device.audience == .desk ? nil : view.unreadCount)
            let report = await sender.send(push, to: view.device, settings)
            // The gateway stops: nobody knows what came of it.
            guard !Task.isCancelled else { return .ended }
            note(report, of: view.device)
            learn(report)
            return await record(report, of: view.delivery, to: view.device, settings, writtenAt: message.createdAt)
        }
    }

    /// What waited for the app's sake goes out now where this push shows that the app takes pushes.
    func learn(_ report: PushReport) {
        if let app = report.openApp { lookAgain(.app(app)) }
    }

    /// Keeps what came of an attempt, however long the store needs: meanwhile nothing else goes to the device.
    private func record(
        _ report: PushReport, of delivery: DeliveryRecord, to device: TargetRecord, _ settings: DeviceSettings,
        writtenAt: Timestamp
    ) async -> PushWork {
        let environment = store.environment
        let schedule = [.held, .deviceHeld].contains(report.outcome) ? RetrySchedule.held : .push
        let wait = schedule.wait(
            afterFailures: delivery.attemptCount + 1, at: environment.now(), random: environment.random(),
            retryAfter: report.retryAfter, deadline: writtenAt.advanced(by: RetrySchedule.timeToLive))
        let plan = PushPlan(report.outcome, wait: wait, refusals: device.health.failures)
        let result = DeliveryResult(
            delivery: delivery.number, message: delivery.message, attempt: report.attempt, end: plan.end)
        while !isStopped {
            do throws(ChatError) {
                try await store.write(inBackground: true) { transaction in
                    _ = try transaction.record([result], targets: [])
                    if let reason = plan.closing {
                        let closed = settings.closed(reason, app: report.app)
                        try transaction.closeDevice(
                            device.number, version: device.version, reason: reason.rawValue,
                            settings: closed.canonicalJSON,
                            address: closed.address)
                    } else if plan.refusals != device.health.failures {
                        try transaction.setRefusals(plan.refusals, ofDevice: device.number, version: device.version)
                    }
                }
                storageWait.succeed()
                break
            } catch {
                try? await clock.sleep(for: storageWait.fail())
            }
        }
        if plan.closing != nil { try? await refresh() }
        if case .refused = plan.end, let wait {
            let holder = report.outcome == .held ? report.app.map(PushHolder.app) : nil
            return .again(wait.remaining(at: environment.now()), heldBy: holder)
        }
        return .ended
    }
}
