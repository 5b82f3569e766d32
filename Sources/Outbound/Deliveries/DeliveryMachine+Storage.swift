import ChatModel
import ChatStore
import Formats

/// What is read and stored: one thing at a time, so that a unit never takes deliveries for a line that is being read.
extension DeliveryMachine {
    /// Results that are stored together, at most.
    static var resultLimit: Int { 256 }
    /// Results of busy targets that wait for each other, at most.
    private static var resultsWaiting: Int { 64 }
    /// How long they wait for each other.
    private static var patience: Duration { .milliseconds(100) }
    /// Deliveries are deleted after so many were done.
    private static var tidyingCount: Int { 1000 }

    /// Lets the store do what is next, if it does nothing.
    ///
    /// - Parameter isBusy: another attempt has begun where the last result came from. Then results wait for each other
    ///   a little.
    mutating func advance(isBusy: Bool = false) {
        beginTurn()
        beginUnit(isBusy: isBusy)
    }

    /// Reads a target anew, or with nil who has devices, as soon as the store is free.
    mutating func read(_ target: Int64?, for requests: [Int]) {
        turns.append(.read(target, requests: requests))
        advance()
    }

    /// Reads lines anew that lack deliveries.
    mutating func readOutdated() {
        guard !isStopping else { return }
        for number in outdated.sorted() where !isToBeRead(number) { read(number, for: []) }
    }

    private func isToBeRead(_ number: Int64) -> Bool {
        turns.contains { if case .read(number, _) = $0 { true } else { false } }
    }

    private mutating func beginTurn() {
        while job == nil, !turns.isEmpty {
            switch turns.removeFirst() {
            case .read(let target, let requests):
                job = .read(target, requests: requests)
                effects.append(.read(target))
            case .settle(let request):
                if !beginUnit(for: [request]) { effects.append(.answer([request], nil)) }
            }
        }
    }

    // MARK: Reading

    mutating func finishRead(_ result: Result<TargetSnapshot, ChatError>) {
        guard case .read(let number, let requests) = job else { return assertionFailure("nothing was read") }
        job = nil
        var error: ChatError?
        switch result {
        case .failure(let failure):
            // The read is tried again later.
            if let number { outdated.insert(number) }
            error = failure
        case .success(let snapshot):
            if let audiences = snapshot.deviceAudiences {
                deviceAudiences = audiences
                // A message may have come since a device was registered.
                hasUntakenMessages = true
            }
            if let number { takeOver(snapshot, of: number) }
            effects.append(
                .watch(Set(takers.compactMap { lines[$0]?.target.audience }), devices: deviceAudiences))
        }
        // Units and reads take turns, so that neither keeps the other from the store.
        beginUnit()
        beginTurn()
        if !requests.isEmpty { effects.append(.answer(requests, error)) }
    }

    private mutating func forget(_ number: Int64) {
        removeWaiting(of: number)
        lines[number] = nil
        untaken.remove(number)
        full.remove(number)
        targetResults[number] = nil
        takers.remove(number)
    }

    private mutating func takeOver(_ snapshot: TargetSnapshot, of number: Int64) {
        outdated.remove(number)
        guard let target = snapshot.target, let policy = policies[target.kind] else { return forget(number) }
        removeWaiting(of: number)
        guard policy.secondLook == nil else {
            return takeOver(pushes: TakenDeliveries(target: target, deliveries: snapshot.pending))
        }
        takers.insert(number)
        let known = lines[number]
        var line = known ?? DeliveryLine(target: target, policy: policy)
        line.update(withUnstored(target))
        if known?.target.health != line.target.health { line.endRound() }
        lines[number] = line
        enqueueUnended(snapshot.pending)
        waitForProbe(number)
        untaken.insert(number)
        pump(number)
        announceState(of: target)
    }

    /// Lets deliveries that were read wait for their turn, unless a result that is not stored yet has ended them. A
    /// failure that is not stored yet ends none.
    private mutating func enqueueUnended(_ found: [DeliveryRecord]) {
        let unrecorded = Dictionary(grouping: results, by: \.delivery)
        for delivery in found {
            // One that was stored just before the delivery was read is in it already.
            let later = (unrecorded[delivery.number] ?? []).filter { $0.attempt.at != delivery.lastAttemptAt }
            let ends = later.map(\.end)
            if let waiting = ends.reduce(Optional(delivery), { $0?.after($1) }) { enqueue(waiting) }
        }
    }

    /// A target that the store has, with what is known here and not stored yet.
    func withUnstored(_ stored: TargetRecord) -> TargetRecord {
        var target = withoutToldGap(stored)
        if let result = targetResults[stored.number], result.counts(after: stored) {
            target.health = result.health
        }
        return target
    }

    private func withoutToldGap(_ stored: TargetRecord) -> TargetRecord {
        var target = stored
        if let gap = stored.gap, let told = targetResults[stored.number]?.toldGapTo, told >= gap.to { target.gap = nil }
        return target
    }

    // MARK: Units

