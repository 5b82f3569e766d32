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
                    guard client.isEmbedded, core.visitorSettings.letsErase(client.key.channel) else {
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

/// Sends an export as fast as its reader takes it: a piece is read when the one before it is sent. What breaks off has no
/// line `end`.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only. A task that reads a piece has a
/// copy, and gives back what it has made on the loop's thread.
private final class ExportStream: EventSource, @unchecked Sendable {
    private let core: GatewayCore
    private var export: AccountExport
    /// What is to be sent next.
    private var ready: ArraySlice<UInt8> = []
    private var isReading = false
    private var isEnded = false
    private var stream: (any StreamHandle)?

    init(_ core: GatewayCore, _ export: AccountExport) { (self.core, self.export) = (core, export) }

    func opened(_ stream: EventStream) { self.stream = stream }

    func fill(_ out: inout EventBuffer) -> EventProgress {
        if ready.isEmpty { return isEnded ? .end : read() }
        let piece = ready.prefix(out.limit)
        out.append(piece)
        ready = ready.dropFirst(piece.count)
        return .more
    }

    private func read() -> EventProgress {
        if isReading { return .idle }
        isReading = true
        Task { [export, loop = core.life.loop] in
            var export = export
            let bytes = try? await export.next()
            let read = export
            loop?.execute { [self] in took(read, bytes) }
        }
        return .idle
    }

    private func took(_ export: AccountExport, _ bytes: [UInt8]?) {
        (self.export, ready) = (export, (bytes ?? [])[...])
        (isReading, isEnded) = (false, bytes == nil)
        stream?.wake()
    }

    /// Nothing is between two lines.
    func heartbeat(_ out: inout EventBuffer) {}

    func draining(_ out: inout EventBuffer) {}

    func closed(_ reason: StreamEnd) { stream = nil }
}
