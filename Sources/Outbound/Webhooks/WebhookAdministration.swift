import Chat
import ChatModel
import ChatStore
import Formats
import HTTPClientPort

/// Webhooks as their owner makes and changes them. Each change is a commit in the store; afterwards the delivery
/// engine reads the target anew.
///
/// Functions with an id throw `unknownWebhook`. Any task may call them.
package struct WebhookAdministration: WebhookService {
    let store: ChatStore
    let deliveries: Deliveries
    private let folderKey: [UInt8]
    private let rules: CurrentAddressRules
    private let measurements: DeliveryMeasurements

    /// - Parameters:
    ///   - deliveries: the engine, which sends to the kind `webhook`.
    ///   - folderKey: the key of the data folder, from which the webhooks' secrets are derived.
    package init(
        store: ChatStore, deliveries: Deliveries, folderKey: [UInt8], rules: CurrentAddressRules,
        measurements: DeliveryMeasurements
    ) {
        self.store = store
        self.deliveries = deliveries
        self.folderKey = folderKey
        self.rules = rules
        self.measurements = measurements
    }

    // MARK: Reading

    /// A page of webhooks, oldest first, without secrets. Throws `invalidParameter` for a cursor of another list.
    package func webhooks(_ page: PageRequest) async throws(ChatError) -> WebhookPage {
        let epoch = store.feed.epoch
        return try await store.read { transaction in
            let page = try transaction.targetPage(of: .webhook, page)
            let items = try page.items.map {
                try Webhook($0, lag: try transaction.lag(of: $0), epoch: epoch, offset: page.offset)
            }
            return WebhookPage(items: items, next: page.next, offset: page.offset)
        }
    }

    /// The webhook with its lag, without its secret.
    package func webhook(_ id: String) async throws(ChatError) -> Webhook {
        let cursor = store.feed.headCursor
        return try await store.read { transaction in
            let target = try transaction.webhook(id)
            return try Webhook(target, lag: try transaction.lag(of: target), epoch: cursor.epoch, offset: cursor.offset)
        }
    }

    /// The webhook with its current secret, which is derived from the folder's key and not stored.
    package func webhookWithSecret(_ id: String) async throws(ChatError) -> Webhook {
        let target = try await store.read { try $0.webhook(id) }
        return try await answer(target, hasSecret: true)
    }

    /// Figures for metrics: what was attempted since the start, and what the store has now. The lag counts events of
    /// the whole log.
    package func statistics() async throws(ChatError) -> DeliveryStatistics {
        let counts = try await store.read { try $0.deliveryCounts() }
        return DeliveryStatistics(
            kinds: measurements.kinds, targets: counts.targets, pending: counts.pending,
            greatestLag: counts.lowestPosition.map { max(0, store.feed.head - $0) } ?? 0)
    }

    // MARK: Changing

    /// Makes a webhook; the answer has its secret. The same id with the same settings returns the one that exists, so
    /// the request may be repeated.
    ///
    /// Throws `invalidParameter` or `missingParameter` with all faults, `targetNotAllowed`, `webhookExists`,
    /// `tooManyWebhooks`, and `cursorExpired` for a start that the log does not have.
    package func create(
        _ draft: WebhookDraft, receipt: Receipt?
    ) async throws(ChatError) -> (webhook: Webhook, isNew: Bool) {
        let settings = try settings(draft.settings, changing: nil)
        let (audience, session): (Audience, String?) =
            switch draft.audience {
            case .desk: (.desk, nil)
            case .session(let id, let account): (.account(account), id)
            }
        let target = TargetDraft(
            id: draft.id ?? store.environment.makeID(), kind: .webhook, audience: audience, session: session,
            settings: settings.canonicalJSON)
        ChatStore.act?.name(target.id)
        let epoch = store.feed.epoch
        let made = try await store.write { transaction in
            var target = target
            if let after = draft.after { target.position = try transaction.logPosition(after: after, epoch: epoch) }
            return try transaction.insert(target, receipt: receipt)
        }
        try await deliveries.refresh(made.target.number)
        return (try await answer(made.target, hasSecret: true), made.isNew)
    }

    /// Changes settings by a JSON merge patch (RFC 7396). Throws `preconditionFailed`, and the errors of settings.
    ///
    /// - Parameter version: that of `If-Match`; nil changes any version.
    package func update(_ id: String, settings: JSONValue, ifMatch version: Int64?) async throws(ChatError) -> Webhook {
        try await change(id) { transaction, target in
            if let version, version != target.version {
                throw ChatError(.preconditionFailed, "The webhook is not in the version that If-Match names.")
            }
            let known = try WebhookSettings(canonicalJSON: target.settings)
            return try transaction.setSettings(try self.settings(settings, changing: known).canonicalJSON, ofTarget: id)
        }
    }

    /// Deletes the webhook with its deliveries. An attempt under way is not taken back.
    package func delete(_ id: String) async throws(ChatError) {
        let target = try await store.write { transaction in
            let target = try transaction.webhook(id)
            try transaction.deleteTarget(id)
            return target
        }
        try await deliveries.refresh(target.number)
    }

    /// Pauses the webhook, or lets it go on where it stopped. Nothing is lost meanwhile, as long as the log keeps the
    /// events.
    package func setPaused(_ isPaused: Bool, webhook id: String, receipt: Receipt?) async throws(ChatError) -> Webhook {
        try await change(id, receipt) { transaction, _ in try transaction.setPaused(isPaused, target: id) }
    }

    /// Begins a new secret, which the answer has.
    ///
    /// - Parameter graceSeconds: how long deliveries carry a signature of the old secret as well; 0 for not at all.
    package func rotate(_ id: String, graceSeconds: Int, receipt: Receipt?) async throws(ChatError) -> Webhook {
        try await change(id, receipt, hasSecret: true) { transaction, _ in
            let end = transaction.now.advanced(byMilliseconds: Int64(graceSeconds) * 1000)
            return try transaction.rotateSecret(ofTarget: id, previousUntil: graceSeconds > 0 ? end : nil)
        }
    }

    /// Sends the events after a place in the log, or since a time, again. Throws `cursorExpired` when the log does
    /// not go back that far.
    package func replay(_ id: String, from start: ReplayStart, receipt: Receipt?) async throws(ChatError) -> Webhook {
        let epoch = store.feed.epoch
        return try await change(id, receipt) { transaction, _ in
            let position =
                switch start {
                case .after(let cursor): try transaction.logPosition(after: cursor, epoch: epoch)
                case .since(let time): try transaction.logPosition(since: time)
                }
            return try transaction.replay(target: id, after: position)
        }
    }

    /// Changes a webhook in one unit, with its receipt; then tells the engine, and returns the webhook as it is now.
    private func change(
        _ id: String, _ receipt: Receipt? = nil, hasSecret: Bool = false,
        _ unit: @escaping @Sendable (WriteTransaction, TargetRecord) throws -> TargetRecord
    ) async throws(ChatError) -> Webhook {
        let changed = try await store.write { transaction in
            let changed = try unit(transaction, try transaction.webhook(id))
            try transaction.record(receipt, Outcome(.ok, id: id))
            return changed
        }
        try await deliveries.refresh(changed.number)
        return try await answer(changed, hasSecret: hasSecret)
    }

    /// The webhook as it is answered: with its lag, and with its secret if wanted.
    private func answer(_ target: TargetRecord, hasSecret: Bool) async throws(ChatError) -> Webhook {
        let cursor = store.feed.headCursor
        var webhook = try await store.read { transaction in
            try Webhook(target, lag: try transaction.lag(of: target), epoch: cursor.epoch, offset: cursor.offset)
        }
        if hasSecret {
            webhook.secret = WebhookSecret(folderKey: folderKey, webhook: target.id, generation: target.generation).text
        }
        return webhook
    }

    /// The settings of a request's body, checked. A host name is not resolved here: its addresses are judged at each
    /// connection.
    private func settings(_ body: JSONValue, changing known: WebhookSettings?) throws(ChatError) -> WebhookSettings {
        let settings: WebhookSettings
        do throws(InvalidMembers) {
            settings = try WebhookSettings(reading: body, changing: known)
        } catch {
            throw ChatError(error)
        }
        do throws(AddressRefusal) {
            try rules.current.check(TargetAddress(settings.url), by: .operator)
        } catch {
            throw ChatError(.targetNotAllowed, error.detail, pointer: "/url")
        }
        return settings
    }
}

extension ChatError {
    /// One error with all faults; the first one gives the code.
    fileprivate init(_ invalid: InvalidMembers) {
        let faults = invalid.faults.map { fault in
            let code: Code =
                switch fault.kind {
                case .invalid: .invalidParameter
                case .missing: .missingParameter
                case .targetNotAllowed: .targetNotAllowed
                }
            return Fault(code, fault.reason, pointer: fault.pointer)
        }
        self.init(
            faults.first?.code ?? .invalidParameter, faults.first?.detail ?? "The settings are not valid.",
            faults: faults)
    }
}

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
