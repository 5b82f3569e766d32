/// A thread as answers tell it: an element of `threads`, and `thread` of the recover answers.
public struct WireThread: Sendable, Hashable, WireReadable, WireWritable {
    /// `idOnExternalPlatform`.
    public var id: String
    /// `id`: the server's own. Android needs one, so ``id`` stands in for it.
    public var serverID: String?
    public var channelID: String?
    public var name: String?
    /// False once the thread is archived.
    public var canAddMoreMessages: Bool
    public var createdAt: WireTime?
    public var updatedAt: WireTime?
    /// `unseenByEndUserMessagesCount`: messages that the customer hasn't seen.
    public var unseenByCustomer: Int?
    /// `unseenByUserMessagesCount`: messages that no agent has seen.
    public var unseenByAgent: Int?

    public init(
        id: String, serverID: String? = nil, channelID: String?, name: String? = nil, canAddMoreMessages: Bool = true,
        createdAt: WireTime? = nil, updatedAt: WireTime? = nil, unseenByCustomer: Int? = nil, unseenByAgent: Int? = nil
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
