import ChatModel

/// What a client says of its customer. What nil means depends on the request: a new session keeps the names that are
/// stored, ``ChatClient/setCustomer(_:)`` removes them.
public struct CustomerDraft: Sendable, Hashable {
    /// The customer's id at the channel; nil where the request makes a new customer or knows the customer already.
    public var id: String?
    public var firstName: String?
    public var lastName: String?

    public init(id: String? = nil, firstName: String? = nil, lastName: String? = nil) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
    }

    /// Characters (Unicode scalars) of a first or a last name.
    public static let maximumNameLength = 256

    /// Throws `invalidParameter` for a name that is too long.
    public func check() throws(ChatError) {
        for (name, pointer) in [(firstName, "/firstName"), (lastName, "/lastName")] {
            guard (name ?? "").unicodeScalars.count <= Self.maximumNameLength else {
                throw ChatError(
                    .invalidParameter, "A name has at most \(Self.maximumNameLength) characters.", pointer: pointer)
            }
        }
    }
}
