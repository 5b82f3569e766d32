/// What a channel is and may: the body of `GET {chat}/1.0/brand/{b}/channel/{c}`.
public struct WireChannelConfiguration: Sendable, Hashable {
    public var name: String?
    /// `channelIdOnExternalPlatform`
    public var idOnExternalPlatform: String?
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

    public init(
        name: String?, idOnExternalPlatform: String? = nil, isLiveChat: Bool, isAuthorizationEnabled: Bool = false,
        isSecuredCookieEnabled: Bool = false, availability: WireAvailability? = nil, settings: ChannelSettings,
        survey: PreContactForm? = nil
    ) {
        self.name = name
        self.idOnExternalPlatform = idOnExternalPlatform
        self.isLiveChat = isLiveChat
        self.isAuthorizationEnabled = isAuthorizationEnabled
        self.isSecuredCookieEnabled = isSecuredCookieEnabled
        self.availability = availability
        self.settings = settings
        self.survey = survey
    }

    /// How customers prove who they are, by the mobile SDKs' rule.
    public enum Authentication: Sendable { case anonymous, securedCookie, thirdPartyOAuth }

    public var authentication: Authentication {
        isSecuredCookieEnabled ? .securedCookie : isAuthorizationEnabled ? .thirdPartyOAuth : .anonymous
    }

    /// Whether the socket wants a transaction token. Where nothing says so it does, as the iOS SDK has it.
    public var usesSecuredSessions: Bool {
        settings.features["securedSessions"] ?? settings.securedSessions ?? true
    }
}

extension WireChannelConfiguration: WireReadable, WireWritable, WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.largeEvent) throws(WireError) {
        self = try WireChannelConfiguration(try WireValue(json: json, limit: limit))
    }

    public func encoded() -> [UInt8] { WireWriter.text(side: .server) { write(to: &$0) } }

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

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("name", ifPresent: name)
            writer.member("channelIdOnExternalPlatform", ifPresent: idOnExternalPlatform)
            writer.member("isLiveChat", isLiveChat)
            writer.member("isAuthorizationEnabled", isAuthorizationEnabled)
            writer.member("isSecuredCookieEnabled", isSecuredCookieEnabled)
            writer.member("availability", ifPresent: availability)
            writer.member("settings", settings)
            writer.member("preContactForm", orNull: survey)
            writer.emptyArray("caseCustomFields")
            writer.emptyArray("endUserCustomFields")
        }
    }
}
