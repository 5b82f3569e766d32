import Bounds
import ChatModel
import ChatStore
import Formats

/// What a collection shows and how much, as its client asked for it. The store keeps it, so that collections survive a
/// restart.
public struct CollectionDefinition: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case threads(ThreadQuery)
        /// - Parameter viewpoint: the time at which the first fetch begins; nil for the newest message.
        case messages(thread: String, MessageFilter, viewpoint: Timestamp?)
    }

    /// How many rows a page may have.
    public static let limits = 1...200
    /// How many rows a view may hold (collections 3.11).
    public static let capacities = 200...1000

    public var kind: Kind
    /// Rows of one page.
    public var limit: Int
    /// Rows that the view holds at most. When more come, rows at the far end leave the view.
    public var capacity: Int
    /// At the desk: the owner of the thread whose messages are shown. Two customers may use the same thread id.
    public var owner: ThreadOwner?
    /// Which streams keep the collection alive: those that name this holder. With nil any stream that carries it does.
    public var holder: String?

    public init(
        _ kind: Kind, limit: Int? = nil, capacity: Int? = nil, owner: ThreadOwner? = nil, holder: String? = nil
    ) {
        self.kind = kind
        self.owner = owner
        self.holder = holder
        switch kind {
        case .threads: self.limit = limit ?? 20
        case .messages: self.limit = limit ?? 50
        }
        self.capacity = capacity ?? Self.capacities.upperBound
    }

    /// Nil for a thread collection.
    public var thread: String? {
        if case .messages(let thread, _, _) = kind { thread } else { nil }
    }

    /// The ends at which the first page is fetched.
    var firstDirections: [FetchDirection] {
        switch kind {
        case .threads: [.next]
        case .messages(_, _, nil): [.previous]
        case .messages(_, _, let viewpoint?): viewpoint.milliseconds == 0 ? [.next] : [.previous, .next]
        }
    }

    var viewpoint: Timestamp? {
        get {
            if case .messages(_, _, let viewpoint) = kind { viewpoint } else { nil }
        }
        set {
            if case .messages(let thread, let filter, _) = kind {
                kind = .messages(thread: thread, filter, viewpoint: newValue)
            }
        }
    }
}

extension CollectionDefinition: CanonicalJSON {
    public func encode(to json: inout JSONWriter) {
        json.beginObject()
        switch kind {
        case .threads(let query):
            json.member("kind", "threads")
            json.name("query")
            json.beginObject()
            json.member("order", query.order.rawValue)
            json.member("state", query.state.rawValue)
            json.texts("customTypes", query.customTypes)
            json.member("includeEmpty", query.includesEmpty)
            json.member("unreadOnly", query.unreadOnly)
            json.member("nameContains", query.nameContains)
            json.member("memberState", query.memberState?.rawValue)
            json.shared(query)
            json.member("hidden", query.visibility.rawValue)
            json.member("channel", query.channel)
            json.texts("channels", query.channels)
            json.conditions(query.desk)
            if query.desk.order != .activity { json.member("deskOrder", query.desk.order.rawValue) }
            json.endObject()
        case .messages(let thread, let filter, let viewpoint):
            json.member("kind", "messages")
            json.member("threadId", thread)
            json.member("channel", owner?.channel)
            json.member("customer", owner?.customer)
            json.member("type", filter.kind.rawValue)
            json.texts("customTypes", filter.customTypes)
            json.texts("senderIds", filter.senderIDs)
            json.member("parentId", filter.parentID)
            if let viewpoint { json.member("viewpoint", viewpoint.milliseconds) }
        }
        json.member("limit", limit)
        json.member("capacity", capacity)
        json.member("holder", holder)
        json.endObject()
    }

    public init(json: JSONValue) throws(ModelError) {
        if json["kind"]?.string == "threads" {
            guard let query = json["query"] else { throw ModelError(member: "query") }
            var threads = ThreadQuery(
                order: try query.requiredCase("order"), state: try query.requiredCase("state"),
                customTypes: query.texts("customTypes"), includesEmpty: query["includeEmpty"]?.bool ?? true,
                unreadOnly: query["unreadOnly"]?.bool ?? false, nameContains: query["nameContains"]?.string,
                memberState: query["memberState"]?.string.flatMap(MemberState.init),
                customTypePrefix: query["customTypePrefix"]?.string,
                members: query.texts("members") ?? [],
                visibility: query["hidden"]?.string.flatMap(ThreadQuery.Visibility.init) ?? .unhidden,
                channel: query["channel"]?.string,
                desk: DeskConditions(
                    agent: query["agent"]?.string, isUnassigned: query["unassigned"]?.bool ?? false,
                    isWaiting: query["waiting"]?.bool ?? false, customer: query["customer"]?.string,
                    tag: query["tag"]?.string, snoozed: query["snoozed"]?.string.flatMap(SnoozeFilter.init) ?? .include,
                    order: query["deskOrder"]?.string.flatMap(DeskConditions.Order.init) ?? .activity))
            threads.channels = query.texts("channels")
            kind = .threads(threads)
        } else {
            let filter = MessageFilter(
                kind: try json.requiredCase("type"), customTypes: json.texts("customTypes"),
                senderIDs: json.texts("senderIds"),
                parentID: json["parentId"]?.string)
            kind = .messages(
                thread: try json.requiredString("threadId"), filter,
                viewpoint: json["viewpoint"]?.integer.map(Timestamp.init(milliseconds:)))
            if let channel = json["channel"]?.string, let customer = json["customer"]?.string {
                owner = ThreadOwner(channel: channel, customer: customer)
            }
        }
        holder = json["holder"]?.string
        limit = Int(try json.requiredInteger("limit"))
        capacity = Int(try json.requiredInteger("capacity"))
    }
}

