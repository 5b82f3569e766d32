import ChatModel
import ChatStore
import Formats

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

/// A removed message must not be readable any more. The events that are kept for followers may still carry it, so its
/// content is taken out of them. A follower then gets the empty item, and soon after that its removal.
extension LiveCollection.State {
    /// - Parameter isGone: whether an item's content must go.
    mutating func redact(_ isGone: (CollectionItem) -> Bool) {
        for index in events.indices {
            guard let change = events[index].change.redacted(isGone) else { continue }
            eventBytes += change.byteCount - events[index].change.byteCount
            events[index] = CollectionEvent(version: events[index].version, change: change)
        }
    }
}

extension CollectionChange {
    /// The change without the content of these items; nil if it has none of them.
    fileprivate func redacted(_ isGone: (CollectionItem) -> Bool) -> CollectionChange? {
        func without(_ items: [CollectionItem]) -> [CollectionItem]? {
            guard items.contains(where: isGone) else { return nil }
            return items.map { isGone($0) ? $0.redacted : $0 }
        }
        switch self {
        case .insert(let list, let indices, let items): return without(items).map { .insert(list, indices, $0) }
        case .update(let list, let items, let reason): return without(items).map { .update(list, $0, reason: reason) }
        case .move(let index, let item): return without([item]).map { .move(index, $0[0]) }
        case .parentUpdated(let item): return without([item]).map { .parentUpdated($0[0]) }
        case .remove, .clear, .new, .hugeGap, .parentRemoved: return nil
        }
    }
}

extension CollectionItem {
    /// Whether the item is a thread whose last message is this one.
    func showsLast(_ message: String) -> Bool {
        (try? ChatThread(canonicalJSON: json))?.lastMessage?.id == message
    }

    /// Whether the item is a message that was created at this time or before.
    func isBefore(_ line: Timestamp) -> Bool {
        guard let message = try? Message(canonicalJSON: json) else { return false }
        return message.createdAt <= line
    }

    /// A message without its content, or a thread without the text of its last message.
    fileprivate var redacted: CollectionItem {
        if var message = try? Message(canonicalJSON: json) {
            (message.text, message.content, message.postback, message.attachments) = (nil, nil, nil, [])
            return CollectionItem(id: id, json: message.canonicalJSON)
        }
        guard let value = try? JSONParser.parse(json), var thread = try? ChatThread(json: value) else { return self }
        thread.lastMessage?.text = nil
        if let owner {
            guard let customer = try? value["customer"].map(Customer.init(json:)) else { return self }
            let account = AccountRecord.deskMembers(channel: owner.channel, customer: customer)
            var team = ThreadTeam()
            team.tags = (value["tags"]?.array ?? []).compactMap(\.string)
            team.snooze = try? value["snooze"].map(Snooze.init(json:))
            let members = account + (team.isEmpty ? [] : [UInt8(ascii: ",")] + team.members)
            let json = thread.canonicalJSON.dropLast() + [UInt8(ascii: ",")] + members + [UInt8(ascii: "}")]
            return CollectionItem(id: id, owner: owner, json: json)
        }
        let membership = Membership(
            unreadCount: Int(value["unreadCount"]?.integer ?? 0),
            lastReadAt: value["lastReadAt"]?.string.flatMap(Timestamp.init(rfc3339:)),
            state: value["memberState"]?.string.flatMap(MemberState.init) ?? .joined,
            isHidden: value["hidden"]?.bool ?? false)
        return CollectionItem(id: id, json: membership.splice(into: thread.canonicalJSON))
    }
}
