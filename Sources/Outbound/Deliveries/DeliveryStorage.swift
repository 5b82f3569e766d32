import Chat
import ChatModel
import ChatStore

/// What is read and written for the machine.
extension Deliveries {
    func begin(_ job: @escaping @Sendable () async -> Void) {
        lastJob += 1
        let number = lastJob
        jobs[number] = Task { [weak self] in
            await job()
            await self?.endJob(number)
        }
    }

    private func endJob(_ number: Int) { jobs[number] = nil }

    func read(_ number: Int64?) {
        begin { [store, weak self] in
            let result: Result<TargetSnapshot, ChatError>
            do throws(ChatError) {
                result = .success(
                    try await store.read { transaction in
                        guard let number else {
                            return TargetSnapshot(deviceAudiences: try transaction.audiencesWithDevices())
                        }
                        return TargetSnapshot(
                            target: try transaction.target(number: number),
                            pending: try transaction.pendingDeliveries(of: number))
                    })
            } catch {
                result = .failure(error)
            }
            await self?.handle(.read(result))
        }
    }

    func write(_ unit: DeliveryUnit) {
        begin { [store, weak self] in
            let result: Result<StoredUnit, ChatError>
            do throws(ChatError) {
                result = .success(try await store.write(inBackground: true) { try unit.write(in: $0, store.feed) })
            } catch {
                result = .failure(error)
            }
            await self?.stored(result)
        }
    }

    private func stored(_ result: Result<StoredUnit, ChatError>) {
        if case .success(let unit) = result {
            for taken in unit.taken { ahead.add(taken.events, removals: unit.removals, at: store.environment.now()) }
        }
        handle(.stored(result))
    }

    func drop(_ delivery: DeliveryRecord, _ reason: String?) {
        begin { [store, weak self] in
            let isStored =
                (try? await store.write(inBackground: true) { transaction in
                    if let reason {
                        try transaction.dropPush(delivery.number, reason: reason)
                    } else {
                        try transaction.dropDeliveries([delivery.number])
                    }
                }) != nil
            await self?.handle(.dropped(delivery, isStored: isStored))
        }
    }

    func tidy(_ targets: [Int64]) async {
        for number in targets {
            while (try? await store.write(inBackground: true, { try $0.tidyDeliveries(of: number) })) == true {}
        }
    }
}

/// What is stored of attempts, and what is taken out of the log: one unit of the store.
struct DeliveryUnit: Sendable {
    /// A target for which deliveries are taken.
    struct Wanted: Sendable {
        var target: Int64
        var route: DeliveryRoute
    }

    /// Deliveries that one unit takes, over all targets; the last target may go beyond.
    private static let takeLimit = 512

    var results: [DeliveryResult]
    var targets: [Int64: TargetResult]
    var wanted: [Wanted]
    /// Where the search for messages to devices goes on; nil: it does not now.
    var pushesAfter: Int64?

    var isEmpty: Bool { results.isEmpty && targets.isEmpty && !takes }
    var takes: Bool { !wanted.isEmpty || pushesAfter != nil }

    /// - Parameter feed: of the store.
    func write(in transaction: WriteTransaction, _ feed: EventFeed) throws -> StoredUnit {
        var stored = StoredUnit()
        stored.records = try transaction.record(results, targets: Array(targets.values))
        stored.removals = feed.removals
        var count = 0
        for one in wanted where count < Self.takeLimit {
            let taken = try transaction.takeDeliveries(for: one.target, wants: one.route.wants)
            count += taken?.deliveries.count ?? 0
            stored.reached.insert(one.target)
            if let taken { stored.taken.append(taken) }
        }
        stored.pushes = try pushesAfter.map { try transaction.takePushes(after: $0, epoch: feed.epoch) }
        return stored
    }
}

/// What a unit has done.
struct StoredUnit: Sendable {
    /// The targets whose health was stored.
    var records: [TargetRecord] = []
    /// The targets for which it looked into the log.
    var reached: Set<Int64> = []
    /// What was taken for them; nothing for one that was deleted.
    var taken: [TakenDeliveries] = []
    /// What was taken for all devices.
    var pushes: TakenPushes?
    /// ``EventFeed/removals`` before the events of what was taken were read.
    var removals = 0
}

extension ChatStore {
    /// A page of what was sent to a target.
    ///
    /// - Parameter find: the target.
    func shownDeliveries(
        state: DeliveryState?, _ page: PageRequest,
        of find: @escaping @Sendable (ReadTransaction) throws -> TargetRecord
    ) async throws(ChatError) -> ShownDeliveryPage {
        let epoch = feed.epoch
        return try await read { transaction in
            let page = try transaction.deliveryPage(of: try find(transaction).number, state: state, page)
            return ShownDeliveryPage(items: try transaction.shown(page.items, epoch: epoch), next: page.next)
        }
    }
}

extension ReadTransaction {
    /// Deliveries with their threads, which only the log knows.
    func shown(_ details: [DeliveryDetail], epoch: String) throws -> [Delivery] {
        let events = try deliveryEvents(at: details.map(\.delivery.offset), epoch: epoch)
        return details.map { detail in
            let delivery = detail.delivery
            return Delivery(
                id: "\(delivery.number)", event: "\(Cursor(epoch: epoch, offset: delivery.offset))",
                type: delivery.type.rawValue, threadID: events[delivery.offset]?.event.threadID, state: delivery.state,
                reason: delivery.reason, attempts: detail.attempts, createdAt: delivery.createdAt,
                nextAttemptAt: delivery.state == .pending ? delivery.nextAt : nil, doneAt: delivery.doneAt)
        }
    }
}
