import ChatModel
import ChatStore
import Formats

/// What comes of attempts.
extension DeliveryMachine {
    mutating func finish(_ attempt: Attempt, _ arrival: Arrival) {
        let number = attempt.target
        guard lines[number] != nil else { return advance() }
        switch (attempt.start, arrival) {
        case (.gap(let gap), .report(let report, _)):
            lines[number]?.finishGap()
            finish(gap, of: attempt, report)
        case (.gap, _):
            lines[number]?.finishGap()
        case (.delivery(let delivery), .report(let report, let record)):
            finish(delivery, of: attempt, report, record)
        case (.delivery(let delivery), .gone):
            lines[number]?.finish(delivery, again: nil)
            // The next step in the log tells whether the event's message was removed, or the log has lost it by its age.
            untaken.insert(number)
            effects.append(.drop(delivery))
        case (.delivery(let delivery), .unread):
            lines[number]?.finish(delivery, again: delivery)
            wait(.seconds(1), for: .delivery(target: number, number: delivery.number))
        }
        let isBusy = pump(number)
        advance(isBusy: isBusy)
    }

    private mutating func finish(
        _ delivery: DeliveryRecord, of attempt: Attempt, _ report: AttemptReport, _ record: AttemptRecord
    ) {
        // Its owner may have made it anew meanwhile, with all its tries ahead.
        guard let line = lines[delivery.target] else { return }
        let current = line.inFlight(delivery)
        let end = line.policy.end(of: current, after: report, at: now)
        results.append(
            DeliveryResult(delivery: delivery.number, message: delivery.message, attempt: record, end: end))
        lines[delivery.target]?.finish(delivery, again: current.after(end))
        let ownWait: Duration =
            if case .refused(let nextAt) = end {
                RetryWait(startedAt: now.time, nextAt: nextAt).remaining(at: now.time)
            } else {
                .zero
            }
        wait(ownWait, for: .delivery(target: delivery.target, number: delivery.number))
        learn(report, of: attempt)
    }

    /// A target that refuses the notice of a gap does not get it again.
    private mutating func finish(_ gap: LogGap, of attempt: Attempt, _ report: AttemptReport) {
        let number = attempt.target
        switch report.outcome {
        case .delivered, .eventRefused, .targetGone(delivered: true):
            if lines[number]?.target.gap == gap { lines[number]?.target.gap = nil }
            note(of: number) { $0.toldGapTo = gap.to }
            learn(report, of: attempt)
        case .eventFailed, .targetFailed, .targetGone(delivered: false):
            // Nothing may go out before it, so it is the target that has to wait.
            var failure = report
            if failure.outcome == .eventFailed { failure.outcome = .targetFailed }
            learn(failure, of: attempt)
        }
    }

    /// Takes over what an attempt shows of its target.
    private mutating func learn(_ report: AttemptReport, of attempt: Attempt) {
        let number = attempt.target
        guard let line = lines[number], line.target.health.state.isSending else { return }
        // Attempts that were in flight together and failed are one failure.
        if report.outcome == .targetFailed, line.round != attempt.round { return }
        let known = line.target.health
        let health = line.policy.health(known, after: report, at: now)
        guard health != known else { return }
        lines[number]?.target.health = health
        lines[number]?.endRound()
        note(of: number) { result in
            result.replaces.append(known)
            result.health = health
        }
        waitForProbe(number)
    }

    /// Notes what is to be stored of a target.
    private mutating func note(of number: Int64, _ change: (inout TargetResult) -> Void) {
        guard let health = lines[number]?.target.health else { return }
        change(&targetResults[number, default: TargetResult(target: number, health: health, replaces: [])])
    }
}
