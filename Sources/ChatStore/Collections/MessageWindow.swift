import Bounds
import ChatModel
import Formats

/// Which messages of a thread a message collection shows. All conditions must hold.
public struct MessageFilter: Sendable, Hashable {
    /// The type of a message; the raw values are those of ``MessageType``, besides `all`.
    public enum Kind: String, Sendable, CaseIterable {
        case all, text, file, admin
    }

    public var kind = Kind.all
    /// Nil for any custom type, and for messages without one. A set excludes messages without a custom type.
    public var customTypes: Set<String>?
    public var senderIDs: Set<String>?
    /// The replies to this message; nil for the conversation's own list.
    public var parentID: String?

    public init(
        kind: Kind = .all, customTypes: Set<String>? = nil, senderIDs: Set<String>? = nil, parentID: String? = nil
    ) {
        self.kind = kind
        self.customTypes = customTypes
        self.senderIDs = senderIDs
        self.parentID = parentID
    }

    /// Whether the filter shows a message. It must agree with ``condition``, which asks the same in SQL.
    public func contains(_ message: Message) -> Bool {
        guard parentID == nil ? message.isInConversation : message.parentID == parentID else { return false }
        if kind != .all, message.type.rawValue != kind.rawValue { return false }
        if let customTypes, !(message.customType.map(customTypes.contains) ?? false) { return false }
        if let senderIDs, !senderIDs.contains(message.author.id) { return false }
        return true
    }

    /// The filter as SQL.
    var condition: MessageCondition {
        var condition = parentID.map(MessageCondition.init(repliesTo:)) ?? MessageCondition(.alsoInThread)
        condition.narrow("type", to: kind == .all ? nil : [kind.rawValue])
        condition.narrow("customType", to: customTypes?.sorted())
        condition.narrow("sender", to: senderIDs?.sorted())
        return condition
    }
}

/// A message with its place in a thread, as a collection shows it.
public struct PlacedMessage: Sendable, SizedRow {
    public var position: MessagePosition
    public var id: String
    /// The canonical JSON.
    public var json: [UInt8]

    public init(position: MessagePosition, id: String, json: [UInt8]) {
        self.position = position
        self.id = id
        self.json = json
    }

    var byteCount: Int { json.count + 1 }
}

extension ReadTransaction {
    /// Messages older than or at a place, or newer than it, the nearest first: at most `limit`, and fewer if they have
    /// the bytes of a page.
    ///
    /// - Parameters:
    ///   - edge: `before`: a message exactly there belongs to it; `after`: it does not.
    ///   - bound: no message beyond this place is read, if there is one: what lies there may have holes.
    public func messages(
        of thread: ThreadRecord, _ filter: MessageFilter, upTo edge: MessagePosition, bound: MessagePosition?,
        limit: Int
    ) throws -> BoundedRows<PlacedMessage> {
        try messages(of: thread, filter.condition, .upTo(edge), bound: bound, PageSize(count: limit))
    }

    /// The same towards newer messages.
    public func messages(
        of thread: ThreadRecord, _ filter: MessageFilter, after edge: MessagePosition, bound: MessagePosition?,
        limit: Int
    ) throws -> BoundedRows<PlacedMessage> {
        try messages(of: thread, filter.condition, .after(edge), bound: bound, PageSize(count: limit))
    }
}

/// Which replies a list shows in addition to the messages that are no replies.
public enum ReplyFilter: String, Sendable, CaseIterable {
    case none, all
    /// Only replies that were sent to the conversation as well.
    case alsoInThread
}

extension PageRequest {
    /// The position at which a page of a thread's messages begins, within its times, and whether it goes towards older
    /// messages. Throws `invalidParameter` for a cursor of another list.
    public func place(
        in thread: ThreadRecord, replies: ReplyFilter
    ) throws -> (position: MessagePosition, isOlder: Bool) {
        let place: (position: MessagePosition, isOlder: Bool) =
            switch try parsedCursor(of: .messages(thread: thread.number, replies)) {
            case .newer(let position): (position, false)
            case .older(let position): (position, true)
            case .behind: throw Self.badCursor
            case nil: beginsAtOldest ? (.start, false) : (.end, true)
            }
        return (times.beginning(place.position, isOlder: place.isOlder), place.isOlder)
    }
}

