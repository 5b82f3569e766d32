import Chat
import ChatModel
import Formats
import HTTPRouting
import MicroHTTP

/// The stream of a single collection: the events after a version, then new ones as they happen. Event ids are
/// `<incarnation>-<version>`. It holds the collection while it is open.
///
/// `@unchecked Sendable`: after its initialization it is used on the loop's thread only.
final class CollectionStreamSource: EventSource, CollectionFollower, @unchecked Sendable {
    private let hub: StreamHub
    private let collection: LiveCollection
    private let start: CollectionStart
    private let framing: EventFraming
    /// The version up to which the client has all events.
    private var version: Int64 = 0
    /// Whether the first words were written.
    private var isBegun = false
    /// Whether `ready` was written since the start or the last `reset`.
    private var isReady = false
    private var stream: (any StreamHandle)?

    init(
        hub: StreamHub, collection: LiveCollection, start: CollectionStart, framing: EventFraming = .serverSent
    ) {
        self.hub = hub
        self.collection = collection
        self.start = start
        self.framing = framing
    }

    // MARK: What the server calls

    func opened(_ stream: EventStream) { attach(to: stream) }

    /// Begins to follow the collection, before its version is read, so that no event between the two is missed.
    func attach(to stream: any StreamHandle) {
        self.stream = stream
        hub.collections.add(self, to: collection)
        collection.hold()
    }

    /// Writes the events that are due. The stream ends when the collection is removed.
    func fill(_ out: inout EventBuffer) -> EventProgress {
        if !isBegun { begin(&out) }
        while true {
            switch collection.events(after: version) {
            case .removed: return .end
            case .lost(let now): reset(.expired, now, &out)
            case .events(let events):
                for event in events {
                    guard out.append(event, of: collection, hasID: true, as: framing) else { return .more }
                    version = event.version
                }
                if !events.isEmpty { continue }
                if !isReady { ready(&out) }
                return .idle
            }
        }
    }

    /// Writes `ping` with the present position, so that a client can resume from there.
    func heartbeat(_ out: inout EventBuffer) {
        if isBegun { out.append(PingEvent(cursor: cursor), id: cursor, as: framing) }
    }

    func draining(_ out: inout EventBuffer) { out.appendRetry(hub.retry(), as: framing) }

    func closed(_ reason: StreamEnd) {
        if stream != nil {
            hub.collections.remove(self, from: collection)
            collection.release()
        }
        stream = nil
    }

    // MARK: What the hub calls

    func added(_ collection: LiveCollection) {}
    func changed(_ collection: LiveCollection) { stream?.wake() }
    func removed(_ collection: LiveCollection) { stream?.wake() }

    // MARK: Words

    private var cursor: String { "\(collection.incarnation)-\(version)" }

    /// Decides where the stream starts; a version above the present one is answered with `reset`.
    private func begin(_ out: inout EventBuffer) {
        isBegun = true
        out.appendRetry(hub.retry(), as: framing)
        switch start {
        case .reset(let reason): reset(reason, collection.version, &out)
        case .after(let wanted):
            let now = collection.version
            if wanted > now { reset(.ahead, now, &out) } else { version = wanted }
        }
    }

    /// Tells the client to load the snapshot, and goes on at version `now`.
    private func reset(_ reason: ResetReason, _ now: Int64, _ out: inout EventBuffer) {
        version = now
        isReady = false
        out.append(
            ResetEvent(collectionID: collection.id, reason: reason, snapshot: collection.path), id: cursor, as: framing)
    }

    private func ready(_ out: inout EventBuffer) {
        isReady = true
        out.append(CollectionReadyEvent(collection.place(at: version), cursor: cursor), id: cursor, as: framing)
    }
}

extension LiveCollection {
    /// Where its snapshot is.
    fileprivate var path: String {
        let list =
            switch owner {
            case .session(let session, _): "/v1/sessions/\(session.percentEncoded)/collections"
            case .desk: "/v1/desk/collections"
            }
        return "\(list)/\(id.percentEncoded)"
    }
}

