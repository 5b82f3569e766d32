import ChatModel
import ChatStore
import Chat

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
