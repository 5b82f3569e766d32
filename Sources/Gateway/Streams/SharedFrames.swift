import ChatModel
import ChatStore
import DequeModule
import HTTPRouting
import MicroHTTP

/// Encoded events that streams share, so that a broadcast is encoded once for each content. For the loop's thread only.
struct SharedFrames {
    /// A place in the log, and everything on which the bytes depend that a stream writes from there.
    struct Place: Equatable {
        let kind: StreamScope.Kind
        let framing: EventFraming
        let filter: EventFilter
        let cursor: Int64
        /// The log's end. When it moves, the bytes may be incomplete, or contain what was removed since.
        let head: Int64
        let audiences: [Audience]
        /// The sessions of a combined stream, which are named in its events; empty otherwise.
        let sessions: [StreamScope.Session]
    }

    private struct Content: Hashable {
        let event: ObjectIdentifier
        let view: EventView
        let framing: EventFraming
    }

    /// In bytes: what the frames of single events may take. The oldest go first.
    private static let limit = 256 << 10

    /// What was written last from the log, and the position up to which it reaches. Streams at the same place copy it,
    /// and need not even read the log.
    private var last: (place: Place, bytes: [UInt8], through: Int64)?
    /// Frames of single events, for streams of other accounts. The event is kept, so that its identity stays its own.
    private var frames: [Content: (event: LogEvent, bytes: [UInt8])] = [:]
    private var order: Deque<Content> = []
    private(set) var byteCount = 0
    /// How many events were encoded.
    private(set) var encoded = 0

    /// What was written last, if it was written from this place.
    func find(_ place: Place) -> (bytes: [UInt8], through: Int64)? {
        guard let last, last.place == place else { return nil }
        return (last.bytes, last.through)
    }

    /// Keeps what was written last.
    mutating func keep(_ bytes: [UInt8], through: Int64, from place: Place) { last = (place, bytes, through) }

    /// Forgets all frames, because one of them may have the text of a message that was removed.
    mutating func removeAll() {
        (last, frames, order, byteCount) = (nil, [:], [], 0)
    }

    /// The frame of an event in this view.
    func find(_ event: LogEvent, _ view: EventView, _ framing: EventFraming) -> [UInt8]? {
        frames[Content(event: ObjectIdentifier(event), view: view, framing: framing)]?.bytes
    }

    /// Keeps the frame of an event that was encoded for a stream.
    mutating func keep(_ bytes: [UInt8], of event: LogEvent, _ view: EventView, _ framing: EventFraming) {
        encoded += 1
        let content = Content(event: ObjectIdentifier(event), view: view, framing: framing)
        frames[content] = (event, bytes)
        order.append(content)
        byteCount += bytes.count + event.byteCount
        while byteCount > Self.limit, let oldest = order.popFirst(), let frame = frames.removeValue(forKey: oldest) {
            byteCount -= frame.bytes.count + frame.event.byteCount
        }
    }
}

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
