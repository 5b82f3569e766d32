import Chat
import ChatModel
import ChatStore

/// The attempts: what they send is read, and sent.
extension Deliveries {
    /// Bytes of events that one read takes ahead of their attempts.
    private static let aheadLimit = 1 << 20

    /// What an attempt sends; nil if it is to be read first.
    func content(of attempt: Attempt) -> DeliveryContent? {
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

    func begin(_ ready: Ready) {
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
    nonisolated func send(
        _ content: DeliveryContent, by route: DeliveryRoute
    ) async -> (report: AttemptReport, record: AttemptRecord) {
        let (began, start) = (store.environment.now(), stopwatch.elapsed())
        let report = await route.attempt(content)
        reportAttempt(report, of: route, after: stopwatch.elapsed() - start)
        let record = AttemptRecord(
            at: began, status: report.status, error: report.error,
            milliseconds: max(0, store.environment.now().milliseconds - began.milliseconds), head: report.head)
        return (report, record)
    }

    private nonisolated func reportAttempt(_ report: AttemptReport, of route: DeliveryRoute, after duration: Duration) {
        // The gateway's stop has cancelled the attempt, which says nothing about the target.
        if Task.isCancelled, report.status == nil { return }
        let outcome = DeliveryOutcome(report.outcome)
        measurements.countAttempt(outcome, of: route.kind, after: duration)
        guard outcome != .delivered else { return }
        notice(
            route.kind,
            "\(route.title()): \(report.status.map { "answered \($0)" } ?? report.error ?? "gave no answer")")
    }

    /// Returns what the attempt's task does next. What a cancelled attempt has reported says nothing.
    private func end(_ input: DeliveryMachine.Input, inTask number: Int) -> Ready? {
        if attempts[number]?.isCancelled == false, let next = perform(input, inTask: number) { return next }
        attempts[number] = nil
        if machine.isStopping, attempts.isEmpty { lastEnd.resolve(()) }
        return nil
    }

    /// Reads what attempts send, and with it what probably goes out next. One read is under way at a time, for all
    /// attempts that have begun since the last one.
    func readEvents() {
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
}
