import Formats

/// The newest message of a thread, as lists of threads show it.
public struct MessagePreview: CanonicalJSON, Hashable {
    /// Code points of the text that a preview carries at most.
    public static let maximumLength = 256

    public var id: String
    public var createdAt: Timestamp
    public var direction: MessageDirection
    public var author: Author
    public var type: MessageType
    /// The beginning of the text.
    public var text: String?
    public var status: MessageStatus

    public init(_ message: Message) {
        id = message.id
        createdAt = message.createdAt
        direction = message.direction
        author = message.author
        type = message.type
        text = message.text?.cut(toScalars: Self.maximumLength).text
        status = message.status
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("createdAt", createdAt)
        json.member("direction", direction.rawValue)
        json.member("author", author)
        json.member("type", type.rawValue)
        json.member("text", text)
        json.member("status", status.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        createdAt = try json.requiredTimestamp("createdAt")
        direction = try json.requiredCase("direction")
        author = try Author(json: json["author"] ?? .null)
        type = try json.requiredCase("type")
        text = json["text"]?.string
        status = try json.requiredCase("status")
    }
}
