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
    /// To which notifications are pushed.
    public var deviceToken: String?
    public var browser: String?
    public var browserVersion: String?
    public var ip: String?
    /// A time zone, from web clients.
    public var location: String?

    public init(
        country: String? = nil, language: String? = nil, applicationType: String? = nil, os: String? = nil,
        osVersion: String? = nil, deviceType: String? = nil, deviceToken: String? = nil, browser: String? = nil,
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
        deviceToken = try value.optional("deviceToken")
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
            writer.member("deviceToken", ifPresent: deviceToken)
            writer.member("browser", ifPresent: browser)
            writer.member("browserVersion", ifPresent: browserVersion)
            writer.member("ip", ifPresent: ip)
            writer.member("location", ifPresent: location)
        }
    }
}
