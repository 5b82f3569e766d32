import ChatModel

/// What happened to a view (SyncManager's `SBSMChannelEventAction`, `SBSMMessageEventAction`).
public enum CollectionChange: Sendable {
    /// Items and where they stand afterwards, ascending.
    case insert(CollectionList, [Int], [CollectionItem])
    case update(CollectionList, [CollectionItem], reason: String? = nil)
    /// - Parameter owners: of threads at the desk, as many as ids.
    case remove(CollectionList, [String], reason: String? = nil, owners: [ThreadOwner] = [])
    /// One thread that has another place now.
    case move(Int, CollectionItem)
    /// Everything has left.
    case clear
    /// A new message has come, shown or not.
    case new
    /// More was missed than can be followed: reset the viewpoint.
    case hugeGap
    /// The message that is replied to has changed.
    case parentUpdated(CollectionItem)
    case parentRemoved(String)
}

extension CollectionItem {
    /// What tells an item apart from the others of its collection.
    struct Name: Hashable {
        var id: String
        var owner: ThreadOwner?
    }

    var name: Name { Name(id: id, owner: owner) }
}

extension CollectionChange {
    /// About how much memory it holds. Items may be shared with others; each counts as if they were not.
    var byteCount: Int {
        func sum(_ items: [CollectionItem]) -> Int { items.reduce(0) { $0 + $1.json.count + 64 } }
        let content = switch self {
        case .insert(_, _, let items), .update(_, let items, _): sum(items)
        case .move(_, let item), .parentUpdated(let item): sum([item])
        case .remove(_, let ids, _, _): ids.reduce(0) { $0 + $1.utf8.count + 32 }
        case .clear, .new, .hugeGap, .parentRemoved: 0
        }
        return 64 + content
    }
}

/// A change with the version that the collection has after it.
public struct CollectionEvent: Sendable {
    public let version: Int64
    public let change: CollectionChange
}
