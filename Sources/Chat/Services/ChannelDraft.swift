import ChatModel

/// What the desk says of a new channel.
public struct ChannelDraft: Sendable, Hashable {
    public var id: String
    public var name: String?
    public var mode: ChatMode
    public var settings: ChannelSettings

    public init(
        id: String, name: String? = nil, mode: ChatMode, fileRestrictions: FileRestrictions = .embedded,
        settings: ChannelSettings = ChannelSettings()
    ) {
        self.id = id
        self.name = name
        self.mode = mode
        self.settings = settings
        self.settings.fileRestrictions = self.settings.fileRestrictions ?? fileRestrictions
    }
}

/// What the desk changes of a channel: nil leaves it, an inner nil takes it away.
public struct ChannelSettings: Sendable, Hashable {
    public var name: String?
    public var fileRestrictions: FileRestrictions?
    public var preChatSurvey: PreChatSurvey??
    public var contactFields: [CustomFieldDefinition]?
    public var customerFields: [CustomFieldDefinition]?
    public var welcomeMessage: String??
    public var inactivity: InactivityLimits??

    public init() {}

    /// Throws `unsupportedChannelConfig` for what only a live chat has.
    public func apply(to channel: inout Channel) throws(ChatError) {
        if inactivity.flatMap(\.self) != nil, channel.mode != .liveChat {
            throw ChatError(
                .unsupportedChannelConfig, "Only the customers of a live chat are asked why they are silent.", pointer: "/inactivity")
        }
        if let name { channel.name = name }
        if let fileRestrictions { channel.fileRestrictions = fileRestrictions }
        if let preChatSurvey { channel.preChatSurvey = preChatSurvey }
        if let contactFields { channel.contactFields = contactFields }
        if let customerFields { channel.customerFields = customerFields }
        if let welcomeMessage { channel.welcomeMessage = welcomeMessage }
        if let inactivity { channel.inactivity = inactivity }
    }
}
