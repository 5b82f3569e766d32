import ChatModel
import ChatStore

/// What is taken out of the log, and what is stored of attempts: both in one unit of the store. One is under way at a
/// time; nobody waits for it.
extension Deliveries {
    /// Results that are stored together, at most.
    private static var resultLimit: Int { 256 }
    /// Deliveries that one unit takes, over all targets; the last target may go beyond.
    private static var takeLimit: Int { 512 }
    /// Results of busy targets that wait for each other, at most.
    private static var resultsWaiting: Int { 64 }
    /// Deliveries are deleted after so many were done.
    private static var tidyingCount: Int { 1000 }
    /// How long they wait for each other.
    private static var patience: Duration { .milliseconds(100) }

    /// A target for which deliveries are taken.
    private struct Wanted: Sendable {
        var number: Int64
        /// Of the line, when the unit began.
        var generation: Int
        var route: any DeliveryRoute
    }

    /// What one unit does.
    private struct Step: Sendable {
        var results: [DeliveryResult]
        var targets: [Int64: TargetResult]
        var wanted: [Wanted]
    }

    /// What one unit has done.
    private struct StepOutcome: Sendable {
        /// The targets whose health was stored.
        var records: [TargetRecord] = []
        /// What was taken for some of the targets; nil for one that was deleted.
        var taken: [(wanted: Wanted, taken: TakenDeliveries?)] = []
        /// ``EventFeed/removals`` before the events of what was taken were read.
        var removals = 0
    }

    /// Stores results, and takes deliveries for the targets that may have some and have room.
    ///
    /// - Parameter isBusy: another attempt has begun where the last result came from. Then results wait for each other
    ///   a little.
    func store(isBusy: Bool = false) {
        guard storing == nil, !isStorageWaiting, !isReadingLine else { return }
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
        let due = !takes ? [] : untaken.filter { (lines[$0]?.count ?? 0) <= most && !outdated.contains($0) }
        if due.isEmpty, targetResults.isEmpty, isBusy, batch.count < Self.resultsWaiting { return waitForMore() }
        let wanted = due.sorted().compactMap { number -> Wanted? in
            guard let line = lines[number], line.target.health.state.isSending else { return nil }
            return Wanted(number: number, generation: line.generation, route: line.route)
        }
        untaken.subtract(due)
        let step = Step(results: batch, targets: targetResults, wanted: wanted)
        guard !step.results.isEmpty || !step.targets.isEmpty || !step.wanted.isEmpty else { return }
        let limit = Self.takeLimit
        storing = Task { [store, weak self] in
            let outcome: Result<StepOutcome, ChatError>
            do throws(ChatError) {
                outcome = .success(
                    try await store.write(inBackground: true) { transaction in
                        var outcome = StepOutcome()
                        outcome.records = try transaction.record(step.results, targets: Array(step.targets.values))
                        outcome.removals = store.feed.removals
                        var count = 0
                        for one in step.wanted where count < limit {
                            let taken = try transaction.takeDeliveries(for: one.number, wants: one.route.wants)
                            count += taken?.deliveries.count ?? 0
                            outcome.taken.append((one, taken))
                        }
                        return outcome
                    })
            } catch {
                outcome = .failure(error)
            }
            await self?.stored(step, outcome)
        }
    }

    /// Stores what has come of attempts until now. It does not wait for a store that fails.
    package func settle() async {
        await takeTurn()
        defer { endTurn() }
        // A unit that is under way lacks what came after it began.
        await storing?.value
        store()
        await storing?.value
    }

    private func waitForMore() {
        guard !isPatient else { return }
        isPatient = true
        Task { [clock, weak self] in
            try? await clock.sleep(for: Self.patience)
            await self?.storeWhatWaited()
        }
    }

    private func storeWhatWaited() {
        isPatient = false
        store()
    }

