import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// The customer for whom a session acts: name and custom fields.
struct CustomerRoutes: RouteGroup {
    private static let one = "/v1/sessions/{session}/customer"

    var routes: [Route] {
        [
            Route(
                .get, Self.one, "getCustomer", access: .session(.sessionsRead),
                handler: .task { call in
                    let customer = try await call.client().customer().customer
                    return call.resource(customer.canonicalJSON, version: ContentVersion.of(customer))
                }),
            Route(
                .put, Self.one, "setCustomer", access: .session(.sessionsWrite), body: .json, isVersioned: true,
                handler: .aside { call in
                    let body: CustomerName = try call.body()
                    var draft = body.draft
                    draft.isVouched = call.identity.runsGateway
                    let client = try call.client()
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        ContentVersion.of(try await client.customer().customer)
                    }
                    let customer = try await client.perform { [draft] (connection) throws(ChatError) in
                        try await connection.setCustomer(draft, ifMatch: version)
                    }
                    return call.json(
                        customer.canonicalJSON, headers: [call.version(ContentVersion.of(customer))])
                }),
            Route(
                .get, "\(Self.one)/customFields", "getCustomerCustomFields", access: .session(.sessionsRead),
                handler: .task { call in
                    call.fields(try await call.client().customer().customFields)
                }),
            Route(
                .put, "\(Self.one)/customFields", "setCustomerCustomFields", access: .session(.sessionsWrite),
                body: .json,
                isVersioned: true,
                handler: .aside { call in
                    let body: CustomFieldsBody = try call.body()
                    let client = try call.client()
                    if call.identity.isCounted, try await client.customer().customer.isVerified {
                        throw ChatError(.nameVouched, "The shop's server says the fields of this customer.")
                    }
                    let version = try await call.expectedVersion { () async throws(ChatError) in
                        ContentVersion.of(try await client.customer().customFields)
                    }
                    return try await call.changed(
                        client.perform { (connection) throws(ChatError) in
                            try await connection.setCustomerCustomFields(body.fields, ifMatch: version)
                        })
                }),
        ]
    }
}

/// `{"firstName"?,"lastName"?,"imageUrl"?}`: replaces all three; what is left out is removed.
struct CustomerName: RequestBody {
    let draft: CustomerDraft

    init(reading object: inout ObjectReader) {
        draft = CustomerDraft(
            firstName: object.optionalString("firstName", length: 1...256),
            lastName: object.optionalString("lastName", length: 1...256), imageURL: CustomerImage.read(&object))
    }
}

/// `imageUrl`: where a picture of the customer is.
enum CustomerImage {
    static func read(_ object: inout ObjectReader) -> String? {
        let text = object.optionalString("imageUrl", length: 1...CustomerDraft.maximumImageLength)
        guard let text, !CustomerDraft.isImage(text) else { return text }
        object.reject("imageUrl", "a URL of a picture was expected, which begins with https:// or http://")
        return nil
    }
}
