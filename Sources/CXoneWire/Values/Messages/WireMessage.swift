/// A message as the server tells it: in `MessageCreated` and its kin, and in the answers that hold history.
public struct WireMessage: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`: made by the sender. Merging goes by it.
    public var id: String
    /// `id`: the server's own.
    public var serverID: String?
    /// `threadIdOnExternalPlatform`.
    public var threadID: String
    /// `threadId`: the server's own.
    public var serverThreadID: String?
    public var content: MessageContent
    /// In seconds on the wire.
    public var createdAt: WireTime
    /// `createdAtWithMilliseconds`, which not every message has.
    public var preciseCreatedAt: WireTime?
    public var direction: Direction
    public var attachments: [WireAttachment]
    /// `userStatistics`: what the agent has done.
    public var agentStatistics: MessageStatistics
    /// `customerStatistics`: what the customer has done.
    public var customerStatistics: MessageStatistics
    /// `authorUser`; nil for messages of customers and automatic ones.
    public var authorAgent: WireAgent?
    /// `authorEndUserIdentity`.
    public var authorCustomer: WireCustomer?
    /// More of the content has to be fetched by HTTP, say web clients, unless this is literally false.
    public var hasAdditionalContent: Bool

    public init(
        id: String, serverID: String? = nil, threadID: String, serverThreadID: String? = nil, content: MessageContent,
        createdAt: WireTime, preciseCreatedAt: WireTime? = nil, direction: Direction,
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

    /// The best time that is known, by which messages are ordered.
    public var time: WireTime { preciseCreatedAt ?? createdAt }

    public init(_ value: WireValue) throws(WireError) {
        id = try value.id("idOnExternalPlatform", or: "id")
        serverID = try value.idIfPresent("id")
        threadID = try value.id("threadIdOnExternalPlatform", or: "threadId")
        serverThreadID = try value.idIfPresent("threadId")
        content = try value.required("messageContent")
        preciseCreatedAt = try value.optional("createdAtWithMilliseconds")
        createdAt = try value.required("createdAt", or: "createdAtWithMilliseconds")
        direction = try value.required("direction")
        attachments = try value.list("attachments")
        agentStatistics = try value.optional("userStatistics") ?? MessageStatistics()
        customerStatistics = try value.optional("customerStatistics") ?? MessageStatistics()
        authorAgent = try value.optional("authorUser", or: "user")
        authorCustomer = try value.optional("authorEndUserIdentity")
        hasAdditionalContent = try value.optional("hasAdditionalMessageContent") ?? false
    }

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
    public var seenAt: WireTime?
    /// Of the agent's side only.
    public var readAt: WireTime?

    public init(seenAt: WireTime? = nil, readAt: WireTime? = nil) {
        self.seenAt = seenAt
        self.readAt = readAt
    }

    public init(_ value: WireValue) throws(WireError) {
        seenAt = try value.optional("seenAt")
        readAt = try value.optional("readAt")
    }
}