extension CollectionDefinition {
    /// Whether it is about these channels only. Nil stands for all.
    public func isWithin(_ channels: Set<String>?) -> Bool {
        guard let channels else { return true }
        return switch kind {
        case .threads(let query): query.channels?.isSubset(of: channels) ?? false
        case .messages: owner.map { channels.contains($0.channel) } ?? false
        }
    }

    /// Writes the members of a request that asks for this collection again, with defaults filled in.
    ///
    /// - Parameter isDesk: the desk's thread queries have fewer members.
    public func encodeRequest(to json: inout JSONWriter, isDesk: Bool) {
        switch kind {
        case .threads(let query):
            json.member("kind", "threads")
            json.name("query")
            json.beginObject()
            json.member("limit", limit)
            json.member("state", query.state.rawValue)
            json.shared(query)
            if isDesk {
                json.member("channel", query.channel)
                json.member("nameContains", query.nameContains)
                json.conditions(query.desk)
                if query.desk.order != .activity { json.member("order", query.desk.order.rawValue) }
            } else {
                json.member("order", query.order.rawValue)
                json.texts("customTypes", query.customTypes)
                json.member("includeEmpty", query.includesEmpty)
                json.member("unreadOnly", query.unreadOnly)
                json.member("nameContains", query.nameContains)
                json.member("memberState", query.memberState?.rawValue)
                json.member("hidden", query.visibility.rawValue)
            }
            json.endObject()
        case .messages(let thread, let filter, let viewpoint):
            json.member("kind", "messages")
            json.member("threadId", thread)
            json.member("channel", owner?.channel)
            json.member("customer", owner?.customer)
            json.name("filter")
            json.beginObject()
            json.member("type", filter.kind.rawValue)
            json.texts("customTypes", filter.customTypes)
            json.texts("senderIds", filter.senderIDs)
            json.endObject()
            json.member("parentId", filter.parentID)
            if let viewpoint { json.member("viewpoint", viewpoint) }
            json.member("limit", limit)
        }
        json.member("capacity", capacity)
        json.member("holder", holder)
    }
}

extension JSONWriter {
    /// What the desk asks for besides, in the words of its requests.
    fileprivate mutating func conditions(_ desk: DeskConditions) {
        member("agent", desk.agent)
        if desk.isUnassigned { member("unassigned", true) }
        if desk.isWaiting { member("waiting", true) }
        member("customer", desk.customer)
        member("tag", desk.tag)
        if desk.snoozed != .include { member("snoozed", desk.snoozed.rawValue) }
    }

    /// What the desk and sessions ask for in the same words.
    fileprivate mutating func shared(_ query: ThreadQuery) {
        member("customTypePrefix", query.customTypePrefix)
        texts("members", query.members.isEmpty ? nil : query.members)
    }

    fileprivate mutating func texts(_ name: StaticString, _ texts: Set<String>?) {
        guard let texts else { return }
        self.name(name)
        beginArray()
        for text in texts.sorted() { value(text) }
        endArray()
    }
}

extension JSONValue {
    fileprivate func texts(_ name: String) -> Set<String>? { self[name]?.array.map { Set($0.compactMap(\.string)) } }
}

/// Who owns a collection. The owner decides who finds it, and with whose rights it reads.
public enum CollectionOwner: Sendable, Hashable {
    /// A session, which reads as its account. Its collections are removed with it.
    case session(String, account: Int64)
    /// The desk of the embedded service: one owner for all who have the gateway's token.
    case desk

    /// Whose events its views follow.
    public var audience: Audience {
        switch self {
        case .session(_, let account): .account(account)
        case .desk: .desk
        }
    }

    /// How many collections the owner may have. The desk has more, because many agents' pages share it.
    public var limit: Int {
        switch self {
        case .session: 100
        case .desk: 1000
        }
    }

    /// Whose share of the memory for collections its own take: that of the account, however many sessions it has.
    var holder: Holder {
        switch self {
        case .session(_, let account): .named("account \(account)")
        case .desk: .root
        }
    }

    /// The id under which the store keeps the owner's collections.
    var key: String {
        switch self {
        case .session(let id, _): id
        case .desk: CollectionRecord.desk
        }
    }

    /// The owner as the subject of an error's sentence.
    var name: String {
        switch self {
        case .session: "The session"
        case .desk: "The desk"
        }
    }
}

extension ChatClient {
    /// The session as the owner of its collections.
    public nonisolated var collectionOwner: CollectionOwner { .session(id, account: account) }
}
