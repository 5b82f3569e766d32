import Formats

/// Replaces what people wrote and how they are called by stand-ins. One text has one stand-in in a whole recording.
///
/// It keeps the values of the members that it knows to be harmless, and replaces all other values, also those of members
/// that are new in the API. It keeps all names of members, the names of custom fields too.
struct Redaction {
    private var standIns: [String: String] = [:]

    /// Members whose texts stay. `id` stays where no person is meant.
    private static let kept: Set = [
        "type", "threadId", "messageId", "parentId", "createdAt", "updatedAt", "seenAt", "state", "mode", "status",
        "direction", "kind", "mimeType", "contactId", "channel", "cursor", "reason", "waitingSince", "contactClosedAt",
        "code",
    ]
    /// Members whose values are persons: objects, or lists of objects.
    private static let people: Set = [
        "actor", "author", "customer", "agent", "previousAgent", "members", "member", "mostRecentUsers",
    ]

    /// The value with stand-ins, as JSON.
    mutating func redacted(_ element: JSONElement) -> [UInt8] {
        var writer = JSONWriter()
        // A customer that stands alone has an id, as an event has one; only the event's stays.
        write(element, isField: false, isPerson: element["data"] == nil, to: &writer)
        return writer.bytes
    }

    /// - Parameter isField: whether the value stands in custom fields.
    private mutating func write(_ element: JSONElement, isField: Bool, isPerson: Bool, to json: inout JSONWriter) {
        if let members = element.members {
            json.beginObject()
            for (name, value) in members {
                json.name(name)
                let stays = Self.kept.contains(name) || (name == "id" && !isPerson)
                // In custom fields every value is somebody's own, whatever its name is.
                write(
                    value, isField: isField || name == "customFields", isPerson: Self.people.contains(name),
                    keeps: stays && !isField, to: &json)
            }
            json.endObject()
        } else {
            write(element, isField: isField, isPerson: isPerson, keeps: false, to: &json)
        }
    }

    private mutating func write(
        _ element: JSONElement, isField: Bool, isPerson: Bool, keeps: Bool, to json: inout JSONWriter
    ) {
        if let elements = element.elements {
            json.beginArray()
            for each in elements { write(each, isField: isField, isPerson: isPerson, keeps: keeps, to: &json) }
            json.endArray()
        } else if element.kind == .object {
            write(element, isField: isField, isPerson: isPerson, to: &json)
        } else if let text = element.string, !keeps {
            json.value(standIn(for: text))
        } else {
            json.raw(element.bytes)
        }
    }

    /// A text of the same length class: up to 8, 32, 128, ... characters.
    private mutating func standIn(for text: String) -> String {
        if text.isEmpty { return "" }
        if let known = standIns[text] { return known }
        var length = 8
        while length < text.count { length *= 4 }
        let start = "x\(standIns.count + 1)"
        let made = start + String(repeating: "x", count: max(0, length - start.count))
        standIns[text] = made
        return made
    }
}
