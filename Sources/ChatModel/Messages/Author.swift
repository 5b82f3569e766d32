import Formats

/// Who wrote a message.
///
/// ```swift
/// let customer = Author(id: "c-1", name: "Ada", kind: .customer)
/// print(String(decoding: customer.canonicalJSON, as: UTF8.self))
/// ```
public struct Author: CanonicalJSON, Hashable {
    public enum Kind: String, Sendable, CaseIterable {
        case customer, agent, bot, system
    }

    public var id: String
    public var name: String?
    public var kind: Kind

    public init(id: String, name: String? = nil, kind: Kind) {
        self.id = id
        self.name = name
        self.kind = kind
    }

    public init(_ customer: Customer) {
        self.init(id: customer.id, name: customer.fullName, kind: .customer)
    }

    public init(_ agent: Agent) {
        self.init(id: agent.id, name: agent.name, kind: agent.isBot ? .bot : .agent)
    }

    /// The service itself: what it does without being asked.
    public static let system = Author(id: "system", kind: .system)

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("kind", kind.rawValue)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = json["name"]?.string
        kind = try json.requiredCase("kind")
    }
}

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
