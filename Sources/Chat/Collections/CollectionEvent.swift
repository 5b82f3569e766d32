import ChatModel

/// One change of a view (SyncManager's `SBSMChannelEventAction`, `SBSMMessageEventAction`). A client that applies the
/// changes in order has the same lists as the gateway.
public enum CollectionChange: Sendable {
    /// New items, and the indices at which they are after the change, in ascending order.
    case insert(CollectionList, [Int], [CollectionItem])
    case update(CollectionList, [CollectionItem], reason: String? = nil)
    /// - Parameter owners: for threads at the desk, the owner for each id; otherwise empty.
    case remove(CollectionList, [String], reason: String? = nil, owners: [ThreadOwner] = [])
    /// One thread has another index now, and may have changed.
    case move(Int, CollectionItem)
    /// All items have left the view.
    case clear
    /// A message that is newer than all shown ones was created. It may be outside of the view.
    case new
    /// More messages were missed than are read one by one. The client should reset the viewpoint.
    case hugeGap
    /// For a collection of replies: the message that they answer has changed.
    case parentUpdated(CollectionItem)
    case parentRemoved(String)
}

extension CollectionItem {
    /// What identifies an item within its collection: the id, and at the desk the thread's owner too.
    struct Name: Hashable {
        var id: String
        var owner: ThreadOwner?
    }

    var name: Name { Name(id: id, owner: owner) }
}

extension CollectionChange {
    /// About how many bytes of memory the change takes. Items may be shared with other collections, and are counted in
    /// full.
    var byteCount: Int {
        func sum(_ items: [CollectionItem]) -> Int { items.reduce(0) { $0 + $1.byteCount } }
        let content =
            switch self {
            case .insert(_, _, let items), .update(_, let items, _): sum(items)
            case .move(_, let item), .parentUpdated(let item): sum([item])
            case .remove(_, let ids, _, _): ids.reduce(0) { $0 + $1.utf8.count + 32 }
            case .clear, .new, .hugeGap, .parentRemoved: 0
            }
        return 64 + content
    }
}

/// A change, and the version of the collection after it. Each change adds one to the version.
public struct CollectionEvent: Sendable {
    public let version: Int64
    public let change: CollectionChange
}
