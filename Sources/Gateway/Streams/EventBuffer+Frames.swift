import ChatModel
import HTTPRouting
import MicroHTTP

/// Writes events of the chat.
extension EventBuffer {
    /// Appends an event that is encoded here, if there is room for it. The room is judged by its expected size, before it is
    /// encoded.
    mutating func append<Event: EventPayload>(
        _ event: Event, id: [UInt8], concerns: [UInt8] = [], as framing: EventFraming
    ) -> Bool {
        guard room(for: event.expectedSize) else { return false }
        return appendEvent(id: id, type: Event.name, data: event.data, concerns: concerns, as: framing)
    }

    /// Appends an event about the stream itself, such as `ready`, even when the buffer has no room left: the buffer
    /// grows then. Such events are few and small.
    mutating func append<Event: EventPayload>(_ event: Event, id: String, as framing: EventFraming) {
        append(aside: Event.name, id: Array(id.utf8), data: event.data, as: framing)
    }
}
