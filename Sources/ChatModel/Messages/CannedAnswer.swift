import Formats

/// A text that agents use often, kept for all of them under a name.
public struct CannedAnswer: CanonicalJSON, Hashable {
    /// How long a name may be, in Unicode code points.
    public static let nameLength = 1...80
    /// How many answers are kept at most.
    public static let maximumCount = 200

    public var id: String
    /// No two answers have the same.
    public var name: String
    public var text: String
    public var updatedAt: Timestamp

    public init(id: String, name: String, text: String, updatedAt: Timestamp) {
        self.id = id
        self.name = name
        self.text = text
        self.updatedAt = updatedAt
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("text", text)
        json.member("updatedAt", updatedAt)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        text = try json.requiredString("text")
        updatedAt = try json.requiredTimestamp("updatedAt")
    }
}
