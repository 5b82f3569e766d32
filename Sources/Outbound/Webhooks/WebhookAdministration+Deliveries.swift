import Chat
import ChatModel
import ChatStore
import Formats

/// What was sent to a webhook, and what is sent again. The functions throw `unknownWebhook` and `unknownDelivery`.
extension WebhookAdministration {
    /// Sends a test event at once, outside the order of deliveries, and waits for the answer. It is not stored, and
    /// not repeated when it fails: its state is `delivered` or `dead`.
    package func test(_ id: String) async throws(ChatError) -> Delivery {
        let target = try await store.read { try $0.webhook(id) }
        let name = "test-\(store.environment.makeID())"
        guard let (_, attempt) = await deliveries.test(target, .test(id: name)) else {
            throw ChatError.unknownWebhook(id)
        }
        let isDelivered = attempt.status.map { (200..<300).contains($0) } ?? false
        return Delivery(
            id: name, event: name, type: "webhook.test", state: isDelivered ? .delivered : .dead, attempts: [attempt],
            createdAt: attempt.at, doneAt: store.environment.now())
    }

    /// A page of the webhook's deliveries with their attempts; nil shows every state.
    package func deliveries(
        of id: String, state: DeliveryState?, _ page: PageRequest
    ) async throws(ChatError) -> ShownDeliveryPage {
        try await store.shownDeliveries(state: state, page) { try $0.webhook(id) }
    }

    /// One delivery with its attempts.
    package func delivery(_ delivery: String, of id: String) async throws(ChatError) -> Delivery {
        let epoch = store.feed.epoch
        return try await store.read { transaction in
            let target = try transaction.webhook(id)
            guard let number = Int64(digits: delivery), let found = try transaction.delivery(number, of: target.number),
                let shown = try transaction.shown([found], epoch: epoch).first
            else { throw ChatError.unknownDelivery(delivery) }
            return shown
        }
    }

    /// Makes a delivery pending again, whatever its state, and returns it. Throws `deliveryExpired` when the log has
    /// lost its event.
    package func redeliver(_ delivery: String, of id: String, receipt: Receipt?) async throws(ChatError) -> Delivery {
        // The end of an attempt that is stored later would end the new delivery.
        await deliveries.settle()
        let target = try await store.write { transaction in
            let target = try transaction.webhook(id)
            guard let number = Int64(digits: delivery) else { throw ChatError.unknownDelivery(delivery) }
            _ = try transaction.redeliver(number, ofTarget: id)
            try transaction.record(receipt, Outcome(.ok, id: delivery))
            return target
        }
        try await deliveries.refresh(target.number)
        return try await self.delivery(delivery, of: id)
    }

    /// Makes all dead deliveries pending again whose events the log still has. The outcome's body is `{"count":..}`.
    package func redeliverDead(of id: String, receipt: Receipt?) async throws(ChatError) -> Outcome {
        await deliveries.settle()
        let (target, outcome) = try await store.write { transaction in
            let target = try transaction.webhook(id)
            var json = JSONWriter()
            json.beginObject()
            json.member("count", try transaction.redeliverDead(ofTarget: id))
            json.endObject()
            let outcome = Outcome(.ok, id: id, body: json.bytes)
            try transaction.record(receipt, outcome)
            return (target, outcome)
        }
        try await deliveries.refresh(target.number)
        return outcome
    }
}

extension ChatError {
    static func unknownDelivery(_ id: String) -> ChatError {
        ChatError(.unknownDelivery, "The webhook has no delivery \(id).")
    }
}
