import ChatModel
import ChatStore
import Formats

/// What comes of attempts.
extension DeliveryMachine {
    mutating func finish(_ attempt: Attempt, _ arrival: Arrival) {
        let number = attempt.target
        leavePlace(of: attempt)
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
            lines[number]?.miss()
            untaken.insert(number)
            effects.append(.drop(delivery, reason: nil))
        case (.delivery(let delivery), .unread):
            lines[number]?.finish(delivery, again: delivery)
            wait(.seconds(1), for: .delivery(target: number, number: delivery.number))
        }
        let isBusy = pump(number)
        advance(isBusy: isBusy)
    }

    /// What a second look has found. Nothing is sent to a target that is gone meanwhile.
    mutating func finish(_ attempt: Attempt, _ look: DeliveryLook?) {
        let number = attempt.target
        guard let delivery = attempt.start.delivery, lines[number] != nil else { return leavePlace(of: attempt) }
        switch look {
        case .send(let content, let target):
            // What is known here of the same version is newer: results may have been stored since it was read.
            let news = withUnstored(target)
            if let known = lines[number]?.target.version, news.version > known { lines[number]?.update(news) }
            if let line = lines[number], line.target.health.state.isSending, !isStopping {
                var next = attempt
                (next.round, next.route, next.version) = (line.round, line.route, line.target.version)
                next.content = content
                return effects.append(.attempt(next))
            }
            lines[number]?.finish(delivery, again: nil)
        case .again(let duration, let holder):
            lines[number]?.finish(delivery, again: delivery)
            hold(delivery, for: duration, by: holder)
        case .drop(let reason):
            lines[number]?.finish(delivery, again: nil)
            effects.append(.drop(delivery, reason: reason))
        case .ended: lines[number]?.finish(delivery, again: nil)
        case nil:
            lines[number]?.finish(delivery, again: delivery)
            hold(delivery, for: PushLook.pause, by: nil)
        }
        leavePlace(of: attempt)
        pump(number)
    }

    private mutating func hold(_ delivery: DeliveryRecord, for duration: Duration, by holder: DeliveryHolder?) {
        wait(duration, for: .delivery(target: delivery.target, number: delivery.number))
        if let holder, duration > .zero { held.hold(delivery.number, of: delivery.target, by: holder) }
    }

    private mutating func finish(
        _ delivery: DeliveryRecord, of attempt: Attempt, _ report: AttemptReport, _ record: AttemptRecord
    ) {
        // Its owner may have made it anew meanwhile, with all its tries ahead.
        guard let line = lines[delivery.target] else { return }
        let current = line.inFlight(delivery)
        let end = line.policy.end(of: current, after: report, expiresAt: attempt.content?.expiresAt, at: now)
        results.append(
            DeliveryResult(delivery: delivery.number, message: delivery.message, attempt: record, end: end))
        lines[delivery.target]?.finish(delivery, again: current.after(end))
        let ownWait: Duration =
            if case .refused(let nextAt) = end {
                RetryWait(startedAt: now.time, nextAt: nextAt).remaining(at: now.time)
            } else {
                .zero
            }
        hold(delivery, for: ownWait, by: report.outcome == .held ? report.app.map { .app($0) } : nil)
        learn(report, of: attempt)
        // The others are tried again, too.
        if let app = report.openApp { wake(.app(app)) }
    }

    /// A target that refuses the notice of a gap does not get it again.
    private mutating func finish(_ gap: LogGap, of attempt: Attempt, _ report: AttemptReport) {
        let number = attempt.target
        switch report.outcome {
        case .delivered, .eventRefused, .targetGone(delivered: true), .gone, .refused, .deadAuthorization:
            if lines[number]?.target.gap == gap { lines[number]?.target.gap = nil }
            changeResult(of: number) { $0.toldGapTo = gap.to }
            learn(report, of: attempt)
        case .eventFailed, .targetFailed, .targetGone(delivered: false), .held, .deviceHeld:
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
        let isLookedAt = line.policy.secondLook != nil
        // A device that was registered anew is another one.
        if isLookedAt, line.target.version != attempt.version { return }
        // Attempts that were in flight together and failed are one failure.
        if report.outcome == .targetFailed, line.round != attempt.round { return }
        let known = line.target.health
        let health = line.policy.health(known, after: report, at: now)
        guard health != known else { return }
        lines[number]?.target.health = health
        lines[number]?.endRound()
        let version = isLookedAt ? line.target.version : nil
        if targetResults[number]?.version != version { targetResults[number] = nil }
        changeResult(of: number) { result in
            result.replaces.append(known)
            result.health = health
            result.version = version
            result.closed = line.policy.closed(line.target, with: health, after: report)
        }
        // The store drops what waits for a device that takes nothing any more.
        if isLookedAt, !health.state.isSending { removeWaiting(of: number) }
        waitForProbe(number)
    }

    /// Notes what is to be stored of a target.
    private mutating func changeResult(of number: Int64, _ change: (inout TargetResult) -> Void) {
        guard let health = lines[number]?.target.health else { return }
        change(&targetResults[number, default: TargetResult(target: number, health: health, replaces: [])])
    }
}

/// Deliveries that wait for somebody, and are looked at again sooner when they are done.
struct HeldDeliveries {
    /// The targets by the deliveries' numbers.
    private var targets: [DeliveryHolder: [Int64: Int64]] = [:]
    /// By the deliveries' numbers.
    private var holders: [Int64: DeliveryHolder] = [:]

    mutating func hold(_ delivery: Int64, of target: Int64, by holder: DeliveryHolder) {
        release(delivery)
        holders[delivery] = holder
        targets[holder, default: [:]][delivery] = target
    }

    /// The delivery does not wait for anybody any more.
    mutating func release(_ delivery: Int64) {
        guard let holder = holders.removeValue(forKey: delivery) else { return }
        targets[holder]?[delivery] = nil
        if targets[holder]?.isEmpty == true { targets[holder] = nil }
    }

    /// Removes what waits for this holder, and returns it.
    mutating func releaseAll(of holder: DeliveryHolder) -> [(number: Int64, target: Int64)] {
        let found = targets.removeValue(forKey: holder) ?? [:]
        for number in found.keys { holders[number] = nil }
        return found.map { (number: $0.key, target: $0.value) }
    }
}
