import Chat
import ChatModel
import DequeModule
import Formats
import HTTPRouting
import MicroHTTP

/// The collections that a stream of sessions or of the desk carries in addition to its own events (`?collections=`,
/// `?holder=`).
enum CollectionChoice: Sendable, Equatable {
    /// No collections: the default.
    case none
    /// All collections of the stream's sessions and desk, also those that are created later.
    case all
    /// Of these collections, those with one of these ids, and those whose definitions name one of these holders.
    case some(ids: Set<String> = [], holders: Set<String> = [])

    /// The names of the query parameters that make a choice; `repeatable` ones may come several times.
    static let query = ["collections"], repeatable = ["holder"]

    /// Reads both parameters. Throws `invalidParameter`; up to 1,000 ids are accepted.
    ///
    /// - Parameters:
    ///   - text: `true`, `false`, or ids with commas between them.
    ///   - holders: if there are any, `true` means the collections of these holders.
    init(_ text: String?, holders: [String] = []) throws(Problem) {
        switch text {
        case "false": self = .none
        case nil: self = holders.isEmpty ? .none : .some(holders: Set(holders))
        case "true": self = holders.isEmpty ? .all : .some(holders: Set(holders))
        case .some(let text):
            let ids = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard ids.count <= 1000, ids.allSatisfy(Identifier.isValid) else {
                throw Problem.parameter(
                    "collections", "true, or ids of collections with commas between them were expected")
            }
            self = .some(ids: Set(ids), holders: Set(holders))
        }
    }

    /// Whether the stream carries the collection, if it belongs to one of the stream's owners.
    func contains(_ collection: LiveCollection) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .some(let ids, let holders): ids.contains(collection.id) || collection.holder.map(holders.contains) == true
        }
    }

    /// Whether the stream keeps the collection from being replaced when the owner has too many.
    ///
    /// A collection with a holder is kept only by a stream that chooses it by id or holder. A stream that follows
    /// everything would otherwise keep the collections of browser tabs that have crashed.
    func holds(_ collection: LiveCollection) -> Bool { self != .all || collection.holder == nil }
}

/// The collections that one stream carries, and the version up to which each has been written. For the loop's thread
/// only.
struct CollectionFollowing {
    private struct Entry {
        let collection: LiveCollection
        let concerns: [UInt8]
        var version: Int64 = 0
        /// Whether the client has to be told the collection's version, so that it loads the snapshot or compares.
        var needsSync = true
        var isQueued = true
        let isHeld: Bool
    }

    private let choice: CollectionChoice
    private let framing: EventFraming
    private let channels: Set<String>?
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The collections that have something to write, each at most once.
    private var queue = Deque<ObjectIdentifier>()

    /// - Parameters:
    ///   - framing: how the stream writes its events.
    ///   - channels: the desk's collections of these channels alone are carried; nil for all.
    init(_ choice: CollectionChoice, _ framing: EventFraming, within channels: Set<String>? = nil) {
        self.choice = choice
        self.framing = framing
        self.channels = channels
    }

    /// Whether the stream carries no collections at all.
    var isNone: Bool { choice == .none }
    /// The carried collections, in no order.
    var all: [LiveCollection] { entries.values.map(\.collection) }

    /// Starts to carry a collection, if it belongs to the choice and was not removed.
    ///
    /// - Parameter concerns: the members that a combined stream puts in front of the event's own.
    /// - Returns: whether the stream carries it now and did not before.
    mutating func add(_ collection: LiveCollection, concerns: [UInt8]) -> Bool {
        guard choice.contains(collection), collection.isWithin(channels), !collection.isRemoved,
            entries[ObjectIdentifier(collection)] == nil
        else {
            return false
        }
        let isHeld = choice.holds(collection)
        if isHeld { collection.hold() }
        entries[ObjectIdentifier(collection)] = Entry(
            collection: collection, concerns: concerns, isHeld: isHeld)
        queue.append(ObjectIdentifier(collection))
        return true
    }

