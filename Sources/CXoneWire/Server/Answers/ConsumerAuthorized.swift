/// The customer is known now: the data of `ConsumerAuthorized`.
public struct ConsumerAuthorized: Sendable, Hashable {
    /// Web clients want "success". It stands beside `postback`, or in the data.
    public var status: String?
    /// Whom the server takes the customer for.
    public var customer: WireCustomer?
    /// On channels with OAuth only.
    public var accessToken: AccessToken?
    public var customerFields: [CustomField]
    public var contactFields: [CustomField]

    public init(
        status: String? = "success", customer: WireCustomer?, accessToken: AccessToken? = nil,
        customerFields: [CustomField] = [], contactFields: [CustomField] = []
    ) {
        self.status = status
        self.customer = customer
        self.accessToken = accessToken
        self.customerFields = customerFields
        self.contactFields = contactFields
    }
}

extension ConsumerAuthorized: WireReadable, WireWritable {
    public init(_ data: WireValue) throws(WireError) {
        status = try data.optional("status")
        customer = try data.optional("consumerIdentity", or: "customerIdentity")
        accessToken = try data.optional("accessToken")
        customerFields = try data.customFields(in: "customer", or: "consumer") ?? []
        contactFields = try data.customFields(in: "contact", or: "consumerContact") ?? []
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("consumerIdentity", ifPresent: customer)
            writer.member("accessToken", ifPresent: accessToken)
            writer.member("customer", customFields: customerFields)
            writer.member("contact", customFields: contactFields)
        }
    }
}
