/// `settings.pushNotifications` of a channel: what the platform pushes to apps while their customer is not connected.
public struct WirePushNotifications: Sendable, Hashable, WireReadable, WireWritable {
    public var isActive: Bool
    /// Of the project at the platform's push service.
    public var pinpointProjectID: String
    /// The texts are the channel's, not the message's.
    public var title: String
    public var body: String
    public var deepLink: String

    public init(
        isActive: Bool, pinpointProjectID: String = "", title: String = "", body: String = "", deepLink: String = ""
    ) {
        self.isActive = isActive
        self.pinpointProjectID = pinpointProjectID
        self.title = title
        self.body = body
        self.deepLink = deepLink
    }

    public init(_ value: WireValue) throws(WireError) {
        isActive = try value.optional("isActive") ?? false
        pinpointProjectID = try value.optional("pinpointProjectId") ?? ""
        title = try value.optional("title") ?? ""
        body = try value.optional("body") ?? ""
        deepLink = try value.optional("deeplink") ?? ""
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("isActive", isActive)
            writer.member("pinpointProjectId", pinpointProjectID)
            writer.member("title", title)
            writer.member("body", body)
            writer.member("deeplink", deepLink)
        }
    }
}
