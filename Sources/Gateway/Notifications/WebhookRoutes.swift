import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// Webhooks and their deliveries. The module that sends them provides the service.
package struct WebhookRoutes: RouteGroup {
    static let list = "/v1/webhooks"
    static let one = "/v1/webhooks/{webhook}"
    /// What sends them; a problem in a gateway that was built without.
    let webhooks: Result<any WebhookService, Problem>

    package init(webhooks: Result<any WebhookService, Problem>) { self.webhooks = webhooks }

    /// A webhook has a secret, and its address and headers may have others.
    package var routes: [Route] { (resources + actions).map { $0.traced(.secret) } + deliveries }

    /// Webhooks as resources. The answer to their creation contains the secret, so it is not stored under an
    /// idempotency key but made again.
    private var resources: [Route] {
        let webhooks = webhooks
        return [
            Route(
                .get, Self.list, "listWebhooks", access: .scope(.webhooksRead), query: .only(["limit", "cursor"]),
                handler: .aside { call in
                    let page = try await webhooks.get().webhooks(call.query.page())
                    return call.list(page.items.map(\.json), next: page.next, cursor: call.cursor(page.offset))
                }),
            Route(
                .post, Self.list, "createWebhook", access: .scope(.webhooksWrite), body: .json, idempotency: .carried,
                handler: .aside { call in
                    let webhooks = try webhooks.get()
                    let body: NewWebhook = try call.body()
                    let draft = try await body.draft(in: call)
                    let made = try await Problem.ofSettings { () async throws(ChatError) in
                        try await webhooks.create(draft, receipt: call.receipt)
                    }
                    return call.webhook(made.webhook, isNew: made.isNew)
                }
            ).audited(as: "webhook.created").replaying { outcome, call in
                call.webhook(try await webhooks.get().webhookWithSecret(outcome.id), isNew: outcome.kind == .created)
            },
            Route(
                .get, Self.one, "getWebhook", access: .scope(.webhooksRead),
                handler: .aside { call in
                    let webhook = try await webhooks.get().webhook(call.parameters["webhook"])
                    return call.resource(
                        Versioned(body: webhook.json, version: webhook.version, offset: webhook.offset), hasNames: true)
                }),
            Route(
                .patch, Self.one, "updateWebhook", access: .scope(.webhooksWrite), body: .json, isVersioned: true,
                handler: .aside { call in
                    let webhooks = try webhooks.get()
                    let id = call.parameters["webhook"]
                    let body: WebhookPatch = try call.body()
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        try await webhooks.webhook(id).version
                    }
                    return call.webhook(
                        try await Problem.ofSettings { () async throws(ChatError) in
                            try await webhooks.update(id, settings: body.settings, ifMatch: version)
                        })
                }
            ).audited(as: "webhook.changed"),
            Route(
                .delete, Self.one, "deleteWebhook", access: .scope(.webhooksWrite),
                handler: .aside { call in
                    try await webhooks.get().delete(call.parameters["webhook"])
                    return call.noContent()
                }
            ).audited(as: "webhook.removed"),
        ]
    }

    /// What is done to a webhook. The answer to a repetition shows the webhook as it is then.
    private var actions: [Route] {
        let webhooks = webhooks
        let again: @Sendable (Outcome, Call) async throws -> HTTPResponse = { outcome, call in
            call.webhook(try await webhooks.get().webhook(outcome.id))
        }
        return [
            Route(
                .post, "\(Self.one)/test", "testWebhook", access: .scope(.webhooksWrite), idempotency: .recorded,
                handler: .aside { call in
                    call.json(try await webhooks.get().test(call.parameters["webhook"]).json)
                }),
            Route(
                .post, "\(Self.one)/pause", "pauseWebhook", access: .scope(.webhooksWrite), idempotency: .carried,
                handler: .aside { call in
                    call.webhook(
                        try await webhooks.get().setPaused(
                            true, webhook: call.parameters["webhook"], receipt: call.receipt))
                }
            ).audited(as: "webhook.paused").replaying(again),
            Route(
                .post, "\(Self.one)/resume", "resumeWebhook", access: .scope(.webhooksWrite), idempotency: .carried,
                handler: .aside { call in
                    call.webhook(
                        try await webhooks.get().setPaused(
                            false, webhook: call.parameters["webhook"], receipt: call.receipt))
                }
            ).audited(as: "webhook.resumed").replaying(again),
            Route(
                .post, "\(Self.one)/rotate", "rotateWebhookSecret", access: .scope(.webhooksWrite), body: .optionalJSON,
                idempotency: .carried,
                handler: .aside { call in
                    let webhooks = try webhooks.get()
                    let body: Rotation = try call.body()
                    return call.webhook(
                        try await webhooks.rotate(
                            call.parameters["webhook"], graceSeconds: body.graceSeconds, receipt: call.receipt))
                }
            ).audited(as: "webhook.rotated").replaying { outcome, call in
                call.webhook(try await webhooks.get().webhookWithSecret(outcome.id))
            },
            Route(
                .post, "\(Self.one)/replay", "replayWebhook", access: .scope(.webhooksWrite), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let webhooks = try webhooks.get()
                    let body: Replay = try call.body()
                    return call.webhook(
                        try await webhooks.replay(
                            call.parameters["webhook"], from: body.start, receipt: call.receipt))
                }
            ).audited(as: "webhook.replayed").replaying(again),
        ]
    }
}

