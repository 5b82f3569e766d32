import ChatModel
import ChatStore
import DequeModule
import MicroHTTP

/// One stream: a position in the log, and what its reader wants of it. Events stay in the ring until they are written.
///
/// `@unchecked Sendable`: after it was made it is touched on the loop's thread alone, and that guards it.
final class EventStreamSource: EventSource, @unchecked Sendable {
    /// What is not in the log, at its place among what is.
    private enum Aside {
        case event(LogEvent)
        /// The session was deleted.
        case farewell(session: String)
    }

    private enum Phase {
        /// Nothing has been written.
        case opening
        /// What was missed is being written, up to the log's end at the opening.
        case replaying(to: Int64)
        /// `ready` was written.
        case live
    }

    private static let maximumAsides = 256
    private static let replayStep = 256 << 10

    let filter: TypeFilter
    let since: Timestamp
    private(set) var scope: StreamScope
    private(set) var stream: (any StreamHandle)?
    private let hub: StreamHub
    private let start: StreamStart
    private var phase = Phase.opening
    /// Everything up to here that matches was written, or skipped as not wanted.
    private var cursor: Int64 = 0
    /// The last event for this stream of which the hub has told; more than `cursor` means that there is something to write.
    private var news: Int64 = 0
    private var asides = Deque<(after: Int64, aside: Aside)>()
    /// What the database gave, for a position that the ring has no more.
    private var fetched: (events: Deque<LogEvent>, through: Int64)?
    private var isFetching = false
    private var hasFailed = false
    /// The last `chat.updated` said `initial`: a farewell need not say it again.
    private var saidInitial: Set<String> = []

    init(hub: StreamHub, scope: StreamScope, filter: TypeFilter, start: StreamStart, since: Timestamp) {
        self.hub = hub
        self.scope = scope
        self.filter = filter
        self.start = start
        self.since = since
    }

    /// The position up to which the reader has everything.
    var position: Int64 {
        guard case .live = phase, news <= cursor else { return cursor }
        // The hub has told of everything up to there, and nothing was for this stream.
        return max(cursor, hub.delivered)
    }

    // MARK: What the server calls

    func opened(_ stream: EventStream) { attach(to: stream) }

    /// From here on nothing is missed: the hub knows the stream before the log's end is read.
    func attach(to stream: any StreamHandle) {
        self.stream = stream
        hub.add(self)
        switch start {
        case .after(let offset): cursor = offset
        case .now, .reset: cursor = hub.log.head
        }
        // Deleted between the request and now: the hub told the streams before this one was among them.
        if let state = hub.state {
            for session in scope.sessions where state(session.id) == nil { lose(session: session.id) }
        }
    }

    func fill(_ out: inout EventBuffer) -> EventProgress {
        if case .opening = phase { open(&out) }
        while true {
            switch step(&out) {
            case .again: continue
            case .idle: return .idle
            case .full: return .more
            case .end: return .end
            }
        }
    }

    func heartbeat(_ out: inout EventBuffer) {
        if case .opening = phase { return }
        cursor = position
        var json = JSONWriter(reservingCapacity: 48)
        json.beginObject()
        json.member("cursor", cursorText)
        json.endObject()
        _ = out.appendEvent(id: Array(cursorText.utf8), type: "ping", data: json.bytes)
    }

    func draining(_ out: inout EventBuffer) { out.appendRetry(jitter()) }

    func closed(_ reason: StreamEnd) {
        if stream != nil { hub.remove(self) }
        stream = nil
        asides.removeAll()
        fetched = nil
    }

    // MARK: What the hub calls

    /// An event that concerns somebody whom this stream follows.
    func notice(_ event: LogEvent) {
        guard let offset = event.offset else {
            guard case .live = phase, filter.contains(event.type), asides.count < Self.maximumAsides else { return }
            if case .event(let last)? = asides.last?.aside, last === event { return }
            asides.append((hub.delivered, .event(event)))
            stream?.wake()
            return
        }
        if offset <= cursor { return }
        if case .live = phase, news <= cursor {
            // Nothing between was for this stream, so nothing between need be read.
            cursor = filter.contains(event.type) ? offset - 1 : offset
            if offset == cursor { return }
        }
        news = max(news, offset)
        stream?.wake()
    }

    func lose(session id: String) {
        asides.append((hub.delivered, .farewell(session: id)))
        stream?.wake()
    }

    // MARK: Writing

    private enum Step { case again, idle, full, end }

    private func open(_ out: inout EventBuffer) {
        out.appendRetry(jitter())
        switch start {
        case .now: becomeLive(&out)
        case .after: phase = .replaying(to: hub.log.head)
        case .reset(let reason):
            appendReset(reason, &out)
            becomeLive(&out)
        }
    }

    /// One thing after the other, until nothing is left or the buffer is full.
    private func step(_ out: inout EventBuffer) -> Step {
        if hasFailed { return .end }
        let isLive = if case .live = phase { true } else { false }
        // A stream that does not get as far as the farewell would never end.
        if !isLive, let first = asides.first { return write(first.aside, &out) }
        if isFetching { return .idle }
        if fetched != nil { return writeFetched(&out) }
        if isLive, news <= cursor {
            guard let first = asides.first else { return .idle }
            return write(first.aside, &out)
        }
        if cursor < hub.log.floor { return expire(&out) }
        switch hub.log.read(scope.audiences, after: cursor, limit: max(4096, out.limit - out.count)) {
        case .behind:
            fetch()
            return .idle
        case .events(let events, let through):
            for event in events {
                if let step = write(event, &out) { return step }
            }
            advance(through, isLast: events.isEmpty, &out)
            return .again
        }
    }

