import Chat
import ChatModel
import DequeModule
import Formats
import HTTPRouting
import MicroHTTP

/// Which collections a stream of sessions or of the desk carries besides (`?collections=`, `?holder=`).
enum CollectionChoice: Sendable, Equatable {
    case none
    /// Those of the stream's sessions and desk, also those that are yet to be made.
    case all
    /// Of these those with such an id, and those whose definitions name one of these holders.
    case some(ids: Set<String> = [], holders: Set<String> = [])

    /// The parameters that make a choice, and those of them that may come several times.
    static let query = ["collections"], repeatable = ["holder"]

    /// - Parameters:
    ///   - text: `true`, `false`, or ids with commas between them.
    ///   - holders: with them, `true` means those of the holders.
    init(_ text: String?, holders: [String] = []) throws(Problem) {
        switch text {
        case "false": self = .none
        case nil: self = holders.isEmpty ? .none : .some(holders: Set(holders))
        case "true": self = holders.isEmpty ? .all : .some(holders: Set(holders))
        case .some(let text):
            let ids = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            guard ids.count <= 1000, ids.allSatisfy(Identifier.isValid) else {
                throw Problem.parameter("collections", "true, or ids of collections with commas between them were expected")
            }
            self = .some(ids: Set(ids), holders: Set(holders))
        }
    }

    func contains(_ collection: LiveCollection) -> Bool {
        switch self {
        case .none: false
        case .all: true
        case .some(let ids, let holders): ids.contains(collection.id) || collection.holder.map(holders.contains) == true
        }
    }

    /// Whether a stream by this choice keeps a collection that it carries. One that names a holder waits for it: who merely
    /// follows everything would keep what crashed tabs have left.
    func holds(_ collection: LiveCollection) -> Bool { self != .all || collection.holder == nil }
}

/// The collections that one stream carries, and how far each has been written.
struct CollectionFollowing {
    private struct Entry {
        let collection: LiveCollection
        let concerns: [UInt8]
        var version: Int64 = 0
        /// Its reader has to be told where it stands.
        var needsSync = true
        var isQueued = true
        let isHeld: Bool
    }

    private let choice: CollectionChoice
    private var entries: [ObjectIdentifier: Entry] = [:]
    /// Those that have something to write, each once.
    private var queue = Deque<ObjectIdentifier>()

    init(_ choice: CollectionChoice) { self.choice = choice }

    var isNone: Bool { choice == .none }
    var all: [LiveCollection] { entries.values.map(\.collection) }

    /// - Parameter concerns: what a combined stream puts in front of the event's own members.
    /// - Returns: whether the stream carries it, and did not before.
    mutating func add(_ collection: LiveCollection, concerns: [UInt8]) -> Bool {
        guard choice.contains(collection), !collection.isRemoved, entries[ObjectIdentifier(collection)] == nil else { return false }
        let isHeld = choice.holds(collection)
        if isHeld { collection.hold() }
        entries[ObjectIdentifier(collection)] = Entry(
            collection: collection, concerns: concerns, isHeld: isHeld)
        queue.append(ObjectIdentifier(collection))
        return true
    }

    mutating func remove(_ collection: LiveCollection) {
        guard let entry = entries.removeValue(forKey: ObjectIdentifier(collection)), entry.isHeld else { return }
        collection.release()
    }

    mutating func note(_ collection: LiveCollection) {
        let key = ObjectIdentifier(collection)
        guard entries[key]?.isQueued == false else { return }
        entries[key]?.isQueued = true
        queue.append(key)
    }

    /// Writes what there is.
    /// - Returns: false when the buffer is full.
    mutating func write(to out: inout EventBuffer) -> Bool {
        while let key = queue.first {
            if entries[key] != nil, !write(key, to: &out) { return false }
            entries[key]?.isQueued = false
            queue.removeFirst()
        }
        return true
    }

    private mutating func write(_ key: ObjectIdentifier, to out: inout EventBuffer) -> Bool {
        while let entry = entries[key] {
            if entry.needsSync {
                let version = entry.collection.version
                let event = CollectionSyncEvent(
                    entry.collection.place(at: version), incarnation: entry.collection.incarnation)
                guard out.append(event, id: [], concerns: entry.concerns) else { return false }
                entries[key]?.version = version
                entries[key]?.needsSync = false
                continue
            }
            switch entry.collection.events(after: entry.version) {
            case .removed:
                entries[key] = nil
            case .lost:
                // More than is kept happened while the reader took nothing: it loads the snapshot.
                entries[key]?.needsSync = true
            case .events(let events):
                if events.isEmpty { return true }
                for event in events {
                    guard out.append(event, of: entry.collection, concerns: entry.concerns) else {
                        return false
                    }
                    entries[key]?.version = event.version
                }
            }
        }
        return true
    }
}
