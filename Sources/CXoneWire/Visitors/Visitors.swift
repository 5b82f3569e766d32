/// Who visits, and from which device: the body of `PUT .../visitors/{v}` of the web analytics.
public struct WireVisitor: Sendable, Hashable {
    /// Without names.
    public var customer: WireCustomer?
    /// The device; its token says where the platform pushes to.
    public var fingerprint: DeviceFingerprint?
    /// The iOS SDK sends neither this nor ``location``.
    public var ip: String?
    public var location: String?
    /// `journey`, passed on unchanged. The mobile SDKs do not fill it.
    public var journey: RawJSON?
    public var customVariables: [CustomVariable]

    /// An element of `customVariables`.
    public struct CustomVariable: Sendable, Hashable, WireReadable, WireWritable {
        public var identifier: String
        public var value: String

        public init(identifier: String, value: String) {
            self.identifier = identifier
            self.value = value
        }

        public init(_ value: WireValue) throws(WireError) {
            identifier = try value.id("identifier")
            self.value = try value.id("value")
        }

        public func write(to writer: inout WireWriter) {
            writer.object { writer in
                writer.member("identifier", identifier)
                writer.member("value", value)
            }
        }
    }

    public init(
        customer: WireCustomer?, fingerprint: DeviceFingerprint?, ip: String? = nil, location: String? = nil,
        journey: RawJSON? = nil, customVariables: [CustomVariable] = []
    ) {
        self.customer = customer
        self.fingerprint = fingerprint
        self.ip = ip
        self.location = location
        self.journey = journey
        self.customVariables = customVariables
    }
}

extension WireVisitor: WireDocument {
    /// Reads the members by their old names too. All may be absent; the platform answers nothing that clients read.
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        customer = try value.optional("customerIdentity", or: "consumerIdentity")
        fingerprint = try value.optional("browserFingerprint", or: "deviceFingerprint")
        ip = try value.optional("ip")
        location = try value.optional("location")
        journey = value["journey"].map { RawJSON($0) }
        customVariables = try value.list("customVariables")
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                writer.member("customerIdentity", ifPresent: customer)
                writer.member("browserFingerprint", ifPresent: fingerprint)
                writer.member("ip", ifPresent: ip)
                writer.member("location", ifPresent: location)
                writer.member("journey", ifPresent: journey)
                if !customVariables.isEmpty { writer.member("customVariables", customVariables) }
            }
        }
    }
}

/// `settings.pushNotifications` of a channel: what the platform pushes to apps while their customer is not connected.
public struct WirePushNotifications: Sendable, Hashable, WireReadable, WireWritable {
    /// Whether the platform pushes anything.
    public var isActive: Bool
    /// Of the project at the platform's push service.
    public var pinpointProjectID: String
    /// The texts of the notification. They are the same for each message of the channel.
    public var title: String
    public var body: String
    /// The link that a tap on the notification opens.
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

    /// Reads the object; an absent member counts as off or "".
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

/// A line that a mobile SDK logs on the platform: the body of `POST {logger}`.
///
/// After any answer but 200 and 204 the SDKs stop sending lines for the rest of the session.
public struct RemoteLogEntry: Sendable, Hashable {
    /// A digit.
    public var level: String
    public var message: String
    /// Such as `3.3.1`.
    public var appVersion: String?
    /// The place in the program, and the device. Passed on unchanged.
    public var detail: RawJSON?

    public init(level: String, message: String, appVersion: String?, detail: RawJSON? = nil) {
        self.level = level
        self.message = message
        self.appVersion = appVersion
        self.detail = detail
    }
}

extension RemoteLogEntry: WireDocument {
    public init(json: [UInt8], limit: Int = WireLimit.frame, omissions: WireOmissions? = nil) throws(WireError) {
        let value = try WireValue(json: json, limit: limit)
        level = try value.id("level")
        message = try value.required("message")
        appVersion = try value.optional("appVersion")
        detail = value["detail"].map { RawJSON($0) }
    }

    public func encoded() -> [UInt8] {
        WireWriter.text(side: .client) { writer in
            writer.object { writer in
                writer.member("level", level)
                writer.member("message", message)
                writer.member("appVersion", ifPresent: appVersion)
                writer.member("detail", ifPresent: detail)
            }
        }
    }
}