    private func stored(_ step: Step, _ result: Result<StepOutcome, ChatError>) async {
        storing = nil
        let numbers = step.wanted.map(\.number)
        guard case .success(let outcome) = result else {
            untaken.formUnion(numbers)
            hasTakingFailed = !numbers.isEmpty
            return waitForStorage()
        }
        storageWait.succeed()
        hasTakingFailed = false
        results.removeFirst(step.results.count)
        for (number, told) in step.targets where targetResults[number] == told { targetResults[number] = nil }
        for record in outcome.records where record.health != step.targets[record.number]?.health { takeOver(record) }
        untaken.formUnion(Set(numbers).subtracting(outcome.taken.map(\.wanted.number)))
        // Its owner has changed it meanwhile, so that nobody knows here which of these are there.
        let changed = outcome.taken.filter { one in
            one.taken.map { !take(over: $0, one.wanted, removals: outcome.removals) } == true
        }
        outdated.formUnion(changed.map(\.wanted.number))
        store()
        doneCount += step.results.count
        guard !outcome.records.isEmpty || !outdated.isEmpty || doneCount >= Self.tidyingCount else { return }
        // Not awaited here: whoever reads a line anew waits for this unit.
        Task { [weak self] in await self?.followUp(outcome.records) }
    }

    private func followUp(_ records: [TargetRecord]) async {
        for record in records { await tell(of: record) }
        await refreshOutdated()
        await tidyIfDue()
    }

    /// A target that the store has, with what is known here and not stored yet.
    func withUnstored(_ stored: TargetRecord) -> TargetRecord {
        var target = withoutToldGap(stored)
        if let result = targetResults[stored.number], result.counts(after: stored.health) {
            target.health = result.health
        }
        return target
    }

    private func withoutToldGap(_ stored: TargetRecord) -> TargetRecord {
        var target = stored
        if let gap = stored.gap, let told = targetResults[stored.number]?.toldGapTo, told >= gap.to { target.gap = nil }
        return target
    }

    /// Lets what was taken for a target wait for its turn. Returns whether the line is still the one that it was taken
    /// for.
    private func take(over taken: TakenDeliveries, _ wanted: Wanted, removals: Int) -> Bool {
        let number = wanted.number
        guard let line = lines[number], let sender = senders[line.target.kind] else { return true }
        guard line.generation == wanted.generation else { return false }
        // Its health may be newer here.
        var target = withoutToldGap(taken.target)
        target.health = line.target.health
        lines[number]?.update(target, sender: sender)
        ahead.add(taken.events, removals: removals, at: store.environment.now())
        lines[number]?.remove(Set(taken.expired))
        enqueue(taken.deliveries)
        if taken.hasMore { untaken.insert(number) }
        // Without room, the log is looked at again when results are stored.
        if taken.isFull { full.insert(number) }
        pump(number)
        return true
    }

    /// Takes over what its owner has done to a target meanwhile. What attempts have shown before does not count.
    private func takeOver(_ stored: TargetRecord) {
        let number = stored.number
        guard let line = lines[number], withUnstored(stored).health != line.target.health else { return }
        lines[number]?.target.health = stored.health
        lines[number]?.endRound()
        targetResults[number] = nil
        waitForProbe(number)
        pump(number)
    }

    private func waitForStorage() {
        guard !isStorageWaiting else { return }
        isStorageWaiting = true
        let wait = storageWait.fail()
        Task { [clock, weak self] in
            try? await clock.sleep(for: wait)
            await self?.tryStorageAgain()
        }
    }

    private func tryStorageAgain() {
        isStorageWaiting = false
        store()
        Task { [weak self] in await self?.refreshOutdated() }
    }

    /// Deletes deliveries that are done, when many more are since the last time.
    private func tidyIfDue() async {
        guard doneCount >= Self.tidyingCount else { return }
        doneCount = 0
        for number in lines.keys { await tidy(number) }
    }

    func tidy(_ number: Int64) async {
        while (try? await store.write(inBackground: true, { try $0.tidyDeliveries(of: number) })) == true {}
    }
}
