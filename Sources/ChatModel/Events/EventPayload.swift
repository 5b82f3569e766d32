import Formats

/// The data of an event: the JSON object that a stream sends behind `data:`.
///
/// Each schema of an event in the OpenAPI document has one such type: `EventMessageCreated` is ``MessageCreatedEvent``,
/// `EventReadyCombined` is ``ReadyCombinedEvent``. A test compares the members of both.
public protocol EventPayload: CanonicalJSON {
    /// The name of the event, which a stream sends behind `event:`.
    static var name: String { get }

    /// About how many bytes the JSON has. With a good guess the JSON is written without copying it again.
    var expectedSize: Int { get }
}

extension EventPayload {
    public var expectedSize: Int { 256 }

    /// The JSON object, in canonical JSON.
    public var data: [UInt8] {
        var json = JSONWriter(reservingCapacity: expectedSize)
        encode(to: &json)
        return json.bytes
    }
}

/// The data of an event that goes through the store's event feed: it is logged, or published for live streams only.
///
/// All other events are written by a stream itself: ``ReadyEvent``, ``PingEvent``, those of collections, and so on.
public protocol FeedEvent: EventPayload {
    static var type: EventType { get }
}

extension FeedEvent {
    public static var name: String { type.rawValue }
}

/// A value together with its canonical JSON, so that a row and an event share bytes that were written once.
public struct Encoded<Value: CanonicalJSON>: CanonicalJSON {
    public let value: Value
    /// Nil after reading: nobody may ask for the bytes.
    private let written: [UInt8]?

    public init(_ value: Value) {
        self.value = value
        // Most messages and threads fit, so that nothing is copied while they are written.
        var json = JSONWriter(reservingCapacity: 1024)
        value.encode(to: &json)
        written = json.bytes
    }

    public init(json: JSONValue) throws(ModelError) {
        value = try Value(json: json)
        written = nil
    }

    /// The canonical JSON. Of a value that was read from JSON it is written at each call.
    public var bytes: [UInt8] { written ?? value.canonicalJSON }

    public func encode(to json: inout JSONWriter) {
        if let written { json.raw(written) } else { value.encode(to: &json) }
    }
}

extension JSONWriter {
    /// Writes a value that was read, with its members in their order.
    mutating func copy(_ value: JSONValue) {
        switch value {
        case .null: raw("null" as StaticString)
        case .bool(let flag): self.value(flag)
        case .integer(let number): self.value(number)
        case .number(let number): raw(Array("\(number)".utf8))
        case .string(let text): self.value(text)
        case .array(let items):
            beginArray()
            for item in items { copy(item) }
            endArray()
        case .object(let members):
            beginObject()
            for member in members {
                name(member.name)
                copy(member.value)
            }
            endObject()
        }
    }
}
