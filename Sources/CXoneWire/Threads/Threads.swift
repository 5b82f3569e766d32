import Formats

/// The thread that a frame is about.
public struct ThreadReference: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`: made by the client, compared as it is.
    public var id: String
    /// `threadName`. A name given before the first message reaches the server this way.
    public var name: String?
    /// `id`: the server's own; only servers send it.
    public var serverID: String?

    public init(id: String, name: String? = nil, serverID: String? = nil) {
        self.id = id
        self.name = name
        self.serverID = serverID
    }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("idOnExternalPlatform")
        name = try value.optional("threadName")
        serverID = try value.idIfPresent("id")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", ifPresent: serverID)
            writer.member("idOnExternalPlatform", id)
            writer.member("threadName", ifPresent: name)
        }
    }
}

/// A thread as answers tell it: an element of `threads` in `ThreadListFetched`, and `thread` of the recover
/// answers.
public struct WireThread: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`.
    public var id: String
    /// `id`: the server's own. Android needs one, so ``id`` stands in for it.
    public var serverID: String?
    /// The channel to which the thread belongs; "" is written for an unknown one.
    public var channelID: String?
    /// `threadName`; "" stands for none, since servers always write it.
    public var name: String?
    /// False once the thread is archived.
    public var canAddMoreMessages: Bool
    public var createdAt: Timestamp?
    /// When the thread changed last.
    public var updatedAt: Timestamp?
    /// `unseenByEndUserMessagesCount`: messages that the customer hasn't seen.
    public var unseenByCustomer: Int?
    /// `unseenByUserMessagesCount`: messages that no agent has seen.
    public var unseenByAgent: Int?

    public init(
        id: String, serverID: String? = nil, channelID: String?, name: String? = nil, canAddMoreMessages: Bool = true,
        createdAt: Timestamp? = nil, updatedAt: Timestamp? = nil, unseenByCustomer: Int? = nil,
        unseenByAgent: Int? = nil
    ) {
        self.id = id
        self.serverID = serverID
        self.channelID = channelID
        self.name = name
        self.canAddMoreMessages = canAddMoreMessages
        self.createdAt = createdAt
        self.updatedAt = updatedAt
        self.unseenByCustomer = unseenByCustomer
        self.unseenByAgent = unseenByAgent
    }

    /// Only `idOnExternalPlatform` must be there. A thread that does not say otherwise takes messages.
    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("idOnExternalPlatform")
        serverID = try value.idIfPresent("id")
        channelID = try value.idIfPresent("channelId")
        name = try value.optional("threadName")
        canAddMoreMessages = try value.optional("canAddMoreMessages") ?? true
        createdAt = try value.optional("createdAt")
        updatedAt = try value.optional("updatedAt")
        unseenByCustomer = try value.optional("unseenByEndUserMessagesCount")
        unseenByAgent = try value.optional("unseenByUserMessagesCount")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", serverID ?? id)
            writer.member("idOnExternalPlatform", id)
            writer.member("channelId", channelID ?? "")
            writer.member("threadName", name ?? "")
            writer.member("canAddMoreMessages", canAddMoreMessages)
            writer.member("createdAt", ifPresent: createdAt)
            writer.member("updatedAt", ifPresent: updatedAt)
            writer.member("unseenByEndUserMessagesCount", ifPresent: unseenByCustomer)
            writer.member("unseenByUserMessagesCount", ifPresent: unseenByAgent)
        }
    }
}

/// A thread with its newest messages: the data of `ThreadRecovered` and of `LivechatRecovered`.
public struct RecoveredThread: Sendable, Hashable, WireReadable, WireWritable {
    public var thread: WireThread
    /// `contact` or `consumerContact`; iOS and web clients need one.
    public var contact: WireContact?
    /// The customer's own custom fields, which come with each recovered thread.
    public var customerFields: [CustomField]
    /// Newest first.
    public var messages: [WireMessage]
    /// `messagesScrollToken`; empty when there are no older messages.
    public var scrollToken: String
    /// The agent who answers now.
    public var inboxAssignee: WireAgent?
    /// The agent who answered before, as live chats show it.
    public var previousInboxAssignee: WireAgent?
    /// The agent who owns the contact. Another one may be answering: ``inboxAssignee``.
    public var ownerAssignee: WireAgent?

    public init(
        thread: WireThread, contact: WireContact?, customerFields: [CustomField] = [], messages: [WireMessage],
        scrollToken: String = "", inboxAssignee: WireAgent? = nil, previousInboxAssignee: WireAgent? = nil,
        ownerAssignee: WireAgent? = nil
    ) {
        self.thread = thread
        self.contact = contact
        self.customerFields = customerFields
        self.messages = messages
        self.scrollToken = scrollToken
        self.inboxAssignee = inboxAssignee
        self.previousInboxAssignee = previousInboxAssignee
        self.ownerAssignee = ownerAssignee
    }

