import Formats

/// A word with which the desk sorts threads. Customers see none.
public struct DeskTag: CanonicalJSON, Hashable {
    /// A choice of colours that pages can show in a light and in a dark theme.
    public enum Colour: String, Sendable, CaseIterable {
        case grey, red, orange, yellow, green, teal, blue, purple, pink
    }

    /// The most tags that a desk has, and the characters of a name.
    public static let maximumCount = 500, nameLength = 1...40

    public var id: String
    public var name: String
    public var colour: Colour
    /// Its place in the list, from 0.
    public var position: Int

    public init(id: String, name: String, colour: Colour, position: Int) {
        self.id = id
        self.name = name
        self.colour = colour
        self.position = position
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        json.member("name", name)
        json.member("colour", colour.rawValue)
        json.member("position", position)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        name = try json.requiredString("name")
        colour = try json.requiredCase("colour")
        position = Int(clamping: try json.requiredInteger("position"))
    }
}

/// A tag is new, has changed, or is gone. It is for the desk, and live only.
public struct TagUpdatedEvent: FeedEvent {
    public static let type = EventType.tagUpdated

    public var id: String
    /// Nil when it is gone.
    public var tag: DeskTag?

    public init(id: String, tag: DeskTag?) {
        self.id = id
        self.tag = tag
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        if let tag { json.member("tag", tag) }
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        tag = try json.optional("tag")
    }
}
