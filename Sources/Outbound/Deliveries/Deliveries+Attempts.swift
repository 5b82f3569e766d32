import ChatModel
import ChatStore
import Formats

extension Deliveries {
    /// Bytes of events that one read takes ahead of their attempts.
    private static var aheadLimit: Int { 1 << 20 }

    /// One try to send something to a target.
    struct Attempt: Sendable {
        var id: Int
        var start: DeliveryLine.Start
        var target: Int64
        /// Of the line, when the attempt began.
        var round: Int
        /// To the target as it was when the attempt began.
        var route: any DeliveryRoute
    }

    /// What came back to the engine.
    enum Arrival {
        case report(AttemptReport, began: Timestamp)
        /// The log does not have the event any more.
        case gone
        /// The store could not be read.
        case unread
    }

    /// Sends the delivery's event if it was read already. Otherwise the attempt waits for the next read.
    func send(_ delivery: DeliveryRecord, _ attempt: Attempt) {
        let event = ahead.event(
            at: delivery.offset, removals: store.feed.removals, at: store.environment.now())
        if let event {
            run(attempt, .event(event))
        } else {
            unread.append(attempt)
        }
    }

    /// Reads what attempts send, and with it what probably goes out next. One read is under way at a time, for all
    /// attempts that have begun since the last one.
    func readEvents() {
        guard !isReading, !unread.isEmpty else { return }
        if isStopping {
            for attempt in unread { forget(attempt: attempt.id) }
            unread = []
            return
        }
        // The last read, for other targets, may have found them.
        let waiting = unread
        unread = []
        for attempt in waiting { if let delivery = attempt.start.delivery { send(delivery, attempt) } }
        guard !unread.isEmpty else { return }
        isReading = true
        let batch = unread
        unread = []
        let offsets = batch.compactMap { $0.start.delivery?.offset }
        let upcoming = Set(batch.map(\.target)).sorted().flatMap { lines[$0]?.upcoming ?? [] }
        let removals = store.feed.removals
        Task { [store, weak self] in
            let epoch = store.feed.epoch
            let events = try? await store.read {
                try $0.deliveryEvents(at: offsets, ahead: upcoming, limit: Self.aheadLimit, epoch: epoch)
            }
            await self?.begin(batch, events, removals: removals)
        }
    }

    /// - Parameters:
    ///   - events: by offset, without those that the log does not have any more; nil when they could not be read.
    ///   - removals: before they were read.
    private func begin(_ batch: [Attempt], _ events: [Int64: DeliveryEvent]?, removals: Int) {
        isReading = false
        let isCurrent = store.feed.removals == removals
        if isCurrent {
            let sent = Set(batch.compactMap { $0.start.delivery?.offset })
            let upcoming = (events ?? [:]).filter { !sent.contains($0.key) }
            ahead.add(upcoming, removals: removals, at: store.environment.now())
        }
        for attempt in batch {
            if isStopping {
                forget(attempt: attempt.id)
            } else if !isCurrent {
                // A message was removed meanwhile, perhaps one of these: they are read again.
                unread.append(attempt)
            } else if let event = attempt.start.delivery.flatMap({ events?[$0.offset] }) {
                run(attempt, .event(event))
            } else {
                finish(attempt, events == nil ? .unread : .gone)
            }
        }
        readEvents()
    }

    /// Makes an attempt: in the task of one that has just ended, if there is one, or in a task of its own.
    func run(_ attempt: Attempt, _ content: DeliveryContent) {
        if isTaskFree, nextForTask == nil { return nextForTask = (attempt, content) }
        attempts[attempt.id] = Task { [weak self, store] in
            var next: (attempt: Attempt, content: DeliveryContent)? = (attempt, content)
            while let (attempt, content) = next {
                let began = store.environment.now()
                let report = await attempt.route.attempt(content)
                next = await self?.goOn(after: attempt, .report(report, began: began))
            }
        }
    }

    /// Ends an attempt. Returns what its task does next.
    private func goOn(after attempt: Attempt, _ arrival: Arrival) -> (attempt: Attempt, content: DeliveryContent)? {
        let task = attempts[attempt.id] ?? nil
        isTaskFree = true
        finish(attempt, arrival)
        isTaskFree = false
        guard let next = nextForTask else { return nil }
        nextForTask = nil
        attempts[next.attempt.id] = .some(task)
        return next
    }

