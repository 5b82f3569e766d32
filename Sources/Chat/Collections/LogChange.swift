import ChatModel
import ChatStore
import Formats
import Synchronization

/// An event of the log, decoded once for all collections that it concerns.
struct LogChange: Sendable {
    enum Kind: Sendable {
        case message(MessageFact, isNew: Bool)
        case messageRemoved(String, reason: String?)
        /// What was created up to this time is out of the account's sight.
        case historyReset(Timestamp)
        case replyInfo(ReplyInfoChange)
        /// As one account, or the desk, reads it.
        case thread(ThreadFact)
        case threadRemoved(String)
    }

    let offset: Int64
    let kind: Kind
}

/// What a parent tells of its replies has changed: its item is encoded anew, once for all who show it.
final class ReplyInfoChange: Sendable {
    let parentID: String
    private let info: ReplyInfo
    private let known = Mutex<[(old: CollectionItem, new: CollectionItem?)]>([])

    init(parentID: String, info: ReplyInfo) {
        self.parentID = parentID
        self.info = info
    }

    /// The item with this info; nil when it has a newer one, or the same.
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
    /// The thread that the event is about, read without parsing the rest; nil when it does not begin with one.
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

    /// What happened to the thread's messages; nil for events of other kinds.
    func messageChange() throws -> LogChange? {
        guard let offset else { return nil }
        switch type {
        case .messageCreated, .messageUpdated:
            guard let start = data.firstRange(of: Array("\"message\":".utf8))?.upperBound else { return nil }
            // Of a created message this reads no reason: there is none.
            let json = try JSONParser.parse(data)
            let event = try MessageUpdatedEvent(json: json)
            let message = event.message.value
            // The message is the last member, or a reason follows it.
            let bytes = json["reason"] == nil ? Array(data[start..<data.count - 1]) : event.message.bytes
            let fact = MessageFact(
                position: ReadPosition(createdAt: message.createdAt.milliseconds, number: self.message ?? offset),
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

    /// The thread as this account, or the desk, reads it.
    func threadChange(_ thread: ChatThread, for audience: Audience) -> LogChange? {
        guard let offset else { return nil }
        // `{"thread":{...}}`
        let data = data(for: audience)
        let item = CollectionItem(
            id: thread.id, owner: audience == .desk ? owner : nil, json: Array(data[10..<data.count - 1]))
        let membership = audience == .desk ? nil : membership(of: audience)
        return LogChange(offset: offset, kind: .thread(ThreadFact(thread: thread, membership: membership, item: item)))
    }

    /// The line of the thread's history for this account, or for the desk, if there is one.
    func historyChange(_ thread: ChatThread, for audience: Audience) -> LogChange? {
        let lines = [thread.historyResetAt, membership(of: audience).historyResetAt].compactMap { $0 }
        guard let offset, let line = lines.max() else { return nil }
        return LogChange(offset: offset, kind: .historyReset(line))
    }

    /// Whether the thread tells of a line at all: most do not, and need not be read for it.
    var mayTellHistoryReset: Bool {
        members.contains { $0.membership?.historyResetAt != nil } || data.firstRange(of: Array("\"historyResetAt\":".utf8)) != nil
    }

    private func membership(of audience: Audience) -> Membership {
        members.first { $0.audience == audience }?.membership ?? Membership(unreadCount: 0)
    }

    /// The thread that a `thread.created` or `thread.updated` carries.
    func decodedThread() throws -> ChatThread { try ThreadUpdatedEvent(canonicalJSON: data).thread.value }
}
