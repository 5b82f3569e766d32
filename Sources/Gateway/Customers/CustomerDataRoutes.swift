import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// What a customer may ask for, done by whoever has the gateway's token: all that is kept of them as one file, and to
/// erase it.
struct CustomerDataRoutes: RouteGroup {
    private static let one = "/v1/desk/customers/{customer}"
    private static let which = ["service", "channel"]

    var routes: [Route] {
        [
            Route(
                .delete, Self.one, "eraseCustomer", access: .scope(.customersWrite), query: .only(Self.which),
                handler: .aside { call in
                    let hub = call.core.hub
                    try await call.core.sessions.erase(
                        customer: try call.customer, of: try call.customerService, on: try call.customerChannel
                    ) { hub.sessionEnded($0) }
                    return call.noContent()
                }
            ).audited(as: "customer.erased"),
            Route(
                .delete, "/v1/sessions/{session}/customer", "eraseOwnCustomer", access: .session(.customersWrite),
                handler: .aside { call in
                    let (core, client) = (call.core, try call.client())
                    guard client.isEmbedded, core.origins.letsErase(client.key.channel) else {
                        throw Problem(.notAllowed, "The channel does not let customers erase themselves.")
                    }
                    ChatStore.act?.name(client.key.customer)
                    try await core.sessions.erase(
                        customer: client.key.customer, of: client.key.service, on: client.key.channel
                    ) { core.hub.sessionEnded($0) }
                    return call.noContent()
                }
            ).audited(as: "customer.erased"),
            Route(
                .get, "\(Self.one)/export", "exportCustomer", access: .scope(.customersWrite),
                query: .only(Self.which + ["notes"]),
                handler: .aside { call in
                    try await Self.export(call)
                }),
        ]
    }

    private static func export(_ call: Call) async throws -> HTTPResponse {
        let (customer, service, channel) = (try call.customer, try call.customerService, try call.customerChannel)
        _ = try call.core.sessions.service(service)
        let accounts = try await call.core.store.read { transaction in
            try transaction.accounts(
                ofCustomer: customer, of: service,
                on: try channel.map { [$0] } ?? transaction.channelsWithAccounts(of: service))
        }
        guard !accounts.isEmpty else {
            throw Problem(ChatError(.unknownCustomer, "The service \(service) has no customer \(customer)."))
        }
        let entry = call.audit("customer.exported", customer)
        try await call.core.store.write { try $0.audit(entry) }
        let export = AccountExport(call.core.store, of: accounts, hasNotes: try call.query.flag("notes"))
        let headers = [
            ("Content-Type", "application/x-ndjson"), ("Cache-Control", "no-store"),
            ("Content-Disposition", FileNameHeader.disposition("customer-\(customer).jsonl", isShown: false)),
        ]
        return HTTPResponse(status: 200, headers: headers, body: .events(ExportStream(call.core, export)))
    }
}

extension Call {
    fileprivate var customer: String {
        get throws(Problem) {
            let id = parameters["customer"]
            guard Identifier.isValid(id) else {
                throw Problem(ChatError(.unknownCustomer, "There is no such customer."))
            }
            return id
        }
    }
    fileprivate var customerService: String {
        get throws(Problem) { try query.text("service", length: 1...256) ?? "local" }
    }
    /// Throws `outsideChannels`.
    fileprivate var customerChannel: String? {
        get throws(Problem) {
            let channel = try query.text("channel", length: 1...256)
            try rights.require(channel: channel)
            return channel
        }
    }
}
