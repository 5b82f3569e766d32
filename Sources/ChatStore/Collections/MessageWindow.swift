import ChatModel

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
