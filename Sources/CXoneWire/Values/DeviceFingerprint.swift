/// What a client tells about its device: `deviceFingerprint`, `browserFingerprint`.
public struct DeviceFingerprint: Sendable, Hashable, WireReadable, WireWritable {
    public var country: String?
    public var language: String?
    /// `native` or `browser`.
    public var applicationType: String?
    public var os: String?
    public var osVersion: String?
    /// `mobile`, `tablet` or `desktop`.
    public var deviceType: String?
    /// To which notifications are pushed; nil: nothing is said of it.
    public var deviceToken: DeviceToken?
    public var browser: String?
    public var browserVersion: String?
    public var ip: String?
    /// A time zone, from web clients.
    public var location: String?

    public init(
        country: String? = nil, language: String? = nil, applicationType: String? = nil, os: String? = nil,
        osVersion: String? = nil, deviceType: String? = nil, deviceToken: DeviceToken? = nil, browser: String? = nil,
        browserVersion: String? = nil, ip: String? = nil, location: String? = nil
    ) {
        self.country = country
        self.language = language
        self.applicationType = applicationType
        self.os = os
        self.osVersion = osVersion
        self.deviceType = deviceType
        self.deviceToken = deviceToken
        self.browser = browser
        self.browserVersion = browserVersion
        self.ip = ip
        self.location = location
    }

    public init(_ value: WireValue) throws(WireError) {
        country = try value.optional("country")
        language = try value.optional("language")
        applicationType = try value.optional("applicationType")
        os = try value.optional("os")
        osVersion = try value.idIfPresent("osVersion")
        deviceType = try value.optional("deviceType")
        deviceToken = value.isNull("deviceToken") ? .removed : try value.optional("deviceToken").map { .token($0) }
        browser = try value.optional("browser")
        browserVersion = try value.idIfPresent("browserVersion")
        ip = try value.optional("ip")
        location = try value.optional("location")
    }

    public func write(to writer: inout WireWriter) {
        writer.object { writer in
            writer.member("country", ifPresent: country)
            writer.member("language", ifPresent: language)
            writer.member("applicationType", ifPresent: applicationType)
            writer.member("os", ifPresent: os)
            writer.member("osVersion", ifPresent: osVersion)
            writer.member("deviceType", ifPresent: deviceType)
            switch deviceToken {
            case .token(let token): writer.member("deviceToken", token)
            case .removed: writer.member("deviceToken", orNull: String?.none)
            case nil: break
            }
            writer.member("browser", ifPresent: browser)
            writer.member("browserVersion", ifPresent: browserVersion)
            writer.member("ip", ifPresent: ip)
            writer.member("location", ifPresent: location)
        }
    }
}

/// The address of an app on a device, as a client tells it. It is a secret.
public enum DeviceToken: Sendable, Hashable {
    case token(String)
    /// Null: nothing is to be pushed to the device any more.
    case removed
}
