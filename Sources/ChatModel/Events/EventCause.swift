import Formats

/// Who made the change that an event tells of, and what it changed.
///
/// Both members stand before the thread or the message of the event. Events from before these members have neither.
public struct EventCause: Sendable, Hashable {
    /// Nil where a remote platform does not say who it was.
    public var actor: Author?
    /// The names of the members whose values are others than before for at least one reader, in the order in which
    /// the resource has them. `updatedAt`, and what only repeats another member, are never named. Nil for events that
    /// tell of no change: of what is new, or gone.
    public var changed: [String]?

    public static let unknown = EventCause()

    public init(actor: Author? = nil, changed: [String]? = nil) {
        self.actor = actor
        self.changed = changed
    }

    /// About how many bytes its members take.
    var expectedSize: Int { (actor == nil ? 0 : 128) + (changed.map { 16 + 20 * $0.count } ?? 0) }

    /// Writes the members into the event's object.
    func encode(to json: inout JSONWriter) {
        if let actor { json.member("actor", actor) }
        if let changed { json.member("changed", texts: changed) }
    }

    /// Reads the members of the event's object.
    init(json: JSONValue) throws(ModelError) {
        actor = try json.optional("actor")
        changed = json["changed"] == nil ? nil : try json.requiredTexts("changed")
    }
}
