/// What a channel is and may: the body of `GET {chat}/1.0/brand/{b}/channel/{c}`.
///
/// What the body says of the web widget is written and not read.
public struct WireChannelConfiguration: Sendable, Hashable {
    public var name: String?
    /// `channelIdOnExternalPlatform`
    public var idOnExternalPlatform: String?
    /// Whether each chat is a contact of its own that ends, with a queue and an availability.
    public var isLiveChat: Bool
    /// Customers log in by OAuth.
    public var isAuthorizationEnabled: Bool
    /// Customers are known by a cookie.
    public var isSecuredCookieEnabled: Bool
    /// `availability.status`
    public var availability: WireAvailability?
    public var settings: ChannelSettings
    /// `preContactForm`: what a customer fills in ahead of a thread.
    public var survey: PreContactForm?
    /// Nil: nothing is said of the web widget.
    public var widget: WidgetInfo?

    public init(
        name: String?, idOnExternalPlatform: String? = nil, isLiveChat: Bool, isAuthorizationEnabled: Bool = false,
        isSecuredCookieEnabled: Bool = false, availability: WireAvailability? = nil, settings: ChannelSettings,
        survey: PreContactForm? = nil, widget: WidgetInfo? = nil
    ) {
        self.name = name
        self.idOnExternalPlatform = idOnExternalPlatform
        self.isLiveChat = isLiveChat
        self.isAuthorizationEnabled = isAuthorizationEnabled
        self.isSecuredCookieEnabled = isSecuredCookieEnabled
        self.availability = availability
        self.settings = settings
        self.survey = survey
        self.widget = widget
    }

    /// How customers prove who they are, by the mobile SDKs' rule.
    public enum Authentication: Sendable { case anonymous, securedCookie, thirdPartyOAuth }

    /// A secured cookie takes precedence over OAuth.
    public var authentication: Authentication {
        isSecuredCookieEnabled ? .securedCookie : isAuthorizationEnabled ? .thirdPartyOAuth : .anonymous
    }

    /// Whether the socket's URL needs a transaction token. True where the configuration does not say, as in the
    /// iOS SDK.
    public var usesSecuredSessions: Bool {
        settings.features["securedSessions"] ?? settings.securedSessions ?? true
    }
}

extension WireChannelConfiguration: WireReadable, WireWritable, WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.largeEvent, omissions: WireOmissions? = nil) throws(WireError) {
        self = try WireChannelConfiguration(
            try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions()))
    }

    public func encoded() -> [UInt8] { WireWriter.text(side: .server) { write(to: &$0) } }

    /// Needs only `isLiveChat` and `settings`; the SDKs need more, and not all the same.
    public init(_ value: WireValue) throws(WireError) {
        name = try value.optional("name")
        idOnExternalPlatform = try value.idIfPresent("channelIdOnExternalPlatform")
        isLiveChat = try value.required("isLiveChat")
        isAuthorizationEnabled = try value.optional("isAuthorizationEnabled") ?? false
        isSecuredCookieEnabled = try value.optional("isSecuredCookieEnabled") ?? false
        availability = try value.optional("availability")
        settings = try value.required("settings")
        survey = try value.optional("preContactForm")
    }

    /// Also writes the platform's two lists of custom fields, which stay empty: the SDKs use only the survey's.
    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("name", ifPresent: name)
            writer.member("channelIdOnExternalPlatform", ifPresent: idOnExternalPlatform)
            writer.member("isLiveChat", isLiveChat)
            writer.member("isAuthorizationEnabled", isAuthorizationEnabled)
            writer.member("isSecuredCookieEnabled", isSecuredCookieEnabled)
            writer.member("availability", ifPresent: availability)
            writer.object("settings") { writer in
                settings.writeMembers(to: &writer)
                widget?.writeSettings(to: &writer)
            }
            writer.member("preContactForm", orNull: survey)
            writer.emptyArray("caseCustomFields")
            writer.emptyArray("endUserCustomFields")
            widget?.write(to: &writer)
        }
    }
}

/// The part `settings` of a channel's configuration.
public struct ChannelSettings: Sendable, Hashable {
    /// A customer may have many threads.
    public var hasMultipleThreadsPerEndUser: Bool
    /// Whether the channel has proactive actions, such as the welcome message.
    public var isProactiveChatEnabled: Bool
    /// `liveChatAllowTranscript`
    public var isTranscriptAllowed: Bool
    /// `enableChatTypingPreview`: agents see what customers type before they send it.
    public var isTypingPreviewed: Bool
    /// Read by Android and web clients. iOS reads the feature of that name.
    public var securedSessions: Bool?
    /// Nil: attachments are off.
    public var fileRestrictions: WireFileRestrictions?
    /// By name. A feature that is absent is on; values that are no booleans are ignored.
    public var features: [String: Bool]
    /// Nil: the platform pushes nothing to apps on this channel.
    public var pushNotifications: WirePushNotifications?