    /// Stores results, and takes deliveries for the targets that may have some and have room. Returns whether there is
    /// such a unit.
    @discardableResult
    private mutating func beginUnit(isBusy: Bool = false, for requests: [Int] = []) -> Bool {
        guard job == nil, !alarms.contains(.storage) else { return false }
        let batch = Array(results.prefix(Self.resultLimit))
        if !batch.isEmpty {
            // These free rows.
            untaken.formUnion(full)
            full = []
        }
        // A part of the room at once: a unit for each delivery would cost as much as the delivery. Less is enough where
        // a unit is made anyway, so that there is always something to send while the store writes.
        let most = Int(WriteTransaction.pendingLimit) / 4 * (batch.count < Self.resultsWaiting ? 2 : 3)
        // A log that cannot be read must not keep results from being stored.
        let takes = !isStopping && (!hasTakingFailed || batch.isEmpty && targetResults.isEmpty)
        let due =
            !takes
            ? [] : untaken.filter { !outdated.contains($0) && ((lines[$0]?.count ?? 0) <= most || mayHaveLost($0)) }
        let pushesAfter = takes && hasUntakenMessages ? pushesReached : nil
        if due.isEmpty, pushesAfter == nil, targetResults.isEmpty, isBusy, batch.count < Self.resultsWaiting {
            if !alarms.contains(.results) { wait(Self.patience, for: .results) }
            return false
        }
        let wanted = due.sorted().compactMap { number -> DeliveryUnit.Wanted? in
            guard let line = lines[number], line.target.health.state.isSending else { return nil }
            return DeliveryUnit.Wanted(target: number, route: line.route)
        }
        untaken.subtract(due)
        if pushesAfter != nil { hasUntakenMessages = false }
        let unit = DeliveryUnit(results: batch, targets: targetResults, wanted: wanted, pushesAfter: pushesAfter)
        guard !unit.isEmpty else { return false }
        job = .unit(unit, requests: requests)
        effects.append(.store(unit))
        return true
    }

    mutating func finishUnit(_ result: Result<StoredUnit, ChatError>) {
        guard case .unit(let unit, let requests) = job else { return assertionFailure("nothing was stored") }
        job = nil
        let wanted = Set(unit.wanted.map(\.target))
        switch result {
        case .failure:
            untaken.formUnion(wanted)
            if unit.pushesAfter != nil { hasUntakenMessages = true }
            hasTakingFailed = unit.takes
            wait(storageWait.fail(), for: .storage)
        case .success(let stored):
            storageWait.succeed()
            hasTakingFailed = false
            results.removeFirst(unit.results.count)
            for (number, told) in unit.targets where targetResults[number] == told { targetResults[number] = nil }
            for record in stored.records where record.health != unit.targets[record.number]?.health { takeOver(record) }
            untaken.formUnion(wanted.subtracting(stored.reached))
            for taken in stored.taken { takeOver(taken) }
            if let pushes = stored.pushes { takeOver(pushes) }
            finishClosing(unit, stored)
            for record in stored.records { announceState(of: record) }
            tidyIfDue(after: unit.results.count)
            readOutdated()
        }
        if !requests.isEmpty { effects.append(.answer(requests, nil)) }
        advance()
    }

    /// Lets what was taken for a target wait for its turn.
    private mutating func takeOver(_ taken: TakenDeliveries) {
        let number = taken.target.number
        guard let line = lines[number] else { return }
        // Its health may be newer here.
        var target = withoutToldGap(taken.target)
        target.health = line.target.health
        lines[number]?.update(target)
        for delivery in lines[number]?.expire(through: taken.floor) ?? [] {
            alarms.remove(.delivery(target: number, number: delivery))
        }
        enqueueUnended(taken.deliveries)
        if taken.hasMore { untaken.insert(number) }
        // Without room, the log is looked at again when results are stored.
        if taken.isFull { full.insert(number) }
        pump(number)
    }

    private mutating func takeOver(_ taken: TakenPushes) {
        pushesReached = max(pushesReached, taken.through)
        if taken.hasMore { hasUntakenMessages = true }
        for device in taken.pushes { takeOver(pushes: device) }
    }

    /// Lets what was taken for a device wait for its time.
    mutating func takeOver(pushes taken: TakenDeliveries) {
        let number = taken.target.number
        guard let policy = policies[taken.target.kind] else { return }
        var line = lines[number] ?? DeliveryLine(target: taken.target, policy: policy)
        line.update(withUnstored(taken.target))
        lines[number] = line
        enqueueUnended(taken.deliveries)
        pump(number)
    }

    /// Who has devices is read anew after one was closed. One that was registered anew meanwhile was not closed, and what
    /// waits for it is read again.
    private mutating func finishClosing(_ unit: DeliveryUnit, _ stored: StoredUnit) {
        let closed = unit.targets.filter { $0.value.closed != nil }
        if closed.isEmpty { return }
        for record in stored.records where closed[record.number].map({ $0.health != record.health }) == true {
            outdated.insert(record.number)
        }
        turns.append(.read(nil, requests: []))
    }

    /// Takes over what its owner has done to a target meanwhile. What attempts have shown before does not count.
    private mutating func takeOver(_ stored: TargetRecord) {
        let number = stored.number
        guard let line = lines[number], withUnstored(stored).health != line.target.health else { return }
        lines[number]?.target.health = stored.health
        lines[number]?.endRound()
        targetResults[number] = nil
        waitForProbe(number)
        pump(number)
    }

    /// Deletes deliveries that are done, when many more are since the last time.
    private mutating func tidyIfDue(after count: Int) {
        doneCount += count
        guard doneCount >= Self.tidyingCount else { return }
        doneCount = 0
        effects.append(.tidy(takers.sorted()))
    }
}