extension ReadTransaction {
    /// A page of a thread's messages, newest first. `next` leads to older messages, `prev` to newer ones.
    ///
    /// Messages before the record's line are left out. Throws `invalidParameter` for a cursor of another list.
    ///
    /// - Parameter hole: the page stops at this position, because messages may be missing beyond it; nil if there is
    ///   no such limit.
    public func messagePage(
        of thread: ThreadRecord, replies: ReplyFilter = .alsoInThread, within hole: MessagePosition? = nil,
        _ request: PageRequest
    ) throws -> PageBytes {
        let list = PageCursor.List.messages(thread: thread.number, replies)
        let place = try request.place(in: thread, replies: replies)
        let bound = request.times.bound(hole, isOlder: place.isOlder)
        let found = try messages(
            of: thread, MessageCondition(replies), place.isOlder ? .before(place.position) : .after(place.position),
            bound: bound?.place, request.size)
        let hasMore = found.hasMore || bound?.isHole == true
        var rows = found.rows
        if !place.isOlder { rows.reverse() }
        var next = rows.last.map { PageCursor.older($0.position) }
        var prev = rows.first.map { PageCursor.newer($0.position) }
        if !place.isOlder {
            if !hasMore { prev = nil }
        } else {
            if !hasMore { next = nil }
            if request.cursor == nil { prev = nil }
        }
        var page = PageBytes(
            offset: try headOffset(), items: rows.map(\.json), of: list, version: thread.messagesVersion, next: next,
            prev: prev)
        page.isFull = found.hasMore || rows.count == request.limit
        return page
    }

    /// How many messages of a thread were removed, whoever could see them.
    public func removedMessages(of thread: ThreadRecord) throws -> Int {
        let count: Int64? = try db.first(
            "SELECT COUNT(*) FROM tombstone WHERE thread = ?", [.integer(thread.number)]
        ) { $0.integer(0) }
        return Int(count ?? 0)
    }
}

/// Which replies of a message are wanted. The names follow Sendbird's `ThreadMessageListParams`.
public struct ReplyRequest: Sendable, Hashable {
    /// Where the page begins; nil for the newest reply.
    public var from: Timestamp?
    /// How many replies older than ``from`` the page has at most, and how many newer ones.
    public var previous = 20
    public var next = 20
    /// Whether replies created exactly at ``from`` are included; they do not count for the two sizes.
    public var isInclusive = true
    /// Newest first.
    public var isReversed = false
    /// Only replies of these types; nil for all. The next two filters work in the same way.
    public var types: [MessageType]?
    public var customTypes: [String]?
    public var senderIDs: [String]?

    public init() {}
}

extension ReadTransaction {
    /// The most replies of exactly one time that a page has, so that a page stays bounded even if the clock stood
    /// still.
    private static var simultaneousLimit: Int { 1000 }

    /// A page of a message's replies, oldest first unless the request says otherwise, with the message itself as
    /// `parent`.
    ///
    /// When the parent was removed, its replies stay readable and `parent` says `unavailable`. Throws
    /// `unknownMessage` when there is neither the parent nor a reply.
    public func replyPage(of id: String, in thread: ThreadRecord, _ request: ReplyRequest) throws -> PageBytes {
        let parent: [UInt8]
        if let record = try message(id, in: thread) {
            parent = record.message.canonicalJSON
        } else {
            let hasReplies = try db.first(
                "SELECT 1 FROM message WHERE thread = ? AND parent = ? AND createdAt > ?",
                [.integer(thread.number), .text(id), .integer(thread.historyBoundary)]
            ) { _ in true }
            guard hasReplies == true else { throw ChatError.unknownMessage(id) }
            var json = JSONWriter()
            json.beginObject()
            json.member("unavailable", true)
            json.member("id", id)
            json.endObject()
            parent = json.bytes
        }
        let from = request.from?.milliseconds ?? .max
        // Numbers begin at 1, so these places stand before and behind all messages of the time.
        let (before, behind) = (
            MessagePosition(createdAt: from, number: 0), MessagePosition(createdAt: from, number: .max)
        )
        let condition = request.condition(repliesTo: id)
        var same = BoundedRows<PlacedMessage>()
        if request.isInclusive {
            same = try messages(
                of: thread, condition, .after(before), bound: behind, PageSize(count: Self.simultaneousLimit))
        }
        // The older ones get half of what is left of the page, the newer ones the rest.
        var left = ByteBound.page.bytes - same.byteCount
        let older = try messages(
            of: thread, condition, .before(before), bound: nil, PageSize(count: request.previous, bytes: left / 2))
        left -= older.byteCount
        let newer = try messages(
            of: thread, condition, .after(behind), bound: nil, PageSize(count: request.next, bytes: left))
        var items = (older.rows.reversed() + same.rows + newer.rows).map(\.json)
        if request.isReversed { items.reverse() }

        var json = JSONWriter(reservingCapacity: items.reduce(parent.count + 128) { $0 + $1.count + 1 })
        json.beginObject()
        json.name("parent")
        json.raw(parent)
        json.name("items")
        json.beginArray()
        for item in items { json.raw(item) }
        json.endArray()
        json.member("hasPrevious", older.hasMore)
        json.member("hasNext", newer.hasMore || same.hasMore)
        return PageBytes(body: json.bytes, version: thread.messagesVersion, offset: try headOffset())
    }
}

extension ReplyRequest {
    fileprivate func condition(repliesTo parent: String) -> MessageCondition {
        var condition = MessageCondition(repliesTo: parent)
        condition.narrow("type", to: types?.map(\.rawValue))
        condition.narrow("customType", to: customTypes)
        condition.narrow("sender", to: senderIDs)
        return condition
    }
}
