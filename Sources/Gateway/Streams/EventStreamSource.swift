import Chat
import ChatModel
import ChatStore
import Formats
import HTTPRouting
import MicroHTTP

/// One event stream: its position in the log, and what its client wants of it. Events stay in the shared ring until
/// they are written, so a stream needs little memory however far it is behind.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only.
final class EventStreamSource: EventSource, CollectionFollower, @unchecked Sendable {
    /// The event types that the client wants.
    let filter: EventFilter
    /// When the client asked for the stream.
    let since: Timestamp
    /// Whom the stream follows. It shrinks when a session is deleted.
    private(set) var scope: StreamScope
    /// Nil before the stream is open and after it is closed.
    private(set) var stream: (any StreamHandle)?
    private let hub: StreamHub
    private let framing: EventFraming
    /// Where the client wants to begin.
    private let start: StreamStart
    /// The holders whose screens count as present while the stream is open, in the sessions that it begins with.
    private let holders: Set<String>
    /// The sessions at the start, for the end: ``scope`` may have lost some by then.
    private let heldSessions: [StreamScope.Session]
    /// How far the stream is.
    private var place = LogPosition()
    /// What waits besides the log.
    private var asides = EphemeralQueue()
    /// What the database gave.
    private var fetched = LogFetch()
    /// Which collections the stream carries.
    private var following: CollectionFollowing
    /// All collections of an owner.
    private let collections: @Sendable (CollectionOwner) -> [LiveCollection]
    /// The stream must end, because the database failed.
    private var hasFailed = false
    /// Bytes of unwanted events that this turn has passed over.
    private var passed = 0
    /// The log's end as the database knows it; nil until it has answered.
    private var verified: Int64?

    /// Makes a stream that is not open yet; it registers nowhere before ``attach(to:)``.
    ///
    /// - Parameters:
    ///   - framing: how its events are written.
    ///   - holders: whose screens count as present while the stream is open.
    ///   - choice: which collections it carries.
    ///   - collections: all present collections of an owner.
    init(
        hub: StreamHub, scope: StreamScope, filter: EventFilter, start: StreamStart, since: Timestamp,
        framing: EventFraming = .serverSent, holders: Set<String> = [], choice: CollectionChoice = .none,
        collections: @escaping @Sendable (CollectionOwner) -> [LiveCollection] = { _ in [] }
    ) {
        self.hub = hub
        self.scope = scope
        self.filter = filter
        self.start = start
        self.since = since
        self.framing = framing
        self.holders = holders
        heldSessions = scope.sessions
        following = CollectionFollowing(choice, framing, within: filter.channels)
        self.collections = collections
    }

    /// Whether a read of the database is running. There is at most one.
    var isFetching: Bool { fetched.isRunning }

    /// The position up to which the client has everything that it wants.
    var position: Int64 { place.reached(hub.delivered) }

    // MARK: What the server calls

    func opened(_ stream: EventStream) { attach(to: stream) }

    /// Registers with the hub before it reads the log's end, so that no event between the two is missed.
    func attach(to stream: any StreamHandle) {
        self.stream = stream
        hub.add(self)
        for session in heldSessions { hub.notifications?.streamOpened(by: holders, session: session.id) }
        if scope.hasDesk { hub.notifications?.deskStreamOpened(by: holders) }
        switch start {
        case .after(let offset), .beyond(let offset): place.restart(at: offset)
        case .now, .reset: place.restart(at: hub.log.head)
        }
        // A session that was deleted between the request and now: the hub told its streams before this one was among
        // them.
        if let state = hub.state {
            for session in scope.sessions where state(session.id) == nil { lose(session: session.id) }
        }
        if following.isNone { return }
        for owner in scope.collectionOwners {
            hub.collections.add(self, to: owner)
            for collection in collections(owner) { added(collection) }
        }
    }

    /// The bytes of unwanted events that one turn passes over before other streams get their turn.
    static let passLimit = 256 << 10

    /// Writes what is due, until nothing is left, the buffer is full, or the turn has passed over too much.
    func fill(_ out: inout EventBuffer) -> EventProgress {
        passed = 0
        if place.phase == .opening { open(&out) }
        while true {
            switch step(&out) {
            case .again:
                // Other streams have their turn first. A wake on the loop's thread counts for the next turn.
                if passed > Self.passLimit {
                    stream?.wake()
                    return .idle
                }
            case .idle: return .idle
            case .full: return .more
            case .end: return .end
            }
        }
    }

    /// Writes `ping` with the present position, so that a quiet stream can resume there and not at its last event.
    func heartbeat(_ out: inout EventBuffer) {
        if place.phase == .opening { return }
        place.move(to: position)
        place.markTold()
        _ = out.append(PingEvent(cursor: cursorText), id: Array(cursorText.utf8), as: framing)
    }