    private func finish(_ attempt: Attempt, _ arrival: Arrival) {
        let isCancelled = attempts[attempt.id]??.isCancelled == true
        defer { forget(attempt: attempt.id) }
        let (number, round) = (attempt.target, attempt.round)
        guard !isCancelled, lines[number] != nil else { return store() }
        switch (attempt.start, arrival) {
        case (.gap(let gap), .report(let report, _)):
            lines[number]?.finishGap()
            finish(gap, of: number, round: round, report)
        case (.gap, _):
            lines[number]?.finishGap()
        case (.delivery(let delivery), .report(let report, let began)):
            finish(delivery, round: round, began: began, report)
        case (.delivery(let delivery), .gone):
            lines[number]?.finish(delivery, again: nil)
            drop(delivery)
        case (.delivery(let delivery), .unread):
            lines[number]?.finish(delivery, again: delivery)
            hold(delivery, for: .seconds(1))
        }
        store(isBusy: pump(number))
    }

    private func finish(_ delivery: DeliveryRecord, round: Int, began: Timestamp, _ report: AttemptReport) {
        let environment = store.environment
        // Its owner may have made it anew meanwhile, with all its tries ahead.
        let current = lines[delivery.target]?.inFlight(delivery) ?? delivery
        let end = current.end(
            after: report.outcome, at: environment.now(), random: environment.random(), retryAfter: report.retryAfter)
        results.append(
            DeliveryResult(
                delivery: delivery.number, message: delivery.message, attempt: record(of: report, began: began),
                end: end))
        lines[delivery.target]?.finish(delivery, again: current.after(end))
        if case .refused(let nextAt) = end {
            let wait = RetryWait(startedAt: environment.now(), nextAt: nextAt).remaining(at: environment.now())
            hold(delivery, for: wait)
        }
        learn(report, of: delivery.target, round: round)
    }

    /// A target that does not want to know is told nothing more of it.
    private func finish(_ gap: LogGap, of number: Int64, round: Int, _ report: AttemptReport) {
        switch report.outcome {
        case .delivered, .eventRefused, .targetGone(delivered: true):
            if lines[number]?.target.gap == gap { lines[number]?.target.gap = nil }
            note(of: number) { $0.toldGapTo = gap.to }
            learn(report, of: number, round: round)
        case .eventFailed, .targetFailed, .targetGone(delivered: false):
            // Nothing may go out before it, so it is the target that has to wait.
            var failure = report
            if failure.outcome == .eventFailed { failure.outcome = .targetFailed }
            learn(failure, of: number, round: round)
        }
    }

    /// Takes over what an attempt shows of its target.
    private func learn(_ report: AttemptReport, of number: Int64, round: Int) {
        guard let line = lines[number], line.target.health.state.isSending else { return }
        // Attempts that were in flight together and failed are one failure.
        if report.outcome == .targetFailed, line.round != round { return }
        let environment = store.environment
        let health = line.target.health.after(
            report.outcome, at: environment.now(), random: environment.random(), retryAfter: report.retryAfter)
        guard health != line.target.health else { return }
        lines[number]?.target.health = health
        lines[number]?.endRound()
        note(of: number) { result in
            result.replaces.append(line.target.health)
            result.health = health
        }
        waitForProbe(number)
    }

    /// Notes what is to be stored of a target.
    private func note(of number: Int64, _ change: (inout TargetResult) -> Void) {
        guard let health = lines[number]?.target.health else { return }
        var result = targetResults[number] ?? TargetResult(target: number, health: health, replaces: [])
        change(&result)
        targetResults[number] = result
    }

    /// There is nothing to send any more: the event's message was removed, or the log has lost it by its age. The next
    /// step in the log tells which.
    private func drop(_ delivery: DeliveryRecord) {
        untaken.insert(delivery.target)
        Task { [store, weak self] in
            let isStored =
                (try? await store.write(inBackground: true) { try $0.dropDeliveries([delivery.number]) }) != nil
            await self?.dropped(of: delivery.target, isStored: isStored)
        }
    }

    private func dropped(of number: Int64, isStored: Bool) {
        // The row still waits, and is not in the line any more.
        if !isStored { outdated.insert(number) }
        store()
    }

    nonisolated func record(of report: AttemptReport, began: Timestamp) -> AttemptRecord {
        AttemptRecord(
            at: began, status: report.status, error: report.error,
            milliseconds: max(0, store.environment.now().milliseconds - began.milliseconds), head: report.head)
    }
}