    private func writeFetched(_ out: inout EventBuffer) -> Step {
        while let event = fetched?.events.first {
            if let step = write(event, &out) { return step }
            fetched?.events.removeFirst()
        }
        let through = fetched?.through ?? cursor
        fetched = nil
        // The ring is asked again: it says whether anything is left.
        cursor = max(cursor, through)
        return .again
    }

    /// - Returns: nil when the event is written or not wanted.
    private func write(_ event: LogEvent, _ out: inout EventBuffer) -> Step? {
        let offset = event.offset ?? cursor
        while let first = asides.first, first.after < offset {
            let step = write(first.aside, &out)
            if step != .again { return step }
        }
        if offset <= cursor { return nil }
        if filter.contains(event.type), !append(event, &out) { return .full }
        cursor = offset
        return nil
    }

    private func write(_ aside: Aside, _ out: inout EventBuffer) -> Step {
        switch aside {
        case .event(let event):
            guard append(event, &out) else { return .full }
            if event.type == .chatUpdated { remember(event) }
            _ = asides.popFirst()
            return .again
        case .farewell(let session):
            if !saidInitial.contains(session), filter.contains(.chatUpdated) {
                let data = Array("{\"state\":\"\(ChatState.initial.rawValue)\"}".utf8)
                let concerns = scope.kind == .combined ? scope.concerns([session], desk: false) : []
                guard out.appendEvent(id: [], type: EventType.chatUpdated.rawValue, data: data, concerns: concerns) else { return .full }
            }
            _ = asides.popFirst()
            let before = scope.audiences
            scope.remove(session: session)
            hub.unfollow(self, Set(before).subtracting(scope.audiences))
            return scope.isEmpty ? .end : .again
        }
    }

    private func append(_ event: LogEvent, _ out: inout EventBuffer) -> Bool {
        let (data, concerns) = scope.data(of: event)
        return out.appendEvent(id: event.id, type: event.type.rawValue, data: data, concerns: concerns)
    }

    private func remember(_ event: LogEvent) {
        let isInitial = String(decoding: event.data, as: UTF8.self).contains("\"state\":\"\(ChatState.initial.rawValue)\"")
        for case .session(let id) in event.audiences {
            if isInitial { saidInitial.insert(id) } else { saidInitial.remove(id) }
        }
    }

    /// The log was read up to `through`.
    private func advance(_ through: Int64, isLast: Bool, _ out: inout EventBuffer) {
        cursor = max(cursor, through)
        if case .replaying(let end) = phase {
            if isLast || cursor >= end { becomeLive(&out) }
        } else if isLast {
            news = cursor
        }
    }

    private func becomeLive(_ out: inout EventBuffer) {
        phase = .live
        var json = JSONWriter()
        json.beginObject()
        json.member("cursor", cursorText)
        if scope.kind == .session, let session = scope.sessions.first, let state = hub.state?(session.id) {
            json.member("state", state.state.rawValue)
            json.member("mode", state.mode.rawValue)
        }
        if scope.kind == .combined {
            json.name("sessions")
            json.beginObject()
            for session in scope.sessions {
                guard let state = hub.state?(session.id) else { continue }
                json.name(session.id)
                json.beginObject()
                json.member("state", state.state.rawValue)
                json.member("mode", state.mode.rawValue)
                json.endObject()
            }
            json.endObject()
            if scope.hasDesk { json.member("desk", true) }
        }
        json.endObject()
        force("ready", json.bytes, &out)
    }

    private func appendReset(_ reason: ResetReason, _ out: inout EventBuffer) {
        hub.count(reason)
        var json = JSONWriter()
        json.beginObject()
        json.member("reason", reason.rawValue)
        json.member("snapshot", scope.snapshot)
        json.endObject()
        force("reset", json.bytes, &out)
    }

    /// Few and small, so they go out even when the buffer has no room left: it grows by them.
    private func force(_ type: String, _ data: [UInt8], _ out: inout EventBuffer) {
        out.append("id: \(cursorText)\nevent: \(type)\ndata: ")
        out.append(data)
        out.append("\n\n")
    }

    /// What should come next is gone: the reader must load the state anew.
    private func expire(_ out: inout EventBuffer) -> Step {
        cursor = hub.log.head
        news = min(news, cursor)
        appendReset(.expired, &out)
        if case .replaying = phase { becomeLive(&out) }
        return .again
    }

    // MARK: Reading the database

    private func fetch() {
        guard let loop = hub.loop else { return }
        isFetching = true
        let (log, audiences, start) = (hub.log, scope.audiences, cursor)
        Task {
            let result = try? await log.replay(audiences, after: start, limit: Self.replayStep)
            loop.execute { self.finishFetch(result, from: start) }
        }
    }

    private func finishFetch(_ result: (events: [LogEvent], through: Int64)?, from start: Int64) {
        isFetching = false
        guard let stream else { return }
        if let result, !result.events.isEmpty || result.through > start {
            // Should the log have been cut meanwhile, there may be a hole: `expire` tells.
            if start >= hub.log.floor { fetched = (Deque(result.events), result.through) }
        } else {
            // The database failed, or did not get on. The client comes again from where it was.
            hasFailed = true
        }
        stream.wake()
    }

    // MARK: Words

    private var cursorText: String { "\(hub.log.epoch)-\(cursor)" }

    /// Between one and four seconds, so that a thousand readers do not come back in one instant.
    private func jitter() -> Int { 1000 + Int(hub.random() * 3000) }
}