extension Call {
    /// Answers with a webhook. It may contain its secret, so it has no `Cache-Control` of its own and goes out as
    /// `no-store`.
    fileprivate func webhook(_ webhook: Webhook, isNew: Bool = false) -> HTTPResponse {
        let tag = version(webhook.version)
        guard isNew else { return json(webhook.json, headers: [tag]) }
        let location = "\(WebhookRoutes.list)/\(webhook.id.percentEncoded)"
        return json(webhook.json, status: 201, headers: [tag, ("Location", location)])
    }

    /// A page of resources that are encoded already: `{"items":[...],"next"?,"cursor"}`, with the links to further
    /// pages.
    func list(_ items: [[UInt8]], next: String?, cursor: Cursor) -> HTTPResponse {
        var json = JSONWriter(reservingCapacity: items.reduce(128) { $0 + $1.count + 1 })
        json.beginObject()
        json.name("items")
        json.beginArray()
        for item in items { json.raw(item) }
        json.endArray()
        json.member("next", next)
        json.member("cursor", cursor.description)
        json.endObject()
        var headers = [("Parley-Cursor", cursor.description), Self.revalidate]
        if let link = links(next: next, prev: nil) { headers.append(("Link", link)) }
        return self.json(json.bytes, headers: headers)
    }
}

extension Problem {
    /// Runs an operation, and reports its faults of settings under the same codes that the members of all other bodies
    /// have: `invalidValue` and `missingMember`.
    fileprivate static func ofSettings<T>(_ work: () async throws(ChatError) -> T) async throws -> T {
        do throws(ChatError) {
            return try await work()
        } catch {
            guard error.faults.contains(where: { $0.pointer.hasPrefix("/") || $0.pointer.isEmpty }) else { throw error }
            throw Problem(
                items: error.faults.map { fault in
                    let kind =
                        switch fault.code {
                        case .invalidParameter: ProblemKind(HTTPProblem.invalidValue)
                        case .missingParameter: ProblemKind(HTTPProblem.missingMember)
                        default: ProblemKind(fault.code)
                        }
                    return Item(kind, pointer: fault.pointer, fault.detail)
                })
        }
    }
}

