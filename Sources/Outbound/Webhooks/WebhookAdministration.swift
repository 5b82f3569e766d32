import Chat
import ChatModel
import ChatStore
import Formats

/// Webhooks as their owner makes and changes them: rows of the store, of which the engine is told afterwards.
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

    package func webhook(_ id: String) async throws(ChatError) -> Webhook {
        let cursor = store.feed.headCursor
        return try await store.read { transaction in
            let target = try transaction.webhook(id)
            return try Webhook(target, lag: try transaction.lag(of: target), epoch: cursor.epoch, offset: cursor.offset)
        }
    }

    package func webhookWithSecret(_ id: String) async throws(ChatError) -> Webhook {
        let target = try await store.read { try $0.webhook(id) }
        return try await answer(target, hasSecret: true)
    }

    package func statistics() async throws(ChatError) -> DeliveryStatistics {
        let counts = try await store.read { try $0.deliveryCounts() }
        return DeliveryStatistics(
            kinds: measurements.kinds, targets: counts.targets, pending: counts.pending,
            greatestLag: counts.lowestPosition.map { max(0, store.feed.head - $0) } ?? 0)
    }

    // MARK: Changing

    package func create(_ draft: WebhookDraft, receipt: Receipt?) async throws(ChatError) -> (webhook: Webhook, isNew: Bool) {
        let settings = try settings(draft.settings, changing: nil)
        let (audience, session): (Audience, String?) = switch draft.audience {
        case .desk: (.desk, nil)
        case .session(let id, let account): (.account(account), id)
        }
        let target = TargetDraft(
            id: draft.id ?? store.environment.makeID(), kind: .webhook, audience: audience, session: session,
            settings: settings.canonicalJSON)
        let epoch = store.feed.epoch
        let made = try await store.write { transaction in
            var target = target
            if let after = draft.after { target.position = try transaction.logPosition(after: after, epoch: epoch) }
            return try transaction.insert(target, receipt: receipt)
        }
        try await deliveries.refresh(made.target.number)
        return (try await answer(made.target, hasSecret: true), made.isNew)
    }

    package func update(_ id: String, settings: JSONValue, ifMatch version: Int64?) async throws(ChatError) -> Webhook {
        try await change(id) { transaction, target in
            if let version, version != target.version {
                throw ChatError(.preconditionFailed, "The webhook is not in the version that If-Match names.")
            }
            let known = try WebhookSettings(canonicalJSON: target.settings)
            return try transaction.setSettings(try self.settings(settings, changing: known).canonicalJSON, ofTarget: id)
        }
    }

    package func delete(_ id: String) async throws(ChatError) {
        let target = try await store.write { transaction in
            let target = try transaction.webhook(id)
            try transaction.deleteTarget(id)
            return target
        }
        try await deliveries.refresh(target.number)
    }

    package func setPaused(_ isPaused: Bool, webhook id: String, receipt: Receipt?) async throws(ChatError) -> Webhook {
        try await change(id, receipt) { transaction, _ in try transaction.setPaused(isPaused, target: id) }
    }

    package func rotate(_ id: String, graceSeconds: Int, receipt: Receipt?) async throws(ChatError) -> Webhook {
        try await change(id, receipt, hasSecret: true) { transaction, _ in
            let end = transaction.now.advanced(byMilliseconds: Int64(graceSeconds) * 1000)
            return try transaction.rotateSecret(ofTarget: id, previousUntil: graceSeconds > 0 ? end : nil)
        }
    }

    package func replay(_ id: String, from start: ReplayStart, receipt: Receipt?) async throws(ChatError) -> Webhook {
        let epoch = store.feed.epoch
        return try await change(id, receipt) { transaction, _ in
            let position = switch start {
            case .after(let cursor): try transaction.logPosition(after: cursor, epoch: epoch)
            case .since(let time): try transaction.logPosition(since: time)
            }
            return try transaction.replay(target: id, after: position)
        }
    }

    /// Changes a webhook in one unit, tells the engine, and returns it as it is then.
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
    /// The first fault gives the code.
    fileprivate init(_ invalid: InvalidMembers) {
        let faults = invalid.faults.map { fault in
            let code: Code = switch fault.kind {
            case .invalid: .invalidParameter
            case .missing: .missingParameter
            case .targetNotAllowed: .targetNotAllowed
            }
            return Fault(code, fault.reason, pointer: fault.pointer)
        }
        self.init(faults.first?.code ?? .invalidParameter, faults.first?.detail ?? "The settings are not valid.", faults: faults)
    }
}
