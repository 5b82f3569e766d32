import Chat
import ChatModel
import ChatStore

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