/// The version at which a collection's own stream begins, as the client asked for it.
enum CollectionStart: Sendable, Equatable {
    /// All events after this version. The version may be above the present one; the stream checks that when it opens.
    case after(Int64)
    /// A version that cannot be used; the stream begins with `reset`.
    case reset(ResetReason)

    /// Reads the place of a client that comes back, or else `?version=`. Both are
    /// `<incarnation>-<version>` or a version alone. Without either, the stream begins at version 0.
    init(_ call: Call, _ collection: LiveCollection) {
        self.init(call.lastEventID ?? call.query["version"], collection)
    }

    /// - Parameter text: nil for none. An incarnation other than the collection's gives `reset` with `foreignEpoch`,
    ///   other texts give `malformed`.
    init(_ text: String?, _ collection: LiveCollection) {
        guard let text else {
            self = .after(0)
            return
        }
        if let version = Int64(digits: text) {
            self = .after(version)
        } else if let hyphen = text.lastIndex(of: "-"), let version = Int64(digits: text[text.index(after: hyphen)...])
        {
            self = text[..<hyphen] == collection.incarnation ? .after(version) : .reset(.foreignEpoch)
        } else {
            self = .reset(.malformed)
        }
    }
}

extension EventBuffer {
    /// Appends an event of a collection if there is room for it.
    ///
    /// - Parameters:
    ///   - hasID: true on the collection's own stream, where events have ids `<incarnation>-<version>`. On other
    ///     streams an id would be taken for a position in the log.
    ///   - concerns: members that go in front of the object's own.
    /// - Returns: false when it did not fit; nothing was appended then.
    mutating func append(
        _ event: CollectionEvent, of collection: LiveCollection, hasID: Bool = false, concerns: [UInt8] = [],
        as framing: EventFraming
    ) -> Bool {
        let place = collection.place(at: event.version)
        let id = hasID ? collection.eventID(at: event.version) : []
        return switch event.change {
        case .insert(let list, let indices, let items):
            append(
                CollectionInsertEvent(place, PlacedItems(list, indices, items)), id: id, concerns: concerns, as: framing
            )
        case .update(let list, let items, let reason):
            append(CollectionUpdateEvent(place, list, items, reason: reason), id: id, concerns: concerns, as: framing)
        case .remove(let list, let ids, let reason, let owners):
            append(
                CollectionRemoveEvent(place, list, ids, owners: owners, reason: reason), id: id, concerns: concerns,
                as: framing)
        case .move(let index, let item):
            append(
                CollectionMoveEvent(place, PlacedItems(.succeeded, [index], [item])), id: id, concerns: concerns,
                as: framing)
        case .clear: append(CollectionClearEvent(place), id: id, concerns: concerns, as: framing)
        case .new: append(CollectionNewEvent(place), id: id, concerns: concerns, as: framing)
        case .hugeGap: append(CollectionHugeGapEvent(place), id: id, concerns: concerns, as: framing)
        case .parentUpdated(let item):
            append(CollectionParentEvent(place, .updated(item)), id: id, concerns: concerns, as: framing)
        case .parentRemoved(let parent):
            append(CollectionParentEvent(place, .removed(id: parent)), id: id, concerns: concerns, as: framing)
        }
    }
}

extension LiveCollection {
    /// The id and version by which an event names its collection.
    func place(at version: Int64) -> CollectionPlace { CollectionPlace(id, version: version) }

    /// `<incarnation>-<version>`. Interpolating the text would take longer than writing the rest of a small event.
    fileprivate func eventID(at version: Int64) -> [UInt8] {
        var id: [UInt8] = []
        id.reserveCapacity(incarnation.utf8.count + 20)
        id.append(contentsOf: incarnation.utf8)
        id.append(UInt8(ascii: "-"))
        id.append(contentsOf: String(version).utf8)
        return id
    }
}
