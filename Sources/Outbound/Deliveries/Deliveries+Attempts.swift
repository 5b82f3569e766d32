import ChatModel
import ChatStore
import Formats

/// What came back to the engine.
enum AttemptArrival: Sendable {
    case report(AttemptReport)
    /// The log does not have the event any more.
    case gone
    /// The store could not be read.
    case unread
}

extension Deliveries {
    /// One attempt: what is sent is read just before it goes out, so that nothing of a removed message does.
    static func attempt(
        _ start: DeliveryLine.Start, to target: TargetRecord, by sender: any DeliverySender, in store: ChatStore
    ) async -> AttemptArrival {
        switch start {
        case .gap(let gap): return .report(await sender.attempt(.gap(gap), to: target))
        case .delivery(let delivery):
            let epoch = store.feed.epoch
            do throws(ChatError) {
                let events = try await store.read { try $0.deliveryEvents(at: [delivery.offset], epoch: epoch) }
                guard let event = events[delivery.offset] else { return .gone }
                return .report(await sender.attempt(.event(event), to: target))
            } catch {
                return .unread
            }
        }
    }

    /// - Parameters:
    ///   - target: as it was when the attempt began.
    ///   - round: of the line, when the attempt began.
    func finish(
        _ id: Int, _ start: DeliveryLine.Start, of target: TargetRecord, round: Int, began: Timestamp,
        _ arrival: AttemptArrival
    ) {
        let isCancelled = attempts[id]?.isCancelled == true
        defer { forget(attempt: id) }
        let number = target.number
        guard !isCancelled, lines[number] != nil else { return }
        switch (start, arrival) {
        case (.gap(let gap), .report(let report)):
            lines[number]?.finishGap()
            finish(gap, of: number, round: round, report)
        case (.gap, _):
            lines[number]?.finishGap()
        case (.delivery(let delivery), .report(let report)):
            finish(delivery, round: round, began: began, report)
        case (.delivery(let delivery), .gone):
            lines[number]?.finish(delivery, again: nil)
            drop(delivery)
        case (.delivery(let delivery), .unread):
            lines[number]?.finish(delivery, again: delivery)
            hold(lane: delivery.lane, of: number, for: .seconds(1))
        }
        pump(number)
        flush()
    }

    private func finish(_ delivery: DeliveryRecord, round: Int, began: Timestamp, _ report: AttemptReport) {
        let environment = store.environment
        let end = delivery.end(
            after: report.outcome, at: environment.now(), random: environment.random(), retryAfter: report.retryAfter)
        results.append(
            DeliveryResult(
                delivery: delivery.number, message: delivery.message, attempt: record(of: report, began: began),
                end: end))
        lines[delivery.target]?.finish(delivery, again: delivery.after(end))
        if case .refused(let nextAt) = end {
            let wait = RetryWait(startedAt: environment.now(), nextAt: nextAt).remaining(at: environment.now())
            hold(lane: delivery.lane, of: delivery.target, for: wait)
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
        lines[number]?.isProbeWaiting = false
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
            _ = try? await store.write(inBackground: true) { try $0.dropDeliveries([delivery.number]) }
            await self?.takeMore()
        }
    }

    nonisolated func record(of report: AttemptReport, began: Timestamp) -> AttemptRecord {
        AttemptRecord(
            at: began, status: report.status, error: report.error,
            milliseconds: max(0, store.environment.now().milliseconds - began.milliseconds), head: report.head)
    }
}
