import Formats

/// The agent who handles a thread.
public struct Agent: CanonicalJSON, Hashable {
    public var id: String
    public var name: String?
    /// The SDK's `isBotUser`: a program answers.
    public var isBot: Bool

    public init(id: String, name: String? = nil, isBot: Bool = false) {
        self.id = id
        self.name = name
        self.isBot = isBot
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        if isBot { json.member("isBot", true) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = json["name"]?.string
        isBot = json["isBot"]?.bool ?? false
    }
}
