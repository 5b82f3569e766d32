import Bounds
import ChatModel
import Formats

/// A channel that the desk makes. Where it sets no file restrictions, the embedded service's own apply.
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

/// Changes of a channel. Nil leaves a setting as it is; the inner nil of a double optional removes it.
public struct ChannelSettings: Sendable, Hashable {
    public var name: String?
    public var fileRestrictions: FileRestrictions?
    public var preChatSurvey: PreChatSurvey??
    public var contactFields: [CustomFieldDefinition]?
    public var customerFields: [CustomFieldDefinition]?
    public var welcomeMessage: String??
    public var inactivity: InactivityLimits??
    public var push: PushSettings??
    public var menu: [MenuItem]?
    public var rating: RatingForm??
    public var reopenDays: Int?
    public var assignsOnAnswer: Bool?
    public var visitors: VisitorSettings??
    public var appearance: Appearance??
    public var languages: [String]?
    public var texts: [String: [String: String]]?
    public var hours: OpeningHours??
    public var outside: ClosedHours??

    public init() {}

    /// Changes the channel. When it throws, the channel may be changed in part: work on a copy.
    ///
    /// Throws `unsupportedChannelConfig` for a setting that only a live chat has, `invalidParameter` when the channel
    /// would exceed ``ChannelLimits/maximumSize``.
    public func apply(to channel: inout Channel) throws(ChatError) {
        if inactivity.flatMap(\.self) != nil, channel.mode != .liveChat {
            throw ChatError(
                .unsupportedChannelConfig, "Only a channel for live chats has inactivity settings.",
                pointer: "/inactivity")
        }
        if let name { channel.name = name }
        if let fileRestrictions { channel.fileRestrictions = fileRestrictions }
        if let preChatSurvey { channel.preChatSurvey = preChatSurvey }
        if let contactFields { channel.contactFields = contactFields }
        if let customerFields { channel.customerFields = customerFields }
        if let welcomeMessage { channel.welcomeMessage = welcomeMessage }
        if let inactivity { channel.inactivity = inactivity }
        if let push { channel.push = push }
        if let menu { channel.menu = menu }
        if let rating { channel.rating = rating }
        if let reopenDays { channel.reopenDays = reopenDays }
        if let assignsOnAnswer { channel.assignsOnAnswer = assignsOnAnswer }
        if let visitors { channel.visitors = visitors }
        if let appearance {
            let (logo, named) = (channel.appearance?.logo, appearance?.logo)
            if named != nil, !named.hasSameBytes(as: logo) {
                throw ChatError(
                    .invalidParameter, "A logo is uploaded: PUT /v1/desk/channels/{channel}/logo.",
                    pointer: "/appearance/logo")
            }
            // It stays until it is taken away by itself.
            channel.appearance = appearance ?? logo.map { _ in Appearance() }
            channel.appearance?.logo = logo
        }
        if let languages { channel.languages = languages }
        if let texts { channel.texts = texts }
        if let hours { channel.hours = hours }
        if let outside { channel.outside = outside }
        let size = channel.canonicalJSON.count
        guard size <= ChannelLimits.maximumSize else {
            throw ChatError(
                .invalidParameter,
                "A channel with its survey and its fields has at most \(ChannelLimits.maximumSize) bytes of JSON; this one would have \(size)."
            )
        }
    }
}

/// How many channels the embedded service holds, and how large one may be. Each new thread reads its channel, so a
/// channel must stay small.
public enum ChannelLimits {
    public static let maximumCount = 1000
    /// Bytes of a channel's JSON, with its survey and the definitions of its fields.
    public static let maximumSize = ByteBound.channel.bytes
}