    /// Tells the client when to come back; the server then ends the stream.
    func draining(_ out: inout EventBuffer) { out.appendRetry(hub.retry(), as: framing) }

    /// The database is read again from the stream's position.
    func blocked() { fetched.removeAll() }

    /// Unregisters everywhere. A read of the database that is running then has no effect.
    func closed(_ reason: StreamEnd) {
        if stream != nil {
            hub.remove(self)
            for session in heldSessions {
                hub.notifications?.streamClosed(by: holders, session: session.id, account: session.account)
            }
            if scope.hasDesk { hub.notifications?.deskStreamClosed(by: holders) }
            for owner in scope.collectionOwners { unfollow(owner) }
        }
        stream = nil
        asides.removeAll()
        fetched.removeAll()
    }

    // MARK: What the hub calls

    /// Takes an event that concerns somebody whom this stream follows. Ephemeral ones are dropped unless the stream is
    /// live.
    func notice(_ event: LogEvent) {
        guard let offset = event.offset else {
            guard place.isLive, filter.contains(event) else { return }
            if asides.append(event, after: hub.delivered) { stream?.wake() }
            return
        }
        if place.notice(offset, isWanted: filter.contains(event)) { stream?.wake() }
    }

    /// The log has gone on without announcing all events.
    func lookAgain() {
        place.lookAgain(to: hub.log.head)
        stream?.wake()
    }

    /// Tells the client that the session was deleted. The stream ends if it follows nobody else.
    func lose(session id: String) {
        asides.append(farewellTo: id, after: hub.delivered)
        stream?.wake()
    }

    // MARK: Collections

    func added(_ collection: LiveCollection) {
        guard following.add(collection, concerns: scope.concerns(collection.owner)) else { return }
        hub.collections.add(self, to: collection)
        stream?.wake()
    }

    func changed(_ collection: LiveCollection) {
        following.enqueue(collection)
        if place.isLive { stream?.wake() }
    }

    func removed(_ collection: LiveCollection) {
        hub.collections.remove(self, from: collection)
        following.remove(collection)
    }

    /// Ends the collections of an owner that the stream has lost.
    private func unfollow(_ owner: CollectionOwner) {
        guard !following.isNone else { return }
        hub.collections.remove(self, from: owner)
        for collection in following.all where collection.owner == owner { removed(collection) }
    }

    // MARK: Writing

    /// What one step came to: call again, nothing left, buffer full, or end of the stream.
    private enum Step { case again, idle, full, end }

    /// The first words of the stream, by its start.
    private func open(_ out: inout EventBuffer) {
        out.appendRetry(hub.retry(), as: framing)
        switch start {
        case .now: becomeLive(&out)
        case .after: place.phase = .replaying(to: hub.log.head)
        case .beyond:
            place.phase = .verifying
            fetch()
        case .reset(let reason):
            appendReset(reason, &out)
            becomeLive(&out)
        }
    }

    /// Does the next thing that is due. ``fill(_:)`` repeats it until nothing is left or the buffer is full.
    /// Collections come last, when everything of the log is written.
    private func step(_ out: inout EventBuffer) -> Step {
        if hasFailed { return .end }
        // Farewells are not delayed by the replay: a stream that never becomes live would never end.
        if !place.isLive, let first = asides.first { return write(first.aside, &out) }
        if isFetching { return .idle }
        if place.phase == .verifying { return verify(&out) }
        if fetched.hasAnswer { return writeFetched(&out) }
        if place.isUpToDate {
            guard let first = asides.first else { return following.write(to: &out) ? .idle : .full }
            return write(first.aside, &out)
        }
        if fetched.takeExpiry() || place.cursor < hub.log.floor { return expire(&out) }
        return readRing(&out)
    }

    /// Writes events from the ring. Streams at the same place share the encoded bytes.
    private func readRing(_ out: inout EventBuffer) -> Step {
        let isPlain = place.isLive && asides.first == nil
        let start = SharedFrames.Place(
            kind: scope.kind, framing: framing, filter: filter, cursor: place.cursor, head: hub.log.head,
            audiences: scope.audiences, sessions: scope.kind == .combined ? scope.sessions : [])
        if isPlain, let shared = hub.frames.find(start), out.count + shared.bytes.count <= out.limit {
            out.append(shared.bytes)
            place.move(to: shared.through)
            place.markTold()
            return .again
        }
        let before = out.count
        switch hub.log.read(scope.audiences, after: place.cursor, limit: max(4096, out.limit - out.count)) {
        case .behind:
            fetch()
            return .idle
        case .events(let events, let through):
            for event in events {
                if let step = write(event, &out) { return step }
            }
            if isPlain, !events.isEmpty { hub.frames.keep(out.contents(from: before), through: through, from: start) }
            if place.read(through: through, isEnd: events.isEmpty) { becomeLive(&out) }
            return .again
        }
    }

