import ChatModel
import MicroHTTP

/// Encodes Server-Sent Events (WHATWG HTML, 9.2).
extension EventBuffer {
    /// Appends one event if there is room for it.
    ///
    /// - Parameters:
    ///   - id: empty for an ephemeral event, which has no `id:` line, so that a client does not resume from it.
    ///   - data: a JSON object without line breaks.
    ///   - concerns: members, without braces, that go in front of the object's own.
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

    /// The same for an event that is encoded here. The room is judged by its expected size, before it is encoded.
    mutating func append<Event: EventPayload>(_ event: Event, id: [UInt8], concerns: [UInt8] = []) -> Bool {
        guard room(for: event.expectedSize) else { return false }
        return appendEvent(id: id, type: Event.name, data: event.data, concerns: concerns)
    }

    /// Appends an event about the stream itself, such as `ready`, even when the buffer has no room left: the buffer
    /// grows then. Such events are few and small.
    mutating func append<Event: EventPayload>(_ event: Event, id: String) {
        append("id: \(id)\nevent: \(Event.name)\ndata: ")
        append(event.data)
        append("\n\n")
    }

    /// Tells the client after how many milliseconds to reconnect when the stream breaks (the field `retry`).
    mutating func appendRetry(_ milliseconds: Int) { append("retry: \(milliseconds)\n\n") }
}
