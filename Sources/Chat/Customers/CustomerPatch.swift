import ChatModel
import ChatStore

/// What an agent changes of a customer. A property that is nil changes nothing. `.some(nil)` removes the value.
public struct CustomerPatch: Sendable, Hashable {
    public var firstName: String??
    public var lastName: String??
    public var email: String??
    /// Values that replace those of their fields; nil removes a field.
    public var customFields: [String: String?]
    /// Whether it may change the e-mail address of a customer for whom a shop's server has vouched.
    public var mayChangeVerified: Bool

    public init(
        firstName: String?? = nil, lastName: String?? = nil, email: String?? = nil,
        customFields: [String: String?] = [:],
        mayChangeVerified: Bool = false
    ) {
        self.firstName = firstName
        self.lastName = lastName
        self.email = email
        self.customFields = customFields
        self.mayChangeVerified = mayChangeVerified
    }
}

extension AccountRecord {
    /// Changes the customer. Names that an agent has given are vouched for.
    ///
    /// Throws `nameVouched`, `invalidParameter`; see ``DeskCustomers/update(_:_:as:)``.
    public mutating func apply(
        _ patch: CustomerPatch, _ definitions: [CustomFieldDefinition]
    ) throws(ChatError) {
        if let name = patch.firstName { customer.firstName = name }
        if let name = patch.lastName { customer.lastName = name }
        if patch.firstName != nil || patch.lastName != nil {
            try CustomerDraft(firstName: customer.firstName, lastName: customer.lastName).check()
            isNameVouched = customer.fullName != nil || customer.imageURL != nil
        }
        if let email = patch.email, !email.hasSameBytes(as: customer.email) {
            guard !customer.isVerified || patch.mayChangeVerified else {
                throw ChatError(.nameVouched, "The shop's server says the address of this customer.", pointer: "/email")
            }
            if let email, !EmailAddress.isValid(email) {
                throw ChatError(.invalidParameter, "An e-mail address was expected.", pointer: "/email")
            }
            customer.email = email
        }
        try apply(patch.customFields, definitions)
    }

    private mutating func apply(
        _ fields: [String: String?], _ definitions: [CustomFieldDefinition]
    ) throws(ChatError) {
        let values = fields.compactMapValues { $0 }.filter { !$0.value.isEmpty }
        let checked = try CustomFieldRules.check(values, definitions)
        // An empty value is none, as everywhere.
        let kept = customFields.filter { fields[$0.key] == nil || values[$0.key] != nil }
        customFields = try CustomFieldRules.merge(checked, into: kept)
    }
}
