import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The customer for whom a session acts: name and custom fields.
struct CustomerRoutes: RouteGroup {
    private static let one = "/v1/sessions/{session}/customer"

    var routes: [Route] {
        [
            Route(
                .get, Self.one, "getCustomer", access: .session,
                handler: .reading { call in
                    call.json(try call.client().customer().customer.canonicalJSON, headers: [Call.revalidate])
                }),
            Route(
                .put, Self.one, "setCustomer", access: .session, body: .json,
                handler: .later { call in
                    let body: CustomerName = try call.body()
                    let customer = try await call.client().perform { (connection) throws(ChatError) in
                        try await connection.setCustomer(body.draft)
                    }
                    return call.json(customer.canonicalJSON)
                }),
            Route(
                .get, "\(Self.one)/customFields", "getCustomerCustomFields", access: .session,
                handler: .reading { call in
                    call.customFields(try call.client().customer().customFields)
                }),
            Route(
                .put, "\(Self.one)/customFields", "setCustomerCustomFields", access: .session, body: .json,
                handler: .later { call in
                    let body: CustomFieldsBody = try call.body()
                    return try await call.customFields(
                        call.client().perform { (connection) throws(ChatError) in
                            try await connection.setCustomerCustomFields(body.fields)
                        })
                }),
        ]
    }
}

/// `{"firstName"?,"lastName"?}`: replaces both; a name that is left out is removed.
struct CustomerName: RequestBody {
    let draft: CustomerDraft

    init(reading object: inout ObjectReader) {
        draft = CustomerDraft(
            firstName: object.optionalString("firstName", length: 1...256),
            lastName: object.optionalString("lastName", length: 1...256))
    }
}