    public init(
        hasMultipleThreadsPerEndUser: Bool, isProactiveChatEnabled: Bool = false, isTranscriptAllowed: Bool = false,
        isTypingPreviewed: Bool = false, securedSessions: Bool?, fileRestrictions: WireFileRestrictions?,
        features: [String: Bool] = [:],
        pushNotifications: WirePushNotifications? = nil
    ) {
        self.hasMultipleThreadsPerEndUser = hasMultipleThreadsPerEndUser
        self.isProactiveChatEnabled = isProactiveChatEnabled
        self.isTranscriptAllowed = isTranscriptAllowed
        self.isTypingPreviewed = isTypingPreviewed
        self.securedSessions = securedSessions
        self.fileRestrictions = fileRestrictions
        self.features = features
        self.pushNotifications = pushNotifications
    }

    /// Whether a feature is on. A feature that the configuration does not name is on.
    public func isOn(_ feature: String) -> Bool { features[feature] ?? true }
}

extension ChannelSettings: WireReadable {
    /// Needs only `hasMultipleThreadsPerEndUser`. A feature that is no boolean is left out; the iOS SDK would refuse
    /// the whole configuration.
    public init(_ value: WireValue) throws(WireError) {
        hasMultipleThreadsPerEndUser = try value.required("hasMultipleThreadsPerEndUser")
        isProactiveChatEnabled = try value.optional("isProactiveChatEnabled") ?? false
        isTranscriptAllowed = try value.optional("liveChatAllowTranscript") ?? false
        isTypingPreviewed = try value.optional("enableChatTypingPreview") ?? false
        securedSessions = try value.optional("securedSessions")
        fileRestrictions = try value.optional("fileRestrictions")
        features = [:]
        for (name, value) in value["features"]?.members ?? [] {
            features[name] = try? Bool(value)
        }
        pushNotifications = try value.optional("pushNotifications")
    }

    /// `securedSessions` in both places where clients look for it.
    fileprivate func writeMembers(to writer: inout WireWriter) {
        var features = features
        if let securedSessions { features["securedSessions"] = features["securedSessions"] ?? securedSessions }
        writer.member("hasMultipleThreadsPerEndUser", hasMultipleThreadsPerEndUser)
        writer.member("isProactiveChatEnabled", isProactiveChatEnabled)
        writer.member("liveChatAllowTranscript", isTranscriptAllowed)
        writer.member("enableChatTypingPreview", isTypingPreviewed)
        writer.member("securedSessions", ifPresent: securedSessions)
        writer.member("fileRestrictions", ifPresent: fileRestrictions)
        writer.object("features") { writer in
            for (name, isOn) in features.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                isOn.write(to: &writer)
            }
        }
        writer.member("pushNotifications", ifPresent: pushNotifications)
    }
}

/// Whether somebody answers on a live chat channel: the body of `GET .../availability`.
///
/// The mobile SDKs keep the answer for 60 seconds.
public struct WireAvailability: Sendable, Hashable {
    /// Anything but `online` counts as offline.
    public var isOnline: Bool

    public init(isOnline: Bool) { self.isOnline = isOnline }
}

extension WireAvailability: WireReadable, WireWritable, WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        self = try WireAvailability(try WireValue(json: json, limit: limit, omissions: omissions ?? WireOmissions()))
    }

    public func encoded() -> [UInt8] { WireWriter.text(side: .server) { write(to: &$0) } }

    public init(_ value: WireValue) throws(WireError) {
        let status: String = try value.required("status")
        isOnline = status == "online"
    }

    public func write(to writer: inout WireWriter) {
        writer.object { $0.member("status", isOnline ? "online" : "offline") }
    }
}

/// What a channel's configuration says of the platform's own web widget: its colours, place, popups and words.
///
/// The mobile SDKs read nothing of it. Code that is written for the web SDK takes every member for given.
public struct WidgetInfo: Sendable, Hashable {
    /// `colors.themeColor`, as CSS writes it.
    public var themeColor: String
    /// `widget.appearance`: `bar` or `button`.
    public var appearance: String
    /// `widget.position`: `right` or `left`.
    public var position: String
    /// The widget's words by their names. Whoever finds a name absent shows its own word.
    public var translations: [String: String]

    public init(
        themeColor: String = "#336699", appearance: String = "bar", position: String = "right",
        translations: [String: String] = [:]
    ) {
        self.themeColor = themeColor
        self.appearance = appearance
        self.position = position
        self.translations = translations
    }

    /// The members beside the channel's own. There are no popups and no scripts.
    func write(to writer: inout WireWriter) {
        writer.object("colors") { $0.member("themeColor", themeColor) }
        writer.object("widget") { writer in
            writer.member("appearance", appearance)
            writer.member("position", position)
        }
        writer.emptyArray("popups")
        writer.object("translations") { writer in
            for (name, word) in translations.sorted(by: { $0.key < $1.key }) {
                writer.name(name)
                writer.string(word)
            }
        }
        for name in ["customCss", "customJs", "customJsFiles"] {
            writer.name(name)
            writer.string("")
        }
    }

    /// The members of `settings` that only the widget needs: nothing is offered while a live chat is offline, and there
    /// are no group chats.
    fileprivate func writeSettings(to writer: inout WireWriter) {
        writer.member("liveChatShowOfflineForm", false)
        writer.object("liveChatOfflineForm") { writer in
            writer.member("isEnabled", false)
            writer.member("isCustom", false)
            writer.member("html", "")
        }
        writer.member("liveChatHiddenOnOffline", false)
        writer.member("isGroupChatAllowed", false)
    }
}
