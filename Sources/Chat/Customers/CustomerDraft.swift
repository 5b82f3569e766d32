import ChatModel

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

    /// Characters of a first or a last name.
    public static let maximumNameLength = 256

    /// Throws `invalidParameter` for a name that is too long.
    public func check() throws(ChatError) {
        for (name, pointer) in [(firstName, "/firstName"), (lastName, "/lastName")] {
            guard (name ?? "").unicodeScalars.count <= Self.maximumNameLength else {
                throw ChatError(.invalidParameter, "A name has at most \(Self.maximumNameLength) characters.", pointer: pointer)
            }
        }
    }
}