    /// Writes what the database gave, and goes on from the position up to which it has read.
    private func writeFetched(_ out: inout EventBuffer) -> Step {
        while let event = fetched.first {
            if let step = write(event, &out) { return step }
            fetched.removeFirst()
        }
        // The ring is asked again: it says whether anything is left.
        if let through = fetched.finishWriting() { place.move(to: through) }
        return .again
    }

    /// Writes one event of the log, and before it the asides that belong before it.
    /// - Returns: nil when the event is written or not wanted, otherwise why writing must stop.
    private func write(_ event: LogEvent, _ out: inout EventBuffer) -> Step? {
        let offset = event.offset ?? place.cursor
        while let first = asides.first, first.after < offset {
            let step = write(first.aside, &out)
            if step != .again { return step }
        }
        if offset <= place.cursor { return nil }
        let isWanted = filter.contains(event)
        if isWanted, !append(event, &out) { return .full }
        place.move(to: offset)
        if isWanted { place.markTold() } else { passed += event.byteCount }
        return nil
    }

    private func write(_ aside: EphemeralQueue.Aside, _ out: inout EventBuffer) -> Step {
        switch aside {
        case .event(let event):
            guard append(event, &out) else { return .full }
            asides.removeFirst()
            return .again
        case .farewell(let session):
            if !asides.hasSaidFarewell(to: session), filter.contains(.chatUpdated) {
                let concerns = scope.kind == .combined ? scope.concerns([session], desk: false) : []
                let event = ChatUpdatedEvent(state: .initial)
                guard out.append(event, id: [], concerns: concerns, as: framing) else { return .full }
            }
            asides.removeFirst()
            let before = scope.allAudiences
            for one in scope.sessions where one.id == session { unfollow(one.collectionOwner) }
            scope.remove(session: session)
            hub.unfollow(self, Set(before).subtracting(scope.allAudiences))
            return scope.isEmpty ? .end : .again
        }
    }

    /// Writes an event of the log as this stream's reader may see it. False when it did not fit.
    private func append(_ event: LogEvent, _ out: inout EventBuffer) -> Bool {
        let view = scope.view(of: event)
        // A stream that catches up is alone with its events.
        if place.isLive, let frame = hub.frames.find(event, view, framing) {
            guard out.room(for: frame.count) else { return false }
            out.append(frame)
            return true
        }
        let start = out.count
        guard
            out.appendEvent(
                id: event.id, type: event.type.rawValue, data: view.data(of: event), concerns: view.concerns,
                as: framing)
        else { return false }
        if place.isLive { hub.frames.keep(out.contents(from: start), of: event, view, framing) }
        return true
    }

    /// Writes `ready`: from here on the client gets events as they happen.
    private func becomeLive(_ out: inout EventBuffer) {
        place.phase = .live
        place.markTold()
        out.append(scope.ready(at: cursorText, state: hub.state), id: cursorText, as: framing)
    }

    /// Tells the client that its position is lost, why, and where to load the state.
    private func appendReset(_ reason: ResetReason, _ out: inout EventBuffer) {
        hub.count(reason)
        out.append(ResetEvent(reason: reason, snapshot: scope.snapshot), id: cursorText, as: framing)
    }

    /// The next events are no longer in the log. The client gets `reset`, so that it loads the state anew, and the
    /// stream goes on at the log's end. If it has only passed over what the log has lost, it goes on without.
    private func expire(_ out: inout EventBuffer) -> Step {
        if place.fallBack(head: hub.log.head) { return .again }
        place.restart(at: hub.log.head)
        appendReset(.expired, &out)
        if !place.isLive { becomeLive(&out) }
        return .again
    }

    /// Decides on a position beyond the ring's head: either the log has reached it meanwhile, or the position never
    /// existed.
    private func verify(_ out: inout EventBuffer) -> Step {
        guard let end = verified else { return .idle }
        place.phase = .replaying(to: max(place.cursor, hub.log.head))
        if end < place.cursor {
            place.restart(at: hub.log.head)
            appendReset(.ahead, &out)
            becomeLive(&out)
        }
        return .again
    }

    // MARK: Reading the database

    /// Starts a read of the database after the cursor.
    private func fetch() {
        fetched.begin(hub, scope.audiences, after: place.cursor) { self.finishFetch($0) }
    }

    /// Takes the answer, on the loop's thread; nil means that the database failed.
    private func finishFetch(_ answer: LogFetch.Answer?) {
        if place.phase == .verifying {
            verified = answer?.through
            hasFailed = answer == nil
            fetched.end()
        } else {
            // After a failure the stream ends, and the client reconnects at its last position.
            hasFailed = !fetched.end(with: answer, floor: hub.log.floor)
        }
        if stream == nil { fetched.removeAll() }
        stream?.wake()
    }

    // MARK: Words

    private var cursorText: String { "\(hub.log.epoch)-\(place.cursor)" }
}
