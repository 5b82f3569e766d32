import ChatModel
import ChatStore

/// What a client says of its customer. What nil means depends on the request: a new session keeps the names that are
/// stored, ``ChatClient/setCustomer(_:)`` removes them.
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
    public mutating func take(_ firstName: String?, _ lastName: String?, imageURL: String? = nil) {
        guard firstName != nil || lastName != nil || imageURL != nil else { return }
        customer.firstName = firstName ?? customer.firstName
        customer.lastName = lastName ?? customer.lastName
        customer.imageURL = imageURL ?? customer.imageURL
        isNameVouched = true
    }
}
