import Chat
import ChatModel
import ChatStore
import HTTPRouting
import MicroHTTP

/// The deliveries of a webhook: to list them and to send them again.
extension WebhookRoutes {
    var deliveries: [Route] {
        let webhooks = webhooks
        let list = "\(Self.one)/deliveries"
        return [
            Route(
                .get, list, "listWebhookDeliveries", access: .gateway, query: .only(["state", "limit", "cursor"]),
                handler: .aside { call in
                    // Take the cursor before the page is read: a client that follows from it misses nothing.
                    let cursor = call.headCursor
                    let state = try call.query.deliveryState()
                    let page = try await webhooks.get().deliveries(
                        of: call.parameters["webhook"], state: state, call.query.page())
                    return call.list(page.items.map(\.json), next: page.next, cursor: cursor)
                }),
            Route(
                .get, "\(list)/{delivery}", "getWebhookDelivery", access: .gateway,
                handler: .aside { call in
                    let delivery = try await webhooks.get().delivery(
                        call.parameters["delivery"], of: call.parameters["webhook"])
                    return call.json(delivery.json, headers: [Call.revalidate])
                }),
            Route(
                .post, "\(list)/{delivery}/redeliver", "redeliverWebhookDelivery", access: .gateway,
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
                .post, "\(list)/redeliver", "redeliverWebhookDeliveries", access: .gateway, body: .json,
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
