import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// What the desk knows of customers: who they are, where they have come from, and what agents note about them.
extension DeskRoutes {
    var customers: [Route] {
        let desk = desk
        let list = "/v1/desk/customers"
        let one = "\(list)/{customer}"
        return [
            Route(
                .get, list, "listDeskCustomers", access: .scope(.deskRead),
                query: .only(["channel", "q", "limit", "cursor"]),
                handler: .aside { call in try await Self.list(call, desk) }),
            Route(
                .get, one, "getDeskCustomer", access: .scope(.deskRead), query: .only(["channel"]),
                handler: .aside { call in
                    call.json(try await desk.customer(try call.deskCustomer), headers: [Call.revalidate])
                }),
            Route(
                .patch, one, "updateDeskCustomer", access: .scope(.deskWrite), query: .only(["channel", "as"]),
                body: .json,
                handler: .aside { call in try await Self.update(call, desk) }),
            Route(
                .get, "\(one)/notes", "listCustomerNotes", access: .scope(.deskRead),
                query: .only(["channel", "limit", "cursor"]),
                handler: .aside { call in
                    call.page(try await desk.notes(about: try call.deskCustomer, page: call.query.page()))
                }),
            Route(
                .post, "\(one)/notes", "addCustomerNote", access: .scope(.deskWrite), query: .only(["channel", "as"]),
                body: .json, idempotency: .carried,
                handler: .aside { call in
                    let body: NewCustomerNote = try call.body()
                    // Also where the body names the agent.
                    _ = try call.query.identifier("as")
                    return call.outcome(
                        try await desk.addNote(
                            body.text, by: try call.agent(body.agent), about: try call.deskCustomer,
                            receipt: call.receipt))
                }),
            Route(
                .get, "\(one)/notes/{note}", "getCustomerNote", access: .scope(.deskRead), query: .only(["channel"]),
                handler: .aside { call in
                    call.resource(try await desk.note(call.parameters["note"], about: try call.deskCustomer))
                }),
            Route(
                .delete, "\(one)/notes/{note}", "deleteCustomerNote", access: .scope(.deskWrite),
                query: .only(["channel", "as"]),
                handler: .aside { call in
                    let (customer, note) = (try call.deskCustomer, call.parameters["note"])
                    try await call.requireOwn { try await desk.note(note, about: customer).body }
                    try await desk.removeNote(note, about: customer, as: try call.actingAgent)
                    return call.noContent()
                }),
        ]
    }

    private static func list(_ call: Call, _ desk: any DeskService) async throws -> HTTPResponse {
        let page = try await desk.customers(
            startingWith: try call.query.key("q", length: 1...256), on: try call.customerChannels,
            page: try call.query.page())
        let cursor = call.cursor(page.offset)
        var json = JSONWriter(reservingCapacity: 4096)
        json.beginObject()
        json.name("items")
        json.beginArray()
        for customer in page.items { json.raw(customer) }
        json.endArray()
        json.member("next", page.next)
        json.member("cursor", cursor.description)
        json.endObject()
        var headers = [("Parley-Cursor", cursor.description), Call.revalidate]
        if let link = call.links(next: page.next, prev: nil) { headers.append(("Link", link)) }
        return call.json(json.bytes, headers: headers)
    }

    private static func update(_ call: Call, _ desk: any DeskService) async throws -> HTTPResponse {
        let body: CustomerPatchBody = try call.body()
        var patch = body.patch
        patch.mayChangeVerified = call.rights.scopes.contains(.customersWrite)
        let (customer, agent) = (try call.deskCustomer, try call.actingAgent)
        do throws(ChatError) {
            return call.json(try await desk.update(customer, patch, as: agent))
        } catch {
            // What is vouched for may be changed with one more scope.
            if error.code == .nameVouched { try call.rights.require(.customersWrite) }
            throw error
        }
    }
}

extension Call {
    /// The channels whose customers are meant: that of `?channel=`, or all that the caller may see. Throws
    /// `outsideChannels`, `invalidParameter`.
    fileprivate var customerChannels: DeskChannels {
        get throws(Problem) {
            let channel = try query.channel("channel")
            if let channel { try rights.require(channel: channel) }
            return DeskChannels(channel: channel, within: rights.channels)
        }
    }

    /// The customer in the path. `?channel=` says which one, should customers of several channels have the id. Throws
    /// `noSuchCustomer`, `outsideChannels`, `invalidParameter`.
    fileprivate var deskCustomer: DeskCustomer {
        get throws(Problem) {
            let (id, channels) = (parameters["customer"], try customerChannels)
            guard Identifier.isValid(id) else {
                throw Problem(ChatError(.noSuchCustomer, "There is no such customer."))
            }
            return DeskCustomer(id: id, channel: channels.channel, within: channels.visible)
        }
    }
}

/// `{"firstName"?,"lastName"?,"email"?,"customFields"?}`: what changes of a customer. Null removes a value (RFC 7396),
/// also that of a field.
private struct CustomerPatchBody: RequestBody {
    let patch: CustomerPatch

    init(reading object: inout ObjectReader) {
        patch = CustomerPatch(
            firstName: object.removable("firstName") {
                $0.optionalString($1, length: 1...CustomerDraft.maximumNameLength)
            },
            lastName: object.removable("lastName") {
                $0.optionalString($1, length: 1...CustomerDraft.maximumNameLength)
            },
            email: object.removable("email") { $0.optionalString($1, length: 1...254) },
            customFields: Self.fields(&object))
    }

    private static func fields(_ object: inout ObjectReader) -> [String: String?] {
        guard let value = object.optional("customFields") else { return [:] }
        guard (value.members?.count ?? 0) <= CustomFieldLimits.maximumCount else {
            object.reject("customFields", "at most \(CustomFieldLimits.maximumCount) fields were expected")
            return [:]
        }
        let members = value.members?.filter { $0.value != .null }
        let values = object.strings(members.map { .object($0) } ?? value, "customFields") ?? [:]
        var fields: [String: String?] = values
        for member in value.members ?? [] where member.value == .null { fields.updateValue(nil, forKey: member.name) }
        return fields
    }
}

/// `{"text","agent"?}`: a note of an agent about a customer.
private struct NewCustomerNote: RequestBody {
    let text: String
    let agent: Agent?

    init(reading object: inout ObjectReader) {
        text = object.requiredString("text", length: CustomerNote.textLength)
        agent = AgentBody.optional(&object)
    }
}
