/// What a client says of its customer.
public struct CustomerDraft: Sendable, Hashable {
    public var id: String?
    public var firstName: String?
    public var lastName: String?

    public init(id: String? = nil, firstName: String? = nil, lastName: String? = nil) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
    }
}
