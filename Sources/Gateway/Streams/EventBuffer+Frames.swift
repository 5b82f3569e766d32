import ChatModel
import MicroHTTP

/// Server-Sent Events as bytes.
extension EventBuffer {
    /// Appends one event if there is room for it.
    /// - Parameters:
    ///   - id: empty for an ephemeral event, which has no `id:` line.
    ///   - data: a JSON object.
    ///   - concerns: members that go in front of the object's own.
    /// - Returns: false when it did not fit; nothing was appended then.
    mutating func appendEvent(id: [UInt8], type: String, data: [UInt8], concerns: [UInt8] = []) -> Bool {
        guard room(for: 24 + id.count + type.utf8.count + data.count + concerns.count) else { return false }
        if !id.isEmpty {
            append("id: ")
            append(id)
            append("\n")
        }
        append("event: ")
        append(type)
        append("\ndata: ")
        if concerns.isEmpty {
            append(data)
        } else {
            append("{")
            append(concerns)
            if data.count > 2 { append(",") }
            append(data.dropFirst())
        }
        append("\n\n")
        return true
    }

    /// The same, of an event that no feed has encoded.
    mutating func append<Event: EventPayload>(_ event: Event, id: [UInt8], concerns: [UInt8] = []) -> Bool {
        guard room(for: event.expectedSize) else { return false }
        return appendEvent(id: id, type: Event.name, data: event.data, concerns: concerns)
    }

    /// Appends what a stream says of itself, even when the buffer has no room left: it grows then.
    ///
    /// Such events are few and small.
    mutating func append<Event: EventPayload>(_ event: Event, id: String) {
        append("id: \(id)\nevent: \(Event.name)\ndata: ")
        append(event.data)
        append("\n\n")
    }

    /// Tells the client after how many milliseconds to come back, when the stream has broken.
    mutating func appendRetry(_ milliseconds: Int) { append("retry: \(milliseconds)\n\n") }
}
