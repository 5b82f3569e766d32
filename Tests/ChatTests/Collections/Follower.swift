import ChatModel

@testable import Chat

/// Follows a collection as a client does: by its events alone.
struct Follower {
    struct Item: Equatable {
        var id: String
        var json: String

        init(_ item: CollectionItem) { self.init(id: item.id, owner: item.owner, item.json) }

        init(id: String, owner: ThreadOwner? = nil, _ bytes: [UInt8]) {
            (self.id, json) = (Self.name(id, owner), String(decoding: bytes, as: UTF8.self))
        }

        /// At the desk an id alone may be two threads'.
        static func name(_ id: String, _ owner: ThreadOwner?) -> String {
            owner.map { "\(id) of \($0.customer)" } ?? id
        }
    }

    /// An event that no array could follow.
    struct Impossible: Error, CustomStringConvertible {
        var description: String
    }

    let collection: LiveCollection
    private(set) var version: Int64 = 0
    private(set) var lists: [CollectionList: [Item]] = [:]
    private(set) var parent: Item?
    /// Names of the events, in order.
    private(set) var names: [String] = []

    init(_ collection: LiveCollection) { self.collection = collection }

    var items: [Item] { lists[.succeeded] ?? [] }
    var ids: [String] { items.map(\.id) }
    var pending: [String] { (lists[.pending] ?? []).map(\.id) }
    var failed: [String] { (lists[.failed] ?? []).map(\.id) }

    /// Applies what has happened since. Returns it, an event a line.
    @discardableResult
    mutating func catchUp() throws -> [String] {
        var told: [String] = []
        while true {
            switch collection.events(after: version) {
            case .removed: return told
            case .lost(let now):
                // As a client that was away for too long: it takes the snapshot.
                version = now
                takeSnapshot()
            case .events(let events):
                if events.isEmpty { return told }
                for event in events {
                    guard event.version == version + 1 else {
                        throw Impossible(description: "version \(event.version) after \(version)")
                    }
                    version = event.version
                    told.append(try apply(event.change))
                }
            }
        }
    }

    private mutating func takeSnapshot() {
        let snapshot = Snapshot(collection)
        lists = [.succeeded: snapshot.items, .pending: snapshot.pending, .failed: snapshot.failed]
        version = snapshot.version
    }

    private mutating func apply(_ change: CollectionChange) throws -> String {
        switch change {
        case .insert(let list, let indices, let items):
            guard indices.count == items.count, !items.isEmpty, indices == indices.sorted() else {
                throw Impossible(description: "insert \(indices)")
            }
            for (index, item) in zip(indices, items) {
                guard (0...(lists[list] ?? []).count).contains(index) else {
                    throw Impossible(description: "insert at \(index)")
                }
                guard !lists.values.joined().contains(where: { $0.id == Item(item).id }) else {
                    throw Impossible(description: "\(item.id) is there already")
                }
                lists[list, default: []].insert(Item(item), at: index)
            }
            return
                "insert \(list) \(items.map { Item($0).id }.joined(separator: ",")) at \(indices.map(String.init).joined(separator: ","))"
        case .update(let list, let items, let reason):
            for item in items {
                guard let index = lists[list]?.firstIndex(where: { $0.id == Item(item).id }) else {
                    throw Impossible(description: "update of \(item.id), which is not there")
                }
                guard lists[list]?[index] != Item(item) else {
                    throw Impossible(description: "an update that changes nothing")
                }
                lists[list]?[index] = Item(item)
            }
            return "update \(list) \(items.map { Item($0).id }.joined(separator: ","))\(reason.map { " \($0)" } ?? "")"
        case .remove(let list, let ids, let reason, let owners):
            guard owners.isEmpty || owners.count == ids.count else {
                throw Impossible(description: "removal of \(ids)")
            }
            let names = ids.enumerated().map { Item.name($1, owners.isEmpty ? nil : owners[$0]) }
            for id in names {
                guard let index = lists[list]?.firstIndex(where: { $0.id == id }) else {
                    throw Impossible(description: "removal of \(id), which is not there")
                }
                lists[list]?.remove(at: index)
            }
            return "remove \(list) \(names.joined(separator: ","))\(reason.map { " \($0)" } ?? "")"
        case .move(let target, let item):
            guard let index = lists[.succeeded]?.firstIndex(where: { $0.id == Item(item).id }), index != target else {
                throw Impossible(description: "move of \(item.id) to \(target)")
            }
            lists[.succeeded]?.remove(at: index)
            lists[.succeeded]?.insert(Item(item), at: target)
            return "move \(Item(item).id) to \(target)"
        case .clear:
            lists = [:]
            return "clear"
        case .new: return "new"
        case .hugeGap: return "hugeGap"
        case .parentUpdated(let item):
            parent = Item(item)
            return "parent updated \(item.id)"
        case .parentRemoved(let id):
            parent = nil
            return "parent removed \(id)"
        }
    }
}

/// A collection as it is.
struct Snapshot {
    var version: Int64
    var isOpen: Bool
    var items: [Follower.Item]
    var pending: [Follower.Item]
    var failed: [Follower.Item]
    var parent: Follower.Item?
    var hasPrevious: Bool
    var hasNext: Bool

    init(_ collection: LiveCollection) {
        self = collection.state.withLock { state in
            let messages = state.messages
            return Snapshot(
                version: state.version, isOpen: state.isOpen,
                items: (messages?.rows.map(\.item) ?? state.threads?.rows.map(\.item) ?? []).map(Follower.Item.init),
                pending: Array(messages?.pending ?? .init()).map { Follower.Item($0.item) },
                failed: Array(messages?.failed ?? .init()).map { Follower.Item($0.item) },
                parent: state.parent.map { Follower.Item($0) },
                hasPrevious: state.hasMore(.previous), hasNext: messages?.hasNext ?? state.threads?.hasNext ?? false)
        }
    }

    private init(
        version: Int64, isOpen: Bool, items: [Follower.Item], pending: [Follower.Item], failed: [Follower.Item],
        parent: Follower.Item?, hasPrevious: Bool, hasNext: Bool
    ) {
        (self.version, self.isOpen, self.items, self.pending, self.failed) = (version, isOpen, items, pending, failed)
        (self.parent, self.hasPrevious, self.hasNext) = (parent, hasPrevious, hasNext)
    }
}

extension CollectionChange {
    var items: [CollectionItem] {
        switch self {
        case .insert(_, _, let items), .update(_, let items, _): items
        case .move(_, let item), .parentUpdated(let item): [item]
        case .remove, .clear, .new, .hugeGap, .parentRemoved: []
        }
    }
}
