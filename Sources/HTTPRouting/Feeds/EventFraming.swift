import MicroHTTP

/// How an event is written.
package enum EventFraming: Sendable, Hashable {
    /// As Server-Sent Events (WHATWG HTML, 9.2).
    case serverSent
    /// As a JSON object in a line of its own: `{"id":"..","type":"..","data":{..}}`.
    case line
    /// As the same object in an array: with a comma before each but the first.
    case item
}

/// Writes events.
extension EventBuffer {
    /// Appends one event if there is room for it.
    ///
    /// - Parameters:
    ///   - id: empty for an ephemeral event, which is written without one, so that a client does not resume from it.
    ///   - data: a JSON object without line breaks.
    ///   - concerns: members, without braces, that go in front of the object's own.
    /// - Returns: false when it did not fit; nothing was appended then.
    package mutating func appendEvent(
        id: [UInt8], type: String, data: [UInt8], concerns: [UInt8] = [], as framing: EventFraming
    ) -> Bool {
        guard room(for: 32 + id.count + type.utf8.count + data.count + concerns.count) else { return false }
        beginEvent(id: id, type: type, as: framing)
        if concerns.isEmpty {
            append(data)
        } else {
            append("{")
            append(concerns)
            if data.count > 2 { append(",") }
            append(data.dropFirst())
        }
        endEvent(as: framing)
        return true
    }

    /// Appends an event about the stream itself, even when the buffer has no room left: the buffer grows then. Such
    /// events are few and small.
    package mutating func append(aside type: String, id: [UInt8], data: [UInt8], as framing: EventFraming) {
        beginEvent(id: id, type: type, as: framing)
        append(data)
        endEvent(as: framing)
    }

    /// Tells the client after how many milliseconds to reconnect when the stream breaks (the field `retry`). Only
    /// Server-Sent Events can say it.
    ///
    /// An event has to follow in this buffer, because the field stands in its block: some readers take a block that has
    /// only this field for an event without data.
    package mutating func appendRetry(_ milliseconds: Int, as framing: EventFraming) {
        if framing == .serverSent { append("retry: \(milliseconds)\n") }
    }

    /// Ids and types have no characters that JSON would escape.
    private mutating func beginEvent(id: [UInt8], type: String, as framing: EventFraming) {
        switch framing {
        case .serverSent:
            if !id.isEmpty {
                append("id: ")
                append(id)
                append("\n")
            }
            append("event: ")
            append(type)
            append("\ndata: ")
        case .line, .item:
            append(framing == .item && count > 0 ? ",{" : "{")
            if !id.isEmpty {
                append("\"id\":\"")
                append(id)
                append("\",")
            }
            append("\"type\":\"")
            append(type)
            append("\",\"data\":")
        }
    }

    private mutating func endEvent(as framing: EventFraming) {
        switch framing {
        case .serverSent: append("\n\n")
        case .line: append("}\n")
        case .item: append("}")
        }
    }
}
