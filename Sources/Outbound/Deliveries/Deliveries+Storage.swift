import ChatModel
import ChatStore

/// What is read from the log, and what is stored of attempts. One of each is under way at a time; nobody waits for
/// them.
extension Deliveries {
    /// Results that are stored together, at most.
    private static var resultLimit: Int { 256 }
    /// Deliveries that one unit takes, over all targets; the last target may go beyond.
    private static var takeLimit: Int { 512 }

    /// A target for which deliveries are taken.
    struct Wanted: Sendable {
        var number: Int64
        /// Of the line, when it began.
        var generation: Int
        var wants: @Sendable (LogEvent) -> Bool
    }

    /// What was taken for some of them; nil for one that was deleted.
    typealias Steps = [(wanted: Wanted, taken: TakenDeliveries?)]

    /// Takes deliveries for the targets that may have some, while they have room.
    func takeMore() {
        guard !isTaking, !isStorageWaiting, !untaken.isEmpty else { return }
        // Half of the room at once: a step for each delivery would cost as much as the delivery.
        let most = Int(WriteTransaction.pendingLimit) / 2
        let due = untaken.filter { (lines[$0]?.count ?? 0) <= most && !outdated.contains($0) }
        guard !due.isEmpty else { return }
        let wanted = due.sorted().compactMap { number -> Wanted? in
            guard let line = lines[number], line.target.health.state.isSending else { return nil }
            return senders[line.target.kind].map {
                Wanted(number: number, generation: line.generation, wants: $0.filter(for: line.target))
            }
        }
        untaken.subtract(due)
        guard !wanted.isEmpty else { return takeMore() }
        isTaking = true
        let limit = Self.takeLimit
        Task { [store, weak self] in
            let step: Result<Steps, ChatError>
            do throws(ChatError) {
                step = .success(
                    try await store.write(inBackground: true) { transaction in
                        var count = 0
                        var steps: Steps = []
                        for one in wanted where count < limit {
                            let taken = try transaction.takeDeliveries(for: one.number, wants: one.wants)
                            count += taken?.deliveries.count ?? 0
                            steps.append((one, taken))
                        }
                        return steps
                    })
            } catch {
                step = .failure(error)
            }
            await self?.took(step, of: wanted.map(\.number))
        }
    }

    private func took(_ step: Result<Steps, ChatError>, of numbers: [Int64]) async {
        isTaking = false
        switch step {
        case .failure:
            untaken.formUnion(numbers)
            waitForStorage()
        case .success(let steps):
            storageWait.succeed()
            storedUnits += 1
            untaken.formUnion(Set(numbers).subtracting(steps.map(\.wanted.number)))
            for (wanted, taken) in steps {
                let number = wanted.number
                guard let taken, let line = lines[number] else { continue }
                guard line.generation == wanted.generation else {
                    // Its owner has changed it meanwhile, so that nobody knows here which of these are there.
                    outdated.insert(number)
                    continue
                }
                // Its health may be newer here.
                var target = withoutToldGap(taken.target)
                target.health = line.target.health
                lines[number]?.target = target
                lines[number]?.remove(Set(taken.expired))
                enqueue(taken.deliveries)
                if taken.hasMore { untaken.insert(number) }
                // Without room, the log is looked at again when results are stored.
                if taken.isFull { full.insert(number) }
                pump(number)
            }
        }
        takeMore()
        await refreshOutdated()
    }

    /// Reads lines anew that lack deliveries. Where the store cannot be read, they wait for the next call.
    func refreshOutdated() async {
        for number in outdated { try? await refresh(number) }
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

    /// Stores what came of attempts.
    func flush() {
        guard recording == nil, !isStorageWaiting, !results.isEmpty || !targetResults.isEmpty else { return }
        let batch = Array(results.prefix(Self.resultLimit)), targets = targetResults
        recording = Task { [store, weak self] in
            let outcome: Result<[TargetRecord], ChatError>
            do throws(ChatError) {
                outcome = .success(
                    try await store.write(inBackground: true) { try $0.record(batch, targets: Array(targets.values)) })
            } catch {
                outcome = .failure(error)
            }
            await self?.recorded(batch, targets, outcome)
        }
    }

    private func recorded(
        _ batch: [DeliveryResult], _ targets: [Int64: TargetResult], _ outcome: Result<[TargetRecord], ChatError>
    ) async {
        recording = nil
        guard case .success(let records) = outcome else { return waitForStorage() }
        storageWait.succeed()
        storedUnits += 1
        results.removeFirst(batch.count)
        for (number, stored) in targets where targetResults[number] == stored { targetResults[number] = nil }
        for record in records where record.health != targets[record.number]?.health { takeOver(record) }
        untaken.formUnion(full)
        full = []
        takeMore()
        flush()
        for record in records { await tell(of: record) }
        await tidyIfDue(batch.count)
    }

    /// Takes over what its owner has done to a target meanwhile. What attempts have shown before does not count.
    private func takeOver(_ stored: TargetRecord) {
        let number = stored.number
        guard let line = lines[number], withUnstored(stored).health != line.target.health else { return }
        lines[number]?.target.health = stored.health
        lines[number]?.isProbeWaiting = false
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
        flush()
        takeMore()
        Task { [weak self] in await self?.refreshOutdated() }
    }

    /// Deletes deliveries that are done, when many more are since the last time.
    private func tidyIfDue(_ count: Int) async {
        doneCount += count
        guard doneCount >= 1000 else { return }
        doneCount = 0
        for number in lines.keys { await tidy(number) }
    }

    func tidy(_ number: Int64) async {
        while (try? await store.write(inBackground: true, { try $0.tidyDeliveries(of: number) })) == true {}
    }
}
