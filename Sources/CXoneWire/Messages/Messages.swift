import Formats

/// A message as the server tells it: in the pushes `MessageCreated`, `MessageSent`, `MessageUpdated`,
/// `MessageReadChanged` and `MessageSeenChanged`, and in the answers that hold history.
public struct WireMessage: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`: made by the sender. Clients merge messages by it.
    public var id: String
    /// `id`: the server's own.
    public var serverID: String?
    /// `threadIdOnExternalPlatform`.
    public var threadID: String
    /// `threadId`: the server's own.
    public var serverThreadID: String?
    public var content: MessageContent
    /// In whole seconds on the wire.
    public var createdAt: Timestamp
    /// `createdAtWithMilliseconds`, which not every message has.
    public var preciseCreatedAt: Timestamp?
    public var direction: Direction
    /// Files that belong to the message, in order.
    public var attachments: [WireAttachment]
    /// `userStatistics`: what the agent has done.
    public var agentStatistics: MessageStatistics
    /// `customerStatistics`: what the customer has done.
    public var customerStatistics: MessageStatistics
    /// `authorUser`; nil for messages of customers and automatic ones.
    public var authorAgent: WireAgent?
    /// `authorEndUserIdentity`.
    public var authorCustomer: WireCustomer?
    /// Web clients fetch more of the content over HTTP unless this member is false.
    public var hasAdditionalContent: Bool

    public init(
        id: String, serverID: String? = nil, threadID: String, serverThreadID: String? = nil, content: MessageContent,
        createdAt: Timestamp, preciseCreatedAt: Timestamp? = nil, direction: Direction,
        attachments: [WireAttachment] = [], agentStatistics: MessageStatistics = MessageStatistics(),
        customerStatistics: MessageStatistics = MessageStatistics(), authorAgent: WireAgent? = nil,
        authorCustomer: WireCustomer? = nil, hasAdditionalContent: Bool = false
    ) {
        self.id = id
        self.serverID = serverID
        self.threadID = threadID
        self.serverThreadID = serverThreadID
        self.content = content
        self.createdAt = createdAt
        self.preciseCreatedAt = preciseCreatedAt
        self.direction = direction
        self.attachments = attachments
        self.agentStatistics = agentStatistics
        self.customerStatistics = customerStatistics
        self.authorAgent = authorAgent
        self.authorCustomer = authorCustomer
        self.hasAdditionalContent = hasAdditionalContent
    }

    /// The most precise time that is known. Messages are ordered by it.
    public var time: Timestamp { preciseCreatedAt ?? createdAt }

    /// The server's own id stands in for a missing `idOnExternalPlatform`, of the message and of the thread, and either
    /// time for the other. Id, thread, content, time and direction must be there in some form.
    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("idOnExternalPlatform", or: "id")
        serverID = try value.idIfPresent("id")
        threadID = try value.id("threadIdOnExternalPlatform", or: "threadId")
        serverThreadID = try value.idIfPresent("threadId")
        content = try value.required("messageContent")
        preciseCreatedAt = try value.optional("createdAtWithMilliseconds")
        createdAt = try value.required("createdAt", or: "createdAtWithMilliseconds")
        direction = try value.required("direction")
        attachments = try value.readableList("attachments")
        agentStatistics = try value.optional("userStatistics") ?? MessageStatistics()
        customerStatistics = try value.optional("customerStatistics") ?? MessageStatistics()
        authorAgent = try value.optional("authorUser", or: "user")
        authorCustomer = try value.optional("authorEndUserIdentity")
        hasAdditionalContent = try value.optional("hasAdditionalMessageContent") ?? false
    }

    /// Null is written for what the SDKs need as a member: statistics that are not known and authors that do not exist.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("id", ifPresent: serverID)
            writer.member("idOnExternalPlatform", id)
            writer.member("threadId", ifPresent: serverThreadID)
            writer.member("threadIdOnExternalPlatform", threadID)
            writer.member("messageContent", content)
            writer.member("createdAt", createdAt)
            writer.member("createdAtWithMilliseconds", milliseconds: preciseCreatedAt)
            writer.member("direction", direction)
            writer.member("attachments", attachments)
            writer.object("userStatistics") { writer in
                writer.member("seenAt", orNull: agentStatistics.seenAt)
                writer.member("readAt", orNull: agentStatistics.readAt)
            }
            writer.object("customerStatistics") { writer in
                writer.member("seenAt", orNull: customerStatistics.seenAt)
            }
            writer.member("authorUser", orNull: authorAgent)
            writer.member("authorEndUserIdentity", orNull: authorCustomer)
            writer.member("hasAdditionalMessageContent", hasAdditionalContent)
        }
    }
}

/// When one side saw and read a message.
public struct MessageStatistics: Sendable, Hashable, WireReadable {
    /// When that side saw the message; nil: not yet.
    public var seenAt: Timestamp?
    /// Of the agent's side only.
    public var readAt: Timestamp?

    public init(seenAt: Timestamp? = nil, readAt: Timestamp? = nil) {
        self.seenAt = seenAt
        self.readAt = readAt
    }

    public init(_ value: WireValue) throws(WireError) {
        seenAt = try value.optional("seenAt")
        readAt = try value.optional("readAt")
    }
}

/// Which way a message goes, from the server's point of view.
public enum Direction: String, Sendable, WireReadable, WireWritable {
    /// From the customer to the agent.
    case inbound
    /// From the agent to the customer.
    case outbound

    public init(_ value: WireValue) throws(WireError) {
        guard let direction = Direction(rawValue: try String(value).lowercased()) else {
            throw WireError(.invalid, "expected inbound or outbound")
        }
        self = direction
    }

    public func write(to writer: inout WireWriter) { writer.string(rawValue) }
}

/// A new message of either side: the data of `MessageCreated`. `MessageSent` has the same data without the server's own
/// id of the message.
public struct MessageCreated: Sendable, Hashable, WireReadable, WireWritable {
    /// The brand and the channel of the push.
    public var origin: PushOrigin
    /// `case`; both mobile SDKs need it.
    public var contact: WireContact?
    public var thread: ThreadReference
    public var message: WireMessage

    public init(origin: PushOrigin, contact: WireContact?, thread: ThreadReference, message: WireMessage) {
        self.origin = origin
        self.contact = contact
        self.thread = thread
        self.message = message
    }

    /// A push without `thread` is in the thread that its message names.
    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        contact = try data.contactOfPush()
        message = try data.required("message")
        thread = try data.optional("thread") ?? ThreadReference(id: message.threadID)
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("case", ifPresent: contact)
            writer.member("thread", thread)
            writer.member("message", message)
        }
    }
}

/// A message that was seen, read or edited: the data of `MessageReadChanged`, `MessageSeenChanged` and
/// `MessageUpdated`.
public struct MessageChanged: Sendable, Hashable, WireReadable, WireWritable {
    public var origin: PushOrigin
    /// The whole message; it replaces the one that is known.
    public var message: WireMessage

    public init(origin: PushOrigin, message: WireMessage) {
        self.origin = origin
        self.message = message
    }

    public init(_ data: WireValue) throws(WireError) {
        origin = PushOrigin(data)
        message = try data.required("message")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            origin.write(to: &writer)
            writer.member("message", message)
        }
    }
}

/// A message on its way to the platform: the data of `SendMessage` and of `SendOutbound`.
public struct SendMessage: Sendable, Hashable {
    /// With the name that was set locally, which reaches the server this way.
    public var thread: ThreadReference
    public var content: MessageContent
    /// `idOnExternalPlatform`: made by the client.
    public var id: String
    /// `customer` or `consumer`.
    public var customerFields: [CustomField]
    /// `contact` or `consumerContact`.
    public var contactFields: [CustomField]
    public var attachments: [WireAttachment]
    /// `deviceFingerprint` or `browserFingerprint`.
    public var fingerprint: DeviceFingerprint?
    /// The customer's access token, if the client has one; on secured sessions the third party's.
    public var accessToken: String?

    public init(
        thread: ThreadReference, content: MessageContent, id: String, customerFields: [CustomField] = [],
        contactFields: [CustomField] = [], attachments: [WireAttachment] = [],
        fingerprint: DeviceFingerprint? = nil, accessToken: String? = nil
    ) {
        self.thread = thread
        self.content = content
        self.id = id
        self.customerFields = customerFields
        self.contactFields = contactFields
        self.attachments = attachments
        self.fingerprint = fingerprint
        self.accessToken = accessToken
    }

    /// Reads both vocabularies. Thread, content and id must be there.
    init(_ data: WireValue) throws(WireError) {
        thread = try data.required("thread")
        content = try data.required("messageContent")
        id = try data.id("idOnExternalPlatform")
        customerFields = try data.customFields(in: "customer", or: "consumer") ?? []
        contactFields = try data.customFields(in: "contact", or: "consumerContact") ?? []
        attachments = try data.readableList("attachments")
        fingerprint = try data.optional("deviceFingerprint", or: "browserFingerprint")
        let token: AccessToken? = try data.optional("accessToken")
        accessToken = token?.token
    }

    /// The members of `data`: `SendOutbound` has the older vocabulary.
    func write(to writer: inout WireWriter, isOutbound: Bool) {
        writer.member("thread", thread)
        writer.member("messageContent", content)
        writer.member("idOnExternalPlatform", id)
        if isOutbound {
            if !customerFields.isEmpty { writer.member("consumer", customFields: customerFields) }
            writer.member("consumerContact", customFields: contactFields)
        } else {
            writer.member("customer", customFields: customerFields)
            writer.member("contact", customFields: contactFields)
        }
        writer.member("attachments", attachments)
        writer.member(isOutbound ? "browserFingerprint" : "deviceFingerprint", ifPresent: fingerprint)
        writer.member("accessToken", ifPresent: accessToken.map { AccessToken(token: $0) })
    }
}

/// A message left while nobody is there: the data of `SendOfflineMessage`, which web clients send.
///
/// It belongs to no thread. The platform answers `OfflineMessageSent`.
public struct SendOfflineMessage: Sendable, Hashable, WireReadable, WireWritable {
    public var content: MessageContent
    /// Named by an e-mail address, which is its ``WireCustomer/id``.
    public var author: WireCustomer

    public init(content: MessageContent, author: WireCustomer) {
        self.content = content
        self.author = author
    }

    public init(_ data: WireValue) throws(WireError) {
        content = try data.required("messageContent")
        author = try data.required("authorCustomerIdentity", or: "authorConsumerIdentity")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("messageContent", content)
            writer.member("authorCustomerIdentity", author)
        }
    }
}
