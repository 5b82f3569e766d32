import Formats

/// The person that a session acts for (the SDK's `CustomerIdentity`).
public struct Customer: CanonicalJSON, Hashable {
    public var id: String
    public var firstName: String?
    public var lastName: String?
    /// Where a picture of the customer is. Parley only passes it on.
    public var imageURL: String?

    public init(id: String, firstName: String? = nil, lastName: String? = nil, imageURL: String? = nil) {
        self.id = id
        self.firstName = firstName
        self.lastName = lastName
        self.imageURL = imageURL
    }

    /// Whether the other one is the same, byte for byte (``ExactText``).
    public func hasSameBytes(as other: Customer) -> Bool {
        id.hasSameBytes(as: other.id) && firstName.hasSameBytes(as: other.firstName)
            && lastName.hasSameBytes(as: other.lastName) && imageURL.hasSameBytes(as: other.imageURL)
    }

    /// First and last name as they are known, or nil.
    public var fullName: String? {
        let names = [firstName, lastName].compactMap(\.self).filter { !$0.isEmpty }
        return names.isEmpty ? nil : names.joined(separator: " ")
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("firstName", firstName)
        json.member("lastName", lastName)
        json.member("imageUrl", imageURL)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        firstName = json["firstName"]?.string
        lastName = json["lastName"]?.string
        imageURL = json["imageUrl"]?.string
    }
}
