import ChatModel
import ChatStore
import Formats
import Synchronization

/// An event of the log, decoded once for all collections that it concerns.
struct LogChange: Sendable {
    enum Kind: Sendable {
        case message(MessageFact, isNew: Bool)
        case messageRemoved(String, reason: String?)
        /// Messages that were created up to this time are hidden from the account, or removed for all.
        case historyReset(Timestamp)
        case replyInfo(ReplyInfoChange)
        /// A thread, as one account or the desk sees it.
        case thread(ThreadFact)
        case threadRemoved(CollectionItem.Name)
    }

    let offset: Int64
    let kind: Kind

    /// About how many bytes of memory it takes.
    var byteCount: Int {
        switch kind {
        // The message or thread is there as JSON, and decoded.
        case .message(let fact, _): 2 * fact.item.byteCount
        case .thread(let fact): 2 * fact.item.byteCount
        case .messageRemoved, .historyReset, .replyInfo, .threadRemoved: 256
        }
    }
}

/// A change of what a parent message says about its replies. The parent's item is encoded once for all collections that
/// show it, so this is an object that remembers the result.
final class ReplyInfoChange: Sendable {
    let parentID: String
    private let info: ReplyInfo
    private let known = Mutex<[(old: CollectionItem, new: CollectionItem?)]>([])

    init(parentID: String, info: ReplyInfo) {
        self.parentID = parentID
        self.info = info
    }

    /// The item with the new reply info; nil if it has this info already, or a newer one.
    func replacing(_ item: CollectionItem) -> CollectionItem? {
        known.withLock { known in
            if let found = known.first(where: { $0.old === item || $0.old.json == item.json }) { return found.new }
            let new = rewrite(item)
            known.append((item, new))
            return new
        }
    }

    private func rewrite(_ item: CollectionItem) -> CollectionItem? {
        guard var message = try? Message(canonicalJSON: item.json) else { return nil }
        if let old = message.replyInfo, old.updatedAt > info.updatedAt { return nil }
        message.replyInfo = info
        let json = message.canonicalJSON
        return json == item.json ? nil : CollectionItem(id: item.id, json: json)
    }
}

extension LogEvent {
    /// The id of the event's thread, read from the beginning of its JSON without parsing the rest. Nil when the JSON
    /// begins with another member.
    var threadIDOfMessageEvent: String? {
        let prefix = Array("{\"threadId\":\"".utf8)
        guard data.starts(with: prefix) else { return nil }
        var end = prefix.count
        while end < data.count, data[end] != UInt8(ascii: "\"") {
            if data[end] == UInt8(ascii: "\\") { return (try? JSONParser.parse(data))?["threadId"]?.string }
            end += 1
        }
        return String(decoding: data[prefix.count..<end], as: UTF8.self)
    }

    /// What happened to the thread's messages; nil for other events, and for ephemeral ones.
    func messageChange() throws -> LogChange? {
        guard let offset else { return nil }
        switch type {
        case .messageCreated, .messageUpdated:
            guard let start = data.firstRange(of: Array("\"message\":".utf8))?.upperBound else { return nil }
            // A `message.created` has no reason; reading it as an update is the same.
            let json = try JSONParser.parse(data)
            let event = try MessageUpdatedEvent(json: json)
            let message = event.message.value
            // The message is the last member, or a reason follows it.
            let bytes = json["reason"] == nil ? Array(data[start..<data.count - 1]) : event.message.bytes
            let fact = MessageFact(
                position: MessagePosition(createdAt: message.createdAt.milliseconds, number: self.message ?? offset),
                message: message,
                item: CollectionItem(id: message.id, json: bytes), reason: event.reason?.rawValue)
            return LogChange(offset: offset, kind: .message(fact, isNew: type == .messageCreated))
        case .messageRemoved:
            let event = try MessageRemovedEvent(canonicalJSON: data)
            return LogChange(offset: offset, kind: .messageRemoved(event.messageID, reason: event.reason?.rawValue))
        case .threadInfo:
            let event = try ThreadInfoEvent(canonicalJSON: data)
            let change = ReplyInfoChange(parentID: event.parentID, info: event.replyInfo)
            return LogChange(offset: offset, kind: .replyInfo(change))
        default: return nil
        }
    }

    /// The thread of this event as an account or the desk sees it; nil for ephemeral events.
    func threadChange(_ thread: ChatThread, for audience: Audience) throws -> LogChange? {
        guard let offset, let start = rangeOfThread?.lowerBound else { return nil }
        let data = data(for: audience)
        let item = CollectionItem(
            id: thread.id, owner: audience == .desk ? owner : nil, json: Array(data[start..<data.count - 1]))
        let membership = audience == .desk ? nil : membership(of: audience)
        let team = audience == .desk && !team.isEmpty ? try ThreadTeam(members: team) : ThreadTeam()
        return LogChange(
            offset: offset,
            kind: .thread(ThreadFact(thread: thread, membership: membership, team: team, item: item)))
    }

    /// Up to which time the thread's history is hidden from this audience; nil if none of it is.
    func historyChange(_ thread: ChatThread, for audience: Audience) -> LogChange? {
        let lines = [thread.historyResetAt, membership(of: audience).historyResetAt].compactMap { $0 }
        guard let offset, let line = lines.max() else { return nil }
        return LogChange(offset: offset, kind: .historyReset(line))
    }

    /// Whether the event may carry a history reset. Most do not, and then the thread need not be decoded for it.
    var mayTellHistoryReset: Bool {
        members.contains { $0.membership?.historyResetAt != nil }
            || data.firstRange(of: Array("\"historyResetAt\":".utf8)) != nil
    }

    private func membership(of audience: Audience) -> Membership {
        members.first { $0.audience == audience }?.membership ?? Membership(unreadCount: 0)
    }

    /// The thread that a `thread.created` or `thread.updated` carries.
    func decodedThread() throws -> ChatThread { try ThreadUpdatedEvent(canonicalJSON: data).thread.value }
}