    /// Reads both vocabularies. Only `thread` must be there: an answer without messages has an empty history.
    public init(_ data: WireValue) throws(WireError) {
        thread = try data.required("thread")
        contact = try data.optional("contact", or: "consumerContact")
        customerFields = try data.customFields(in: "customer", or: "consumer") ?? []
        messages = try data.list("messages")
        scrollToken = try data.idIfPresent("messagesScrollToken", or: "scrollToken") ?? ""
        inboxAssignee = try data.optional("inboxAssignee")
        previousInboxAssignee = try data.optional("previousInboxAssignee")
        ownerAssignee = try data.optional("ownerAssignee")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("contact", ifPresent: contact)
            writer.member("customer", customFields: customerFields)
            writer.member("messages", messages)
            writer.member("messagesScrollToken", scrollToken)
            writer.member("inboxAssignee", orNull: inboxAssignee)
            writer.member("previousInboxAssignee", orNull: previousInboxAssignee)
            writer.member("ownerAssignee", orNull: ownerAssignee)
            writer.member("thread", thread)
            writer.emptyArray("contactHistory")
        }
    }
}

extension WireWriter {
    /// Writes an empty array, such as `contactHistory`, without which web clients cannot read an answer.
    mutating func emptyArray(_ name: StaticString) {
        self.name(name)
        array { _ in }
    }
}

/// What a list of threads shows: the data of `ThreadMetadataLoaded`.
public struct ThreadMetadata: Sendable, Hashable, WireReadable, WireWritable {
    public var ownerAssignee: WireAgent?
    /// Clients need one.
    public var lastMessage: WireMessage

    public init(ownerAssignee: WireAgent?, lastMessage: WireMessage) {
        self.ownerAssignee = ownerAssignee
        self.lastMessage = lastMessage
    }

    public init(_ data: WireValue) throws(WireError) {
        ownerAssignee = try data.optional("ownerAssignee")
        lastMessage = try data.required("lastMessage")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("ownerAssignee", orNull: ownerAssignee)
            writer.member("lastMessage", lastMessage)
        }
    }
}

/// Asks for older messages: the data of `LoadMoreMessages`.
public struct LoadMoreMessages: Sendable, Hashable, WireReadable, WireWritable {
    /// The token of the answer before. Clients must not interpret it.
    public var scrollToken: String
    /// The thread whose history it is; the token belongs to it.
    public var thread: ThreadReference
    /// `oldestMessageDatetime`: the time of the oldest message that the client has.
    public var oldestMessageTime: Timestamp?
    /// Limits the history to one contact; sent by web clients in live chats.
    public var contactID: String?

    public init(
        scrollToken: String, thread: ThreadReference, oldestMessageTime: Timestamp?, contactID: String? = nil
    ) {
        self.scrollToken = scrollToken
        self.thread = thread
        self.oldestMessageTime = oldestMessageTime
        self.contactID = contactID
    }

    /// Reads the request. One without a token is an error.
    public init(_ data: WireValue) throws(WireError) {
        scrollToken = try data.id("scrollToken")
        thread = try data.required("thread")
        oldestMessageTime = try data.optional("oldestMessageDatetime")
        contactID = try data.contactIDIfPresent()
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("scrollToken", scrollToken)
            writer.member("thread", thread)
            writer.member("oldestMessageDatetime", ifPresent: oldestMessageTime)
            if let contactID { writer.nested("contact", id: contactID) }
        }
    }
}

/// Older messages: the data of `MoreMessagesLoaded`.
public struct MessagePage: Sendable, Hashable, WireReadable, WireWritable {
    /// Newest first. None at the end of the history.
    public var messages: [WireMessage]
    /// For the next page; empty at the end of the history.
    public var scrollToken: String

    public init(messages: [WireMessage], scrollToken: String) {
        self.messages = messages
        self.scrollToken = scrollToken
    }

    /// The token has another name here than in the recover answers; both are read.
    public init(_ data: WireValue) throws(WireError) {
        messages = try data.list("messages")
        scrollToken = try data.idIfPresent("scrollToken", or: "messagesScrollToken") ?? ""
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("messages", messages)
            writer.member("scrollToken", scrollToken)
            writer.emptyArray("contactHistory")
        }
    }
}

/// Somebody begins or ceases to type: the data of `SenderTypingStarted` and `SenderTypingEnded`.
public struct SenderTyping: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    public var thread: ThreadReference
    /// The agent who types (`user`); by it the mobile SDKs know that it is no customer.
    public var agent: WireAgent?
    /// By it web clients know who types. A frame without it is outbound if it names an agent, else inbound.
    public var direction: Direction

    public init(
        origin: PushOrigin, thread: ThreadReference, agent: WireAgent?, direction: Direction = .outbound
    ) {
        self.origin = origin
        self.thread = thread
        self.agent = agent
        self.direction = direction
    }

    /// Reads the push; only `thread` must be there.
    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        thread = try data.required("thread")
        agent = try data.optional("user")
        direction = try data.optional("direction") ?? (agent == nil ? .inbound : .outbound)
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("thread", thread)
            writer.member("direction", direction)
            writer.member("user", ifPresent: agent)
        }
    }
}
