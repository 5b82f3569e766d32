import Formats

/// What is known of a customer is another than before: names, e-mail address, custom fields, or the agents' notes. It
/// is for the desk alone, whose copy also has the channel, and the customer as they are now.
///
/// ``EventCause/changed`` names what is another. Custom fields and notes are not part of the event.
public struct CustomerUpdatedEvent: FeedEvent {
    public static let type = EventType.customerUpdated

    public var id: String
    public var cause: EventCause

    public init(id: String, by cause: EventCause) {
        self.id = id
        self.cause = cause
    }

    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        json.member("id", id)
        cause.encode(to: &json)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        id = try json.requiredString("id")
        cause = try EventCause(json: json)
    }
}
