import ChatModel
import ChatStore

/// What a client says of its customer. What nil means depends on the request: a new session keeps the names that are
/// stored, ``ServiceConnection/setCustomer(_:ifMatch:)`` removes them.
public struct CustomerDraft: Sendable, Hashable {
    /// The customer's id at the channel; nil where the request makes a new customer or knows the customer already.
    public var id: String?
    public var firstName: String?
    public var lastName: String?
    /// Where a picture of the customer is.
    public var imageURL: String?
    /// Whether whoever gives the names may vouch for them: who holds the gateway's token, and no customer.
    public var isVouched: Bool

    public init(
        id: String? = nil, firstName: String? = nil, lastName: String? = nil, imageURL: String? = nil,
        isVouched: Bool = false
    ) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.imageURL = imageURL
        self.isVouched = isVouched
    }

    /// Characters (Unicode scalars) of a first or a last name.
    public static let maximumNameLength = 256

    /// Bytes of a picture's URL.
    public static let maximumImageLength = 2048

    /// Throws `invalidParameter` for a name that is too long, and for a picture that is no URL of the web.
    public func check() throws(ChatError) {
        for (name, pointer) in [(firstName, "/firstName"), (lastName, "/lastName")] {
            guard (name ?? "").unicodeScalars.count <= Self.maximumNameLength else {
                throw ChatError(
                    .invalidParameter, "A name has at most \(Self.maximumNameLength) characters.", pointer: pointer)
            }
        }
        if let imageURL, !Self.isImage(imageURL) {
            throw ChatError(
                .invalidParameter,
                "A picture's URL begins with https:// or http://, and has at most \(Self.maximumImageLength) printable ASCII characters.",
                pointer: "/imageUrl")
        }
    }

    /// Whether the text may stand for a picture. Pages show it to other people, so it is of the web, and has no quotes.
    public static func isImage(_ text: String) -> Bool {
        (8...maximumImageLength).contains(text.utf8.count) && ["https://", "http://"].contains { text.hasPrefix($0) }
            && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"'<>\\`".utf8.contains($0) }
    }
}

extension AccountRecord {
    /// Replaces the customer's names and picture by those of the draft. Returns whether that changes anything.
    ///
    /// Throws `nameVouched` when the draft changes names that somebody else has vouched for.
    public mutating func rename(to draft: CustomerDraft) throws(ChatError) -> Bool {
        let before = self
        (customer.firstName, customer.lastName, customer.imageURL) = (draft.firstName, draft.lastName, draft.imageURL)
        // Whoever is verified has the names that the shop gives them, and no others beside that mark.
        guard !(isNameVouched || customer.isVerified) || draft.isVouched || customer == before.customer else {
            self = before
            throw ChatError(.nameVouched, "The names of the customer \(key.customer) are vouched for.")
        }
        if draft.isVouched { isNameVouched = customer.fullName != nil || customer.imageURL != nil }
        return self != before
    }

    /// Takes the names and the picture that a draft of the gateway's own side has, and keeps the others. They are
    /// vouched for.
    public mutating func setVouchedNames(_ firstName: String?, _ lastName: String?, imageURL: String? = nil) {
        guard firstName != nil || lastName != nil || imageURL != nil else { return }
        customer.firstName = firstName ?? customer.firstName
        customer.lastName = lastName ?? customer.lastName
        customer.imageURL = imageURL ?? customer.imageURL
        isNameVouched = true
    }
}

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