    /// Stops carrying a collection, and releases it if the stream held it.
    mutating func remove(_ collection: LiveCollection) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(collection)), entry.isHeld else { return }
        collection.release()
    }

    /// Notes that a collection has new events. Cheap when it is noted already.
    mutating func enqueue(_ collection: LiveCollection) {
        let key = ObjectIdentifier(collection)
        guard entries[key]?.isQueued == false else { return }
        entries[key]?.isQueued = true
        queue.append(key)
    }

    /// Writes the events of all noted collections while they fit.
    /// - Returns: false when the buffer is full; the rest stays noted.
    mutating func write(to out: inout EventBuffer) -> Bool {
        while let key = queue.first {
            if entries[key] != nil, !write(key, to: &out) { return false }
            entries[key]?.isQueued = false
            queue.removeFirst()
        }
        return true
    }

    /// Writes one collection's events, `collection.sync` first if the client needs it. False when the buffer is full.
    private mutating func write(_ key: ObjectIdentifier, to out: inout EventBuffer) -> Bool {
        while let entry = entries[key] {
            if entry.needsSync {
                let version = entry.collection.version
                let event = CollectionSyncEvent(
                    entry.collection.place(at: version), incarnation: entry.collection.incarnation)
                guard out.append(event, id: [], concerns: entry.concerns, as: framing) else { return false }
                entries[key]?.version = version
                entries[key]?.needsSync = false
                continue
            }
            switch entry.collection.events(after: entry.version) {
            case .removed:
                entries[key] = nil
            case .lost:
                // The client did not read for so long that events were dropped, so it has to load the snapshot.
                entries[key]?.needsSync = true
            case .events(let events):
                if events.isEmpty { return true }
                for event in events {
                    guard out.append(event, of: entry.collection, concerns: entry.concerns, as: framing) else {
                        return false
                    }
                    entries[key]?.version = event.version
                }
            }
        }
        return true
    }
}

/// The streams that follow collections, by collection and by owner. For the loop's thread only, like ``StreamHub``,
/// which holds it. It holds its followers strongly, so a stream must remove itself when it closes.
struct CollectionFollowers {
    private var byCollection: [ObjectIdentifier: [ObjectIdentifier: any CollectionFollower]] = [:]
    private var byOwner: [CollectionOwner: [ObjectIdentifier: any CollectionFollower]] = [:]

    /// Lets a stream hear of changes of a collection. Adding it twice has no further effect.
    mutating func add(_ follower: any CollectionFollower, to collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection), default: [:]][ObjectIdentifier(follower)] = follower
    }

    /// Ends the changes of one collection; the owner's new collections still come.
    mutating func remove(_ follower: any CollectionFollower, from collection: LiveCollection) {
        byCollection[ObjectIdentifier(collection)]?[ObjectIdentifier(follower)] = nil
        if byCollection[ObjectIdentifier(collection)]?.isEmpty == true {
            byCollection[ObjectIdentifier(collection)] = nil
        }
    }

    /// Lets a stream hear of the collections that an owner creates from now on.
    mutating func add(_ follower: any CollectionFollower, to owner: CollectionOwner) {
        byOwner[owner, default: [:]][ObjectIdentifier(follower)] = follower
    }

    /// Ends the news of created collections; those that are followed already go on.
    mutating func remove(_ follower: any CollectionFollower, from owner: CollectionOwner) {
        byOwner[owner]?[ObjectIdentifier(follower)] = nil
        if byOwner[owner]?.isEmpty == true { byOwner[owner] = nil }
    }

    /// Passes on a change: new collections go to the owner's followers, everything else to the collection's own
    /// followers.
    func notifyFollowers(_ news: Collections.News) {
        switch news {
        case .added(let collection):
            for follower in (byOwner[collection.owner] ?? [:]).values { follower.added(collection) }
        case .changed(let collections):
            for collection in collections {
                guard let followers = byCollection[ObjectIdentifier(collection)] else { continue }
                for follower in followers.values { follower.changed(collection) }
            }
        case .removed(let collection):
            for follower in (byCollection[ObjectIdentifier(collection)] ?? [:]).values { follower.removed(collection) }
        }
    }
}

/// A stream that writes the events of collections. Called on the loop's thread.
protocol CollectionFollower: AnyObject {
    /// An owner that the stream follows has created a collection.
    func added(_ collection: LiveCollection)
    /// The collection has new events. The stream reads them when it is filled.
    func changed(_ collection: LiveCollection)
    /// The collection was removed; its last events may be unwritten.
    func removed(_ collection: LiveCollection)
}
