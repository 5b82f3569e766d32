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

/// What a stream shows of an event. It names no reader: readers with equal views get equal bytes.
struct EventView: Hashable {
    /// With what only the desk sees.
    var isDesks = false
    /// The account's part in the thread, if the event carries a thread.
    var membership: Membership?
    /// Members, without braces, that go in front of the object's own.
    var concerns: [UInt8] = []

    /// The event's JSON in this view, without ``concerns``.
    func data(of event: LogEvent) -> [UInt8] {
        let member = membership == nil ? nil : event.members.first { $0.membership == membership }
        guard isDesks else { return member.map { event.data(for: $0.audience) } ?? event.data }
        var data = event.data(for: .desk)
        // The stream has both readers: it gets the desk's data, with the account's membership added.
        if let membership {
            data.removeLast(2)
            data.append(contentsOf: ",".utf8)
            data.append(contentsOf: membership.members)
            data.append(contentsOf: "}}".utf8)
        }
        return data
    }
}

extension StreamScope {
    /// How this stream shows an event.
    func view(of event: LogEvent) -> EventView {
        switch kind {
        case .desk: return EventView(isDesks: true)
        case .log:
            let sessions = event.audiences.compactMap { audience -> String? in
                if case .session(let id) = audience { return id }
                return nil
            }
            let audience = EventAudience(
                sessions: sessions, isDesks: event.audiences.contains(.desk), loggedAt: event.at)
            return EventView(isDesks: true, concerns: Array(audience.canonicalJSON.dropFirst().dropLast()))
        case .session: return EventView(membership: sessions.first.flatMap { membership($0.account, in: event) })
        case .combined:
            let audiences = event.audiences
            let concerned = sessions.filter {
                audiences.contains(.account($0.account)) || audiences.contains(.session($0.id))
                    || $0.channel.map(audiences.contains) ?? false
            }
            let isDesks = hasDesk && audiences.contains(.desk)
            return EventView(
                isDesks: isDesks, membership: concerned.first.flatMap { membership($0.account, in: event) },
                concerns: concerns(concerned.map(\.id), desk: isDesks))
        }
    }

    private func membership(_ account: Int64, in event: LogEvent) -> Membership? {
        guard event.type == .threadCreated || event.type == .threadUpdated else { return nil }
        return event.members.first { $0.audience == .account(account) }?.membership
    }
}