/// The deliveries of a webhook: to list them and to send them again.
extension WebhookRoutes {
    var deliveries: [Route] {
        let webhooks = webhooks
        let list = "\(Self.one)/deliveries"
        return [
            Route(
                .get, list, "listWebhookDeliveries", access: .scope(.webhooksRead),
                query: .only(["state", "limit", "cursor"]),
                handler: .aside { call in
                    // Take the cursor before the page is read: a client that follows from it misses nothing.
                    let cursor = call.headCursor
                    let state = try call.query.deliveryState()
                    let page = try await webhooks.get().deliveries(
                        of: call.parameters["webhook"], state: state, call.query.page())
                    return call.list(page.items.map(\.json), next: page.next, cursor: cursor)
                }),
            Route(
                .get, "\(list)/{delivery}", "getWebhookDelivery", access: .scope(.webhooksRead),
                handler: .aside { call in
                    let delivery = try await webhooks.get().delivery(
                        call.parameters["delivery"], of: call.parameters["webhook"])
                    return call.json(delivery.json, headers: [Call.revalidate])
                }),
            Route(
                .post, "\(list)/{delivery}/redeliver", "redeliverWebhookDelivery", access: .scope(.webhooksWrite),
                idempotency: .carried,
                handler: .aside { call in
                    call.json(
                        try await webhooks.get().redeliver(
                            call.parameters["delivery"], of: call.parameters["webhook"], receipt: call.receipt
                        ).json)
                }
            ).replaying { outcome, call in
                call.json(try await webhooks.get().delivery(outcome.id, of: call.parameters["webhook"]).json)
            },
            Route(
                .post, "\(list)/redeliver", "redeliverWebhookDeliveries", access: .scope(.webhooksWrite), body: .json,
                idempotency: .carried,
                handler: .aside { call in
                    let webhooks = try webhooks.get()
                    let _: Redelivery = try call.body()
                    return call.outcome(
                        try await webhooks.redeliverDead(of: call.parameters["webhook"], receipt: call.receipt))
                }),
        ]
    }
}

extension WebhookRoutes {
    /// The counters and states of deliveries to webhooks and devices. Writes nothing when the database cannot be read,
    /// so that the other metrics still come.
    package func measure(in metrics: inout OpenMetricsWriter) async {
        guard let statistics = try? await webhooks.get().statistics() else { return }
        metrics.deliveries(statistics)
    }
}

extension OpenMetricsWriter {
    /// Writes every outcome and state, also those with 0.
    fileprivate mutating func deliveries(_ statistics: DeliveryStatistics) {
        let kinds = statistics.kinds.sorted { $0.key.rawValue < $1.key.rawValue }
        family("parley_delivery_attempts", "counter", "Attempts to deliver an event to a target, by result.")
        for (kind, measured) in kinds {
            for outcome in DeliveryOutcome.allCases {
                let labels = [("kind", kind.rawValue), ("outcome", outcome.rawValue)]
                sample("parley_delivery_attempts_total", labels, measured.outcomes[outcome] ?? 0)
            }
        }
        let name = "parley_delivery_attempt_duration_seconds"
        family(name, "histogram", unit: "seconds", "Time from an attempt's beginning to the end of its answer.")
        for (kind, measured) in kinds { histogram(name, [("kind", kind.rawValue)], measured.durations) }
        family("parley_deliveries_pending", "gauge", "Deliveries that are not done yet.")
        for kind in TargetKind.allCases {
            sample("parley_deliveries_pending", [("kind", kind.rawValue)], statistics.pending[kind] ?? 0)
        }
        gauge(
            "parley_delivery_lag_events", unit: "events",
            "Events of the log that the slowest webhook has not received yet.",
            statistics.greatestLag)
        family("parley_delivery_targets", "gauge", "Webhooks and devices, by state.")
        for kind in TargetKind.allCases {
            let states = kind == .webhook ? TargetState.allCases.map(\.rawValue) : Device.State.allCases.map(\.rawValue)
            for state in states {
                let count = statistics.targets[kind]?[state] ?? 0
                sample("parley_delivery_targets", [("kind", kind.rawValue), ("state", state)], count)
            }
        }
    }
}
