import ChatModel
import ChatStore
import Formats

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
